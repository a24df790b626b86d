"""Optimizers, under Paddle's names."""

from . import lr  # noqa: F401
from .adam import Adam, AdamW  # noqa: F401
from .adaptive import Adadelta, Adagrad, RMSProp, Rprop  # noqa: F401
from .moments import Adamax, Lamb, NAdam, RAdam  # noqa: F401
from .optimizer import Optimizer  # noqa: F401
from .sgd import SGD, Momentum  # noqa: F401

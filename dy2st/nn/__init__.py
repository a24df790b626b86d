"""Layers, containers, initializers and functions of neural networks, under Paddle's names."""

from . import functional, initializer  # noqa: F401
from .clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue  # noqa: F401
from .containers import LayerDict, LayerList, ParameterList, Sequential  # noqa: F401
from .layer import Layer  # noqa: F401
from .layers.activation import (  # noqa: F401
    ELU,
    GELU,
    Hardsigmoid,
    Hardswish,
    LeakyReLU,
    LogSoftmax,
    ReLU,
    ReLU6,
    Sigmoid,
    Silu,
    Softmax,
    Softplus,
    Swish,
    Tanh,
)
from .layers.cells import GRUCell, LSTMCell, SimpleRNNCell  # noqa: F401
from .layers.common import Dropout, Dropout2D, Embedding  # noqa: F401
from .layers.conv import Conv2D  # noqa: F401
from .layers.linear import Flatten, Identity, Linear  # noqa: F401
from .layers.loss import (  # noqa: F401
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from .layers.norm import BatchNorm1D, BatchNorm2D, LayerNorm  # noqa: F401
from .layers.pooling import AdaptiveAvgPool2D, AvgPool2D, MaxPool2D  # noqa: F401
from .parameter import ParamAttr, Parameter  # noqa: F401

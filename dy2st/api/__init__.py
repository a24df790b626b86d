"""Paddle's functions on tensors. Importing this package gives Tensor its methods."""

from .. import runtime as _runtime  # noqa: F401  (eager mode)
from ..ops import families as _families  # noqa: F401  (the whole registry)
from . import (  # noqa: F401
    attributes,
    autograd,
    compare,
    creation,
    gathering,
    indexing,
    joining,
    linalg,
    manipulation,
    math,
    memory,
    operators,
    random,
    reduce,
    slicing,
)

"""Paddle's functions on tensors. Importing this package gives Tensor its methods."""

from .. import runtime as _runtime  # noqa: F401  (eager mode)
from ..runtime.tensors.call_hook import observe_public as _observe_public
from . import (  # noqa: F401
    aliases,
    assembling,
    attributes,
    autograd,
    compare,
    complex_numbers,
    conversions,
    counting,
    creation,
    diagonals,
    distributions,
    dlpack,
    factors,
    fourier,
    frames,
    gathering,
    in_place,
    indexing,
    joining,
    limits,
    linalg,
    lu,
    making,
    manipulation,
    math,
    memory,
    norms,
    operators,
    order,
    pairs,
    parts,
    picking,
    placing,
    products,
    random,
    reduce,
    running,
    slicing,
    solving,
    special,
    windows,
)
from .out import give_out as _give_out

_give_out(globals())
_observe_public(globals())

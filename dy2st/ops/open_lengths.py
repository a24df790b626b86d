"""Which operators may fail on lengths that only the run will tell: those must run, even if nobody uses what they give."""

from __future__ import annotations

from itertools import zip_longest

from ..ir.core import Operation, Value
from ..ir.shape import Shape
from ..ir.types import TensorType
from .families import HOMES

BY_LENGTH = (  # of one tensor, and yet not for every length of its axes
    *("as_strided", "as_strided_copy", "as_strided_scatter", "broadcast_to", "broadcast_to_copy", "expect", "expect_copy"),
    *("windows", "windows_copy", "windows_scatter", "as_complex", "as_complex_copy", "as_real_scatter"),
    *("reshape", "reshape_copy", "reshape_scatter", "squeeze", "squeeze_copy", "sum_to"),  # those that the attributes allow
    *("avg_pool2d", "avg_pool2d_grad", "max_pool2d", "max_pool2d_indices", "adaptive_avg_pool2d"),  # no less than a window
    *("det", "slogdet", "inverse", "cholesky", "eig", "eigh"),  # square matrices
    *("softmax", "log_softmax", "product_of_others", "lu", "pad", "pad_fold", "fft_c2c", "fft_c2r", "fft_r2c"),  # no empty axis
)
_WRITES = ("setitem", "setitem_copy", "setitem_add")


def fits(op: Operation) -> bool:
    """Whether an operator takes whatever lengths its tensors, and whatever values its staged attributes, turn out to have."""
    if op.n_positional < len(op.operands):
        return False
    if op.name in _WRITES and _puts_where(*op.operands[1:]):
        return False
    shapes = [v.type.shape for v in op.operands if isinstance(v.type, TensorType) and v.type.shape != ()]
    if not any(shape is None or any(type(dim) is not int for dim in shape) for shape in shapes):
        return True
    if op.name in BY_LENGTH or (None in shapes and op.attrs):  # which name axes
        return False
    if HOMES.get(op.name) in ("elementwise", "compare") and not op.name.endswith("_"):  # the result of `add_` has its memory
        return _broadcast(shapes)
    known = all(shape is not None and None not in shape for shape in shapes)
    return len(shapes) == 1 or (known and len(set(shapes)) == 1)


def _puts_where(value: Value, *index: Value) -> bool:
    """Whether a value with axes is put where a mask picks: how many places that are depends on elements."""
    masks = [x for x in index if isinstance(x.type, TensorType) and x.type.dtype == "bool"]
    return bool(masks) and getattr(value.type, "shape", ()) != ()


def _broadcast(shapes: list[Shape]) -> bool:
    """Whether shapes broadcast whatever their open lengths are: on each axis all are the same, known to be so, or 1."""
    if None in shapes:
        return len(shapes) == 1
    for lengths in zip_longest(*(reversed(shape or ()) for shape in shapes), fillvalue=1):
        others = [length for length in lengths if length != 1]
        if len(others) > 1 and (None in others or len(set(others)) > 1):
            return False
    return True

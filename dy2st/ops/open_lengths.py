"""Which operators may fail on lengths that only the run will tell: those must run, even if nobody uses what they give."""

from __future__ import annotations

from ..ir.core import Operation
from ..ir.types import TensorType
from .registry import OPERATORS

BY_ATTRIBUTES = (  # their attributes may not fit a length
    *("as_strided", "as_strided_copy", "as_strided_scatter", "broadcast_to", "broadcast_to_copy", "reshape", "reshape_copy"),
    *("reshape_scatter", "squeeze", "squeeze_copy"),
)


def fits(op: Operation) -> bool:
    """Whether an operator takes whatever lengths its tensors turn out to have."""
    shapes = {v.type.shape for v in op.operands if isinstance(v.type, TensorType) and v.type.shape != ()}
    is_open = any(shape is None or any(type(dim) is not int for dim in shape) for shape in shapes)
    if not is_open or op.name not in OPERATORS:
        return True
    same = len(shapes) == 1 and all(type(dim) is str or type(dim) is int for shape in shapes for dim in shape or (None,))
    tensors = sum(isinstance(v.type, TensorType) and v.type.shape != () for v in op.operands)
    return (tensors == 1 or same) and op.name not in BY_ATTRIBUTES

"""bfloat16 is a dtype to keep values in: operators compute in float32, and their results are rounded.

Moving values about (views, indexing, copies, casts) needs no arithmetic and happens on the bfloat16 arrays themselves. All else
is written out as casts to float32, the operator, and a cast back, at once as in a Program, which differentiates as it is.
"""

from __future__ import annotations

from typing import Any

from . import dispatch
from .cast import assign_, cast
from .registry import OpDef

NARROW, WIDE = "bfloat16", "float32"
MOVES = frozenset((
    "cast", "copy_", "assign", "assign_value", "where", "full_like", "zeros_like", "getitem_copy", "getitem_advanced", "gather",
    "concat", "stack", "tile", "flip", "roll", "repeat_interleave", "setitem", "setitem_copy", "broadcast_like",
))  # fmt: skip


def widened(definition: OpDef, operands: tuple, attrs: dict[str, Any]) -> Any:
    """What an operator gives, whose operands may be bfloat16: bfloat16 where all that have fractions are."""
    bind = dispatch.current_mode().bind
    if definition.view is not None or definition.name in MOVES or "." in definition.name:
        return bind(definition, operands, attrs)
    narrow = [i for i, x in enumerate(operands) if _dtype(x) == NARROW]
    if not narrow:
        return bind(definition, operands, attrs)
    wide = tuple(cast(x, dtype=WIDE) if i in narrow else x for i, x in enumerate(operands))
    result = bind(definition, wide, attrs)
    for i in definition.mutates:
        if i in narrow:
            assign_(operands[i], cast(wide[i], dtype=NARROW))
    if definition.mutates:
        return operands[definition.mutates[0]] if result is wide[definition.mutates[0]] else result
    if "dtype" in attrs or any(_dtype(x) in (WIDE, "float64") for x in operands):
        return result
    return tuple(map(_narrowed, result)) if isinstance(result, tuple) else _narrowed(result)


def _dtype(x: Any) -> str | None:
    """The name of the dtype of a tensor, else None; of a staged object nothing is asked: that would be recorded."""
    if not isinstance(getattr(type(x), "dtype", None), property):
        return None
    return getattr(x.dtype, "name", None) or x.type.dtype  # of a placeholder of PyTorch code it is one of torch's


def _narrowed(x: Any) -> Any:
    return cast(x, dtype=NARROW) if _dtype(x) == WIDE else x

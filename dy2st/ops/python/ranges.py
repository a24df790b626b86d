"""`range.len`: how often a loop over a staged range runs."""

from __future__ import annotations

from ...errors import DTypeError
from ...ir.types import BOOL, INT, Type
from ..registry import define
from .lowered.items import range_length


def _int_types(start: Type, stop: Type, step: Type) -> Type:
    for type_ in (start, stop, step):
        if type_ not in (INT, BOOL):
            raise DTypeError(f"range takes ints, not {type_}")
    return INT


def _range_len(start: int, stop: int, step: int) -> int:
    # Not len(range(...)): that is limited to sys.maxsize.
    if step == 0:
        raise ValueError("range() arg 3 must not be zero")
    return max(0, (stop - start + (step - 1 if step > 0 else step + 1)) // step)


length = define("range.len", kernel=_range_len, infer=_int_types, raises=("ValueError",), onnx=range_length)

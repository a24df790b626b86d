"""The operands of NumPy's ufuncs, in the forms that these take quickest. The results are the same, bit by bit.

    v0 * 0.5      ->  v0 * c0_5_1     a 0-d array of the dtype of v0: a Python number costs as much as the whole addition
    v0 + v1       ->  v0 + v1[None]   where v0 has the shape (1, 32) and v1 (32,): two arrays of one shape aren't broadcast
"""

from __future__ import annotations

import re

import numpy as np

from ...dtypes import DTYPES
from ...ir.core import Operation, Value
from ...ir.types import TensorType
from ...ops.registry import OpDef
from .writer import Writer


def quick_forms(writer: Writer, op: Operation, definition: OpDef, names: list[str]) -> list[str]:
    """The texts `names` of the operands, in quicker forms where the operator is a ufunc."""
    if not isinstance(getattr(definition.kernel, "__wrapped__", definition.kernel), np.ufunc) or len(op.operands) != 2:
        return names
    return [_quick(writer, value, other, name) for value, other, name in zip(op.operands, op.operands[::-1], names)]


def number(writer: Writer, value: int | float, like: Value, text: str) -> str:
    """A number as an array of the dtype of `like`; the literal `text` where `like` has no axes, or the dtype lacks the number."""
    type_ = writer.type(like)
    if not isinstance(type_, TensorType) or not type_.shape or not _fits(value, type_.dtype):
        return text
    return writer.module.constants.array(value, type_.dtype, "c" + re.sub(r"\W", "_", repr(value)))


def _quick(writer: Writer, value: Value, other: Value, name: str) -> str:
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "const":
        return number(writer, owner.attrs["value"], other, name)
    mine, whole = writer.type(value), writer.type(other)
    if not isinstance(mine, TensorType) or not isinstance(whole, TensorType) or not mine.shape or not whole.shape:
        return name
    missing = len(whole.shape) - len(mine.shape)
    if missing < 1 or whole.shape != (1,) * missing + mine.shape or None in mine.shape:
        return name
    return f"{name}[{', '.join(['None'] * missing)}]"


def _fits(value: object, dtype: str) -> bool:
    """Whether NumPy computes with `value` as a number of this dtype, where it meets an array of it."""
    kind = DTYPES[dtype].numpy.kind
    if type(value) is int and kind in "iu":
        limits = np.iinfo(DTYPES[dtype].numpy)
        return limits.min <= value <= limits.max
    return type(value) in (int, float) and kind == "f" and abs(value) <= np.finfo(DTYPES[dtype].numpy).max  # type: ignore[arg-type]

"""What a set is after each of its methods, as a sequence of different items: for those who have no sets.

Items are ints, bools or texts, of one class in one set, so that those that are equal are the same.
"""

from __future__ import annotations

from ...errors import DTypeError
from ...ir.types import BOOL, INT, NEVER, STR, SequenceType, Type
from ..registry import define
from .lowered import distinct as lowered
from .sequences import sequence

COMPARED = (BOOL, INT, STR)


def _items(type_: Type, op: str) -> SequenceType:
    found = sequence(type_, op)
    if found.elem not in (*COMPARED, NEVER):
        raise DTypeError(f"{op} compares bools, ints or texts, not items of the type {found.elem}")
    return found


def _among_type(items: Type, others: Type, keep: bool = True) -> Type:
    _items(others, "sequence.among")
    return _items(items, "sequence.among")


distinct = define(
    "sequence.distinct",
    kernel=lambda items: tuple(dict.fromkeys(items)),
    infer=lambda items: _items(items, "sequence.distinct"),
    onnx=lowered.distinct,
)
among = define(
    "sequence.among",
    kernel=lambda items, others, keep=True: tuple([x for x in items if (x in others) is keep]),
    infer=_among_type,
    onnx=lowered.among,
)

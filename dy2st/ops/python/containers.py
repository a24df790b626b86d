"""Comparing lists, dicts and sets at run time: `container.compare`."""

from __future__ import annotations

import operator

from ...errors import DTypeError
from ...ir.types import BOOL, DictType, ListType, SequenceType, SetType, TupleType, Type
from ...tables import Table
from ..registry import define
from .lowered.ordering import compare_containers

SYMBOLS = Table("comparison", {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
})  # fmt: skip


def _compare_type(a: Type, b: Type, symbol: str) -> Type:
    """Any two values can be equal; only two lists or two sets have an order."""
    SYMBOLS[symbol]
    tuples = isinstance(a, SequenceType | TupleType) and isinstance(b, SequenceType | TupleType)
    ordered = tuples or (type(a) is type(b) and isinstance(a, ListType | SetType))
    if symbol not in ("==", "!=") and not ordered:
        raise DTypeError(f"'{symbol}' isn't supported between {_kind(a)} and {_kind(b)}")
    return BOOL


def _kind(type_: Type) -> str:
    known = {ListType: "a list", DictType: "a dict", SetType: "a set", SequenceType: "a tuple", TupleType: "a tuple"}
    return known.get(type(type_), f"a value of type {type_}")


compare = define(
    "container.compare",
    kernel=lambda a, b, symbol: bool(SYMBOLS[symbol](a, b)),  # items that are tensors give an array of one bool
    infer=_compare_type,
    reads=(0, 1),
    raises=("ValueError", "TypeError"),
    onnx=compare_containers,
)

"""`<` and its siblings on numbers and on tuples, item by item, in a graph."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ....ir.types import NUMERIC, SequenceType, TupleType
from .answers import Typed, as_value, every, some, typed
from .comparing import NODES, compare
from .equality import as_rows, equal, items_of, row_by_row, same, unequal

_ORDERS = {"<": "<", "<=": "<", ">": ">", ">=": ">"}  # what decides at the first item that isn't the same


def lexicographic(g: Any, symbol: str, a: Typed, b: Typed) -> Any:
    """Whether two numbers, or two tuples, compare so: at the first item where they differ, or by their lengths."""
    left, right = a[0], b[0]
    if left in NUMERIC and right in NUMERIC:
        return compare(g, symbol, a, b)
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        return _tuples(g, symbol, items_of(g, *a), items_of(g, *b))
    if not all(isinstance(x, TupleType | SequenceType) for x in (left, right)):
        g.refuse(f"a {left} isn't ordered against a {right} there; compare numbers that stand for them")
    first, second = (g.packed(*x) for x in (a, b))
    lengths = first.length(), second.length()
    count = g.Min(*lengths)
    alike, before = (
        as_rows(g, row_by_row(g, ask, first, second, count), count)
        for ask in (partial(same, g), partial(lexicographic, g, _ORDERS[symbol]))
    )
    by_length = g.Unsqueeze(g.node(NODES[symbol], *lengths), [0])
    place = g.ArgMax(g.cast(g.Concat(g.Not(alike), np.array([True]), axis=0), "int32"), axis=0, keepdims=0)
    return g.Gather(g.Concat(before, by_length, axis=0), place, axis=0)


def _tuples(g: Any, symbol: str, a: list[Typed], b: list[Typed]) -> Any:
    """Tuples of known lengths: the answer of the lengths, then item by item from the last one."""
    answer: Any = _of_lengths(symbol, len(a), len(b))
    for x, y in reversed([*zip(a, b)]):
        answer = some(g, [lexicographic(g, _ORDERS[symbol], x, y), every(g, [same(g, x, y), answer])])
    return answer


def _of_lengths(symbol: str, a: int, b: int) -> bool:
    """How tuples compare whose items are the same as far as both have them."""
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[symbol]


def compare_containers(g: Any, a: Any, b: Any, symbol: str) -> Any:
    """`a < b` and its siblings, of tuples; `==` and `!=` of anything."""
    if symbol in ("==", "!="):
        return (equal if symbol == "==" else unequal)(g, a, b)
    return as_value(g, lexicographic(g, symbol, typed(g, a), typed(g, b)))


def ordered(symbol: str) -> Any:
    """The lowering of `<` or one of its siblings."""
    return lambda g, a, b: compare_containers(g, a, b, symbol)

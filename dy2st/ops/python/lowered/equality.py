"""`==`, `is`, `in` and the truth of values of any types: where types differ, values do, and sums are asked by their tag."""

from __future__ import annotations

from functools import partial
from typing import Any

from ....ir.spoken import spoken_type
from ....ir.types import (
    BOOL,
    NONE,
    NUMBER,
    NUMERIC,
    STR,
    UNBOUND,
    AtomType,
    ClassType,
    SequenceType,
    TensorType,
    TupleType,
    Type,
)
from .answers import Typed, as_value, every, of_alternatives, opposite, some, typed
from .comparing import compare
from .scalars import KINDS
from .tensors import only_element

_PLACES = {str(type_): place for type_, place in KINDS.items()}
_TUPLES = (TupleType, SequenceType)


def equal(g: Any, a: Any, b: Any) -> Any:
    """a == b."""
    return as_value(g, same(g, typed(g, a), typed(g, b)))


def unequal(g: Any, a: Any, b: Any) -> Any:
    """a != b."""
    return as_value(g, opposite(g, same(g, typed(g, a), typed(g, b))))


def same(g: Any, a: Typed, b: Typed) -> Any:
    """Whether two values are equal; of columns, row by row."""
    return of_alternatives(g, a, lambda x: of_alternatives(g, b, lambda y: _same(g, x, y)))


def _same(g: Any, a: Typed, b: Typed) -> Any:
    (left, leaves), (right, others) = a, b
    if left in NUMERIC and right in NUMERIC:
        return compare(g, "==", a, b)
    if left == right == STR:
        g.need(19, "comparing texts")
        return g.Equal(leaves[0], others[0])
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        return len(left.elems) == len(right.elems) and every(g, map(partial(same, g), items_of(g, *a), items_of(g, *b)))
    if isinstance(left, _TUPLES) and isinstance(right, _TUPLES):
        return _same_sequences(g, a, b)
    if isinstance(left, TensorType) or isinstance(right, TensorType):
        return _same_tensors(g, a, b)
    return left == right and (left in (NONE, UNBOUND) or isinstance(left, AtomType))


def items_of(g: Any, type_: Any, leaves: list) -> list[Typed]:
    """The items of a tuple."""
    return [*zip(type_.elems, g.split(leaves, type_.elems))]


def _same_sequences(g: Any, a: Typed, b: Typed) -> Any:
    first, second = (g.packed(*x) for x in (a, b))
    lengths = first.length(), second.length()
    rows = row_by_row(g, partial(same, g), first, second, g.Min(*lengths))
    return every(g, [g.Equal(*lengths), g.Equal(lengths[0], 0) if rows is False else rows is True or _all_of(g, rows)])


def row_by_row(g: Any, ask: Any, a: Any, b: Any, count: Any) -> Any:
    """What is answered for each pair of the first `count` items of two sequences: bool[count], or one answer for all."""
    return ask(*(columns(g, x.stretch(g.const(0), count)) for x in (a, b)))


def columns(g: Any, sequence: Any) -> Typed:
    """The items of a sequence as one value whose leaves have a row for each. Refused where an item is more than scalars."""
    elem, leaves = sequence.columns()
    if elem.holds(SequenceType, TensorType):
        g.refuse(f"items of the type {elem} aren't compared all at once; compare them one by one in a loop")
    return elem, leaves


def _all_of(g: Any, rows: Any) -> Any:
    """Whether all of bool[n] hold; of none, they do."""
    return g.Equal(g.ReduceSum(g.cast(g.Not(rows), "int64"), keepdims=0), 0)


def _same_tensors(g: Any, a: Typed, b: Typed) -> Any:
    """Two tensors, or a tensor and a number, whose comparison has one element."""
    if not all(isinstance(type_, TensorType) or type_ in NUMERIC for type_, _ in (a, b)):
        return False
    g.refuse("tensors are compared with paddle.equal, which says for each element whether it is the same")


# --- in, is, truth ---------------------------------------------------------------------------------------------------------


def in_tuple(g: Any, container: Any, value: Any) -> Any:
    """`value in container`, a tuple."""
    wanted = typed(g, value)
    return as_value(g, some(g, [same(g, item, wanted) for item in items_of(g, *typed(g, container))]))


def in_sequence(g: Any, container: Any, value: Any) -> Any:
    """`value in container`, a tuple of any length."""
    if isinstance(container.type, TupleType):
        return in_tuple(g, container, value)
    return g.Not(_all_of(g, g.Not(same_rows(g, container, value))))


def same_rows(g: Any, container: Any, value: Any) -> Any:
    """Which items of a sequence equal `value`: bool[n]."""
    return as_rows(g, same(g, columns(g, container), typed(g, value)), container.length())


def as_rows(g: Any, answer: Any, count: Any) -> Any:
    """An answer for each of `count` items, where one may stand for all."""
    return g.Expand(g.const(answer), g.ints([count])) if isinstance(answer, bool) else answer


def identical(g: Any, a: Any, b: Any) -> Any:
    """a is b."""
    first, second = typed(g, a), typed(g, b)
    return as_value(g, of_alternatives(g, first, lambda x: of_alternatives(g, second, lambda y: _identical(g, x, y))))


def _identical(g: Any, a: Typed, b: Typed) -> Any:
    left, right = a[0], b[0]
    if left == right and (left in (NONE, UNBOUND) or isinstance(left, AtomType)):
        return True
    if left == right == BOOL:
        return g.Equal(a[1][0], b[1][0])
    if left == right or _may_be_one(left, right):
        g.refuse(f"a {left} and a {right} have no identity in a graph; compare them with ==")
    return False


def _may_be_one(left: Type, right: Type) -> bool:
    """Whether one object can be of both types."""
    if left in NUMERIC and right in NUMERIC:
        return NUMBER in (left, right)
    return isinstance(left, _TUPLES) and isinstance(right, _TUPLES) or isinstance(left, TensorType) and type(left) is type(right)


def truth(g: Any, x: Any) -> Any:
    """bool(x)."""
    return as_value(g, of_alternatives(g, typed(g, x), partial(_truth, g)))


def falsity(g: Any, x: Any) -> Any:
    """not x."""
    return as_value(g, opposite(g, of_alternatives(g, typed(g, x), partial(_truth, g))))


def _truth(g: Any, x: Typed) -> Any:
    type_, leaves = x
    if isinstance(type_, TensorType):
        return g.cast(only_element(g, leaves[0], "bool(x)"), "bool")
    if type_ == BOOL:
        return leaves[0]
    if type_ in NUMERIC:
        return g.Not(g.Equal(leaves[-1], 0))
    if type_ == STR:
        g.need(19, "comparing texts")
        return g.Not(g.Equal(leaves[0], g.const("")))
    if isinstance(type_, SequenceType):
        return g.Greater(g.packed(*x).length(), 0)
    if isinstance(type_, TupleType):
        return bool(type_.elems)
    if type_ == NONE or isinstance(type_, AtomType | ClassType):
        return type_ != NONE
    g.refuse(f"the truth of {spoken_type(type_)}; ask len(x) > 0 of a container")


def is_instance(g: Any, x: Any, classes: Any) -> Any:
    """Whether a number is of one of these classes: "int", "float", "bool"; a bool is an int."""
    numbers = [place for name, place in _PLACES.items() if name in classes or (name == "bool" and "int" in classes)]

    def ask(x: Typed) -> Any:
        if x[0] == NUMBER:
            return some(g, [g.Equal(x[1][0], place) for place in numbers])
        return any(x[0] == type_ for type_, place in KINDS.items() if place in numbers)

    return as_value(g, of_alternatives(g, typed(g, x), ask))

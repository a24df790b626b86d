"""Tuples item by item, tuples whose length only the Program knows, and sums alternative by alternative."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Operation, Ref, leaves_of
from ...ir.types import INT, SumType, TupleType
from ...ops.registry import OPERATORS
from .making import NO_CONSTANT, constant_of
from .pure_types import has_references
from .refusals import refuse
from .state import Listed, Run
from .things import Bundle, KnownSum, Thing

if TYPE_CHECKING:
    from .walk import Walk

_ITEM_BY_ITEM = ("tuple.get", "tuple.concat", "tuple.slice", "tuple.len")


def tuple_operator(walk: Walk, op: Operation) -> list[Thing] | None:
    """What an operator on tuples or sequences gives."""
    if op.name == "tuple.new":
        things = tuple(walk.fitted(walk.thing(v), t) for v, t in zip(op.operands, op.result.type.elems))  # type: ignore
        return [Bundle(op.result.type, things)]  # type: ignore[arg-type]
    if op.name in _ITEM_BY_ITEM and not any(isinstance(leaf, Ref) for leaf in leaves_of(op.attrs)):
        return [_item_by_item(walk, op)]
    if op.name == "tuple.to_list":
        elem = op.result.type.elem  # type: ignore[attr-defined]
        items = tuple(walk.fitted(thing, elem) for thing in walk.bundle(walk.thing(op.operands[0])).things)
        return [walk.new(op.result.type, Listed(items))]
    if op.name == "sequence.to_list":
        return _to_list(walk, op)
    if op.name == "sequence.from_list":
        return _from_list(walk, op)
    if op.name == "tuple.get_dynamic" and has_references(op.operands[0].type):
        index = constant_of(walk.thing(op.operands[1]))
        if index is NO_CONSTANT:
            raise refuse(op, "a tuple of lists or objects is asked for the item of a computed index; use a list of lists")
        return [walk.fitted(walk.bundle(walk.thing(op.operands[0])).things[index], op.result.type)]
    return _on_values(walk, op)


def _item_by_item(walk: Walk, op: Operation) -> Thing:
    """The operator's own kernel runs in the walk, on tuples of things."""
    bundles = [walk.bundle(walk.thing(v)) for v in op.operands]
    result = OPERATORS[op.name].kernel(*[b.things for b in bundles], **op.attrs)
    if op.name == "tuple.len":
        return walk.const(result)
    if isinstance(result, tuple):
        assert isinstance(op.result.type, TupleType)
        return Bundle(op.result.type, result)
    return result


def _to_list(walk: Walk, op: Operation) -> list[Thing]:
    thing = walk.thing(op.operands[0])
    elem = op.result.type.elem  # type: ignore[attr-defined]
    if isinstance(thing.type, TupleType):
        return [walk.new(op.result.type, Listed(tuple(walk.fitted(x, elem) for x in walk.bundle(thing).things)))]
    content = walk.content_of(walk.pure(thing), op.result.type)
    assert isinstance(content, Run)
    if has_references(elem):
        content = Run(content.value, content.layouts, content.writes, owned=False)
    return [walk.new(op.result.type, content)]


def _from_list(walk: Walk, op: Operation) -> list[Thing]:
    thing = walk.thing(op.operands[0])
    if has_references(op.operands[0].type.elem):  # type: ignore[attr-defined]
        walk.share_items(thing)
    return [walk.as_run(thing).value]


def _on_values(walk: Walk, op: Operation) -> list[Thing]:
    """An operator on whole tuples or sequences. What lists they hold may not be changed any more."""
    for value in op.operands:
        if has_references(value.type):
            walk.give_away(walk.thing(value))
    types = [walk.types.of(v.type) for v in op.results]
    made = walk.core(op.name, [walk.value(v) for v in op.operands], dict(op.attrs), types, count=op.n_positional)
    things = []
    for value, old in zip(made.results, op.results):
        thing = walk.spread(value, old.type)
        walk.freeze(walk.reached([thing]))
        things.append(thing)
    return things


def sum_operation(walk: Walk, op: Operation) -> list[Thing]:
    """`sum.make`, `sum.tag`, `sum.get`."""
    thing = walk.thing(op.operands[0])
    if op.name == "sum.make":
        type_ = op.result.type
        assert isinstance(type_, SumType)
        index = op.attrs["index"]
        return [KnownSum(type_, walk.const(index), {index: walk.fitted(thing, type_.alternatives[index])})]
    thing = walk.fitted(thing, op.operands[0].type)
    if op.name == "sum.tag":
        return [thing.tag if isinstance(thing, KnownSum) else walk.make("sum.tag", [walk.pure(thing)], INT)]
    return [walk.fitted(walk.alternative(thing, op.attrs["index"]), op.result.type)]

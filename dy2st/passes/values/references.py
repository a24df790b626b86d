"""Tensors in place of references: `reference.tensors` of tuples, sums, lists and dicts that hold references.

    %t = reference.tensors %xs      (xs: list<tuple<cell<float32[?]>, int64[2]>>, of one item: (c, p))

    %0 = gather %c_held, %p, axis=0             t holds (%0)

A list of unknown length is gone through by a loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ...ir.core import Block, Operation, Value
from ...ir.spoken import spoken_type
from ...ir.types import BOOL, INT, ClassType, DictType, ListType, SequenceType, SumType, TensorType, TupleType, Type
from ...ops.python.references import is_reference
from .pure_types import has_references
from .refusals import refuse
from .state import Content, Fields, Held, Listed, Run
from .things import Bundle, Choice, KnownSum, Location, Thing

if TYPE_CHECKING:
    from .walk import Walk


def reference_operator(walk: Walk, op: Operation) -> list[Thing] | None:
    """What `reference.positions` and `reference.tensors` give."""
    if op.name == "reference.positions":
        return walk.plain(op)
    return [_Reader(walk, op).read(walk.thing(op.operands[0]), op.operands[0].type, op.result.type)]


class _Reader:
    """made: the list or dict of tensors for each one of references."""

    def __init__(self, walk: Walk, op: Operation):
        self.walk, self.op = walk, op
        self.made: dict[Location, Location] = {}

    def read(self, thing: Thing, type_: Type, result: Type) -> Thing:
        """A thing of the type `type_` with tensors in place of references, of the type `result`."""
        walk = self.walk
        if not has_references(type_) or (type_ == result and not type_.holds(ClassType)):
            return thing
        if isinstance(thing, Choice):
            return self._chosen(thing, lambda part: self.read(part, type_, result))
        if is_reference(type_):
            return self._tensor(walk.bundle(thing), result)
        if isinstance(type_, TupleType) and isinstance(result, TupleType):
            parts = zip(walk.bundle(thing).things, type_.elems, result.elems)
            return Bundle(result, tuple(self.read(part, t, r) for part, t, r in parts))
        if isinstance(type_, SumType) and isinstance(result, SumType):
            known = walk.apart(thing)
            types = list(zip(type_.alternatives, result.alternatives, strict=True))
            (found,) = walk.by_tag(known, lambda k: [self._one_of(result, k, known.parts[k], types[k])])
            return found
        if isinstance(type_, SequenceType) and isinstance(result, SequenceType):
            return self._mapped(walk.pure(thing), type_, result)
        return self._object(thing, type_, result)

    def _one_of(self, result: SumType, k: int, part: Thing, types: tuple[Type, Type]) -> KnownSum:
        return KnownSum(result, self.walk.const(k), {k: self._on_a_path(lambda: self.read(part, *types))})

    def _chosen(self, thing: Choice, act: Callable[[Thing], Thing]) -> Thing:
        (found,) = self.walk.chosen(thing, lambda part: [self._on_a_path(lambda: act(part))])
        return found

    def _on_a_path(self, act: Callable[[], Thing]) -> Thing:
        """What is made on one path isn't there on others."""
        before = dict(self.made)
        try:
            return act()
        finally:
            self.made = before

    def _tensor(self, reference: Bundle, result: Type) -> Thing:
        cell, places = reference.things
        if isinstance(cell, Choice):
            return self._chosen(cell, lambda part: self._tensor(replace(reference, things=(part, places)), result))
        held = self.walk.content(cell)
        assert isinstance(held, Held) and isinstance(result, TensorType)
        return self.walk.emit("gather", [self.walk.pure(held.thing), self.walk.pure(places)], {"axis": 0}, result)

    def _object(self, thing: Thing, type_: Type, result: Type) -> Location:
        if isinstance(thing, Location) and thing in self.made:
            return self.made[thing]
        content = self._content(self.walk.content(thing), type_, result)
        made = self.walk.new(result, content)
        if isinstance(thing, Location):
            self.made[thing] = made
        return made

    def _content(self, content: Content, type_: Type, result: Type) -> Content:
        if isinstance(type_, ListType) and isinstance(result, ListType):
            if isinstance(content, Listed):
                return Listed(tuple(self.read(thing, type_.elem, result.elem) for thing in content.things))
            assert isinstance(content, Run)
            value = self._mapped(content.value, SequenceType(type_.elem), SequenceType(result.elem))
            found = self.walk.content_of(value, result)
            assert isinstance(found, Run)
            return Run(found.value, found.layouts, owned=content.owned)
        if isinstance(type_, DictType) and isinstance(result, DictType) and isinstance(content, Fields):
            fitted = {name: self.walk.fitted(thing, type_.value) for name, thing in content.things.items()}
            things = {name: self.read(thing, type_.value, result.value) for name, thing in fitted.items()}
            return Fields(things, dict(content.present))
        raise refuse(self.op, f"tensors in {spoken_type(type_)} are written under several names; give it clone()s")

    def _mapped(self, value: Value, type_: SequenceType, result: SequenceType) -> Value:
        """The loop that makes a sequence of what each item becomes."""
        walk, made = self.walk, self.walk.types.of(result)

        def read(k: Value) -> Value:
            got = walk.make("sequence.get", [value, k], walk.types.of(type_.elem), {"of": "list"})
            item = walk.spread(got, type_.elem)
            return walk.pure(self._on_a_path(lambda: self.read(item, type_.elem, result.elem)))

        return _collected(walk, walk.make("sequence.len", [value], INT), read, made)


def _collected(walk: Walk, count: Value, item: Callable[[Value], Value], type_: Type) -> Value:
    """The sequence of `item(k)`, for k below `count`."""
    cond, body = Block([INT, type_]), Block([INT, type_])
    with walk.inside(cond):
        walk.core("yield", [walk.make("py.lt", [cond.args[0], count], BOOL)])
    with walk.inside(body):
        k, items = body.args
        grown = walk.make("sequence.append", [items, item(k)], type_)
        walk.core("yield", [walk.make("py.add", [k, walk.const(1)], INT), grown])
    start = [walk.const(0), walk.make("sequence.new", [], type_)]
    return walk.core("while", start, {}, [INT, type_], [cond, body]).results[1]

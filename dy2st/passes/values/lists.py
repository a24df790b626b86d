"""Lists: of known length item by item, others as sequences.

    %xs = list.new %a, %b                       xs holds (a, b)
    list.append %xs, %c                  ->     xs holds (a, b, c)
    %0 = list.get %xs, %1  (%1 = -1)            %0 is c

    list.append %ys, %c  (in a loop)     ->     %ys_1 = sequence.append %ys_now, %c

1. Where all lists have known lengths and all numbers are constants, the operator's own kernel runs in the walk, on lists of
   things.
2. Else the operator of sequences of that name gives what the list holds afterwards.
3. What is stored in a sequence is copied: it goes over into the list where nobody else knows it, else it is frozen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...errors import Dy2stError
from ...ir.core import Operation, Ref, Value, leaves_of, map_leaves
from ...ir.types import BOOL, INT, ListType, SequenceType, Type
from ...ops.registry import OPERATORS, infer_types
from .making import NO_CONSTANT, constant_of
from .pure_types import has_references
from .state import Listed, Run
from .things import At, Element, Place, Thing

if TYPE_CHECKING:
    from .walk import Walk

_IN_THE_WALK = frozenset(
    "append extend insert pop get set delete slice set_slice delete_slice len clear reverse copy concat repeat".split()
)
_STORED = {"append": 1, "insert": 2, "set": 2}  # the operand that is put into the list
_KEEP_PLACES = ("append", "extend")  # items stay where they are
_READS = {"len": INT, "contains": BOOL, "index": INT, "count": INT}


def list_operator(walk: Walk, op: Operation) -> list[Thing]:
    """What an operator on lists gives; a list that it changes holds something else afterwards."""
    return _ListOperator(walk, op).run()


class _ListOperator:
    def __init__(self, walk: Walk, op: Operation):
        self.walk, self.op = walk, op
        self.name = op.name.partition(".")[2]
        self.definition = OPERATORS[op.name]
        self.things = [walk.thing(v) for v in op.operands]

    def run(self) -> list[Thing]:
        if self.name == "new":
            type_ = self.op.result.type
            items = tuple(self.walk.fitted(thing, type_.elem) for thing in self.things)  # type: ignore[attr-defined]
            return [self.walk.new(type_, Listed(items))]
        found = self._in_the_walk() if self.name in _IN_THE_WALK else None
        if found is None:
            found = getattr(self, f"_{self.name}", self._changed)()
        return found

    # --- case 1 --------------------------------------------------------------------------------------------------------

    def _in_the_walk(self) -> list[Thing] | None:
        """None where something isn't known, or the kernel raises: then the Program does when it comes there."""
        operands: list[Any] = []
        for k, thing in enumerate(self.things):
            operand = self._known(k, thing)
            if operand is NO_CONSTANT:
                return None
            operands.append(operand)
        if any(isinstance(leaf, Ref) for leaf in leaves_of(self.op.attrs)):
            return None
        try:
            result = self.definition.kernel(*operands, **self.op.attrs)
        except (IndexError, ValueError):
            return None
        if 0 in self.definition.mutates:
            self.walk.put(self.things[0], Listed(tuple(operands[0])))
        if not self.op.results:
            return []
        if isinstance(result, list):
            return [self.walk.new(self.op.result.type, Listed(tuple(result)))]
        return [self.walk.const(result) if isinstance(result, int) else result]

    def _known(self, k: int, thing: Thing) -> Any:
        """An operand as the kernel takes it: a list of things, a number, a thing."""
        if isinstance(self.op.operands[k].type, ListType) and self._is_list(k):
            content = self.walk.content(thing)
            return list(content.things) if isinstance(content, Listed) else NO_CONSTANT
        if k in self.definition.indices:
            return constant_of(thing)
        return self.walk.fitted(thing, self.op.operands[0].type.elem)  # type: ignore[attr-defined]

    def _is_list(self, k: int) -> bool:
        """Whether the operator looks into this operand."""
        return k == 0 or k in self.definition.reads

    # --- case 2 --------------------------------------------------------------------------------------------------------

    @property
    def elem(self) -> Type:
        """The type of the items, as the list was declared."""
        return self.things[0].type.elem  # type: ignore[attr-defined]

    def _sequence(self, k: int = 0) -> Value:
        return self.walk.as_run(self.things[k]).value

    def _emit(self, name: str, operands: list[Value], type_: Type) -> Value:
        attrs, positional = dict(self.op.attrs), len(operands)
        behind = self.op.operands[self.op.n_positional :]
        values = [*operands, *(self.walk.value(v) for v in behind)]
        moved = self.op.n_positional - positional
        attrs = _with_refs(attrs, moved)
        return self.walk.core(name, values, attrs, [type_], count=positional).result

    def _changed(self) -> list[Thing]:
        """The list holds what the operator of sequences gives."""
        walk = self.walk
        run = walk.as_run(self.things[0])
        operands, owned = [run.value], run.owned
        for k, thing in enumerate(self.things[1 : self.op.n_positional], 1):
            if self._is_list(k):
                owned &= self._shared_items(k)
                operands.append(self._sequence(k))
            elif _STORED.get(self.name) == k:
                thing = walk.fitted(thing, self.elem)
                value = walk.pure(thing)
                owned &= not has_references(self.elem) or walk.give_away(thing)
                operands.append(value)
            else:
                operands.append(walk.pure(thing))
        name = {"extend": "sequence.concat", "clear": "sequence.new"}.get(self.name, f"sequence.{self.name}")
        value = self._emit(name, operands if self.name != "clear" else [], run.value.type)
        run = walk.as_run(self.things[0])
        changed = replace(run, value=value) if self.name in _KEEP_PLACES else run.moved(value)
        walk.put(self.things[0], replace(changed, owned=owned and run.owned))
        return []

    def _shared_items(self, k: int) -> bool:
        """Items of another list are put into a list, too: whether nobody else knows them."""
        return not has_references(self.elem) or self.walk.share_items(self.things[k])

    def _get(self) -> list[Thing]:
        return [self._item("list")]

    def _item(self, of: str) -> Thing:
        walk, source = self.walk, self.things[0]
        run = walk.as_run(source)
        index = walk.pure(self.things[1]) if len(self.things) > 1 else walk.const(-1)
        elem = walk.types.of(self.elem)
        value = walk.make("sequence.get", [run.value, index], elem, {"of": of})
        if of == "pop":
            return value
        if not has_references(self.elem):
            return value
        place = walk.place_now(source) if isinstance(source, Element) else Place(source, (), run)  # type: ignore[arg-type]
        return walk.spread(value, self.elem, place.then(At(index, run.value)))

    def _pop(self) -> list[Thing]:
        walk = self.walk
        value = self._item("pop")
        run = walk.as_run(self.things[0])
        index = walk.pure(self.things[1]) if len(self.things) > 1 else walk.const(-1)
        rest = walk.make("sequence.delete", [run.value, index], run.value.type)
        walk.put(self.things[0], run.moved(rest))
        taken = walk.spread(walk.pure(value), self.elem)
        if not run.owned:
            walk.freeze(walk.reached([taken]))
        return [taken]

    def _made(self, name: str, lists: int, *others: Value) -> list[Thing]:
        """A new list with items of others."""
        walk, type_ = self.walk, self.op.result.type
        assert isinstance(type_, ListType)
        owned = [self._shared_items(k) for k in range(lists)]
        sequences = [self._sequence(k) for k in range(lists)]
        value = sequences[0] if not name else self._emit(name, [*sequences, *others], walk.types.of(type_))
        content = walk.content_of(value, type_)
        assert isinstance(content, Run)
        return [walk.new(type_, replace(content, owned=all(owned) and self.name != "repeat"))]

    def _slice(self) -> list[Thing]:
        return self._made("sequence.slice", 1)

    def _copy(self) -> list[Thing]:
        return self._made("", 1)

    def _concat(self) -> list[Thing]:
        return self._made("sequence.concat", 2)

    def _repeat(self) -> list[Thing]:
        return self._made("sequence.repeat", 1, self.walk.pure(self.things[1]))

    def _sort_by(self) -> list[Thing]:
        walk = self.walk
        order = self._emit("sequence.order", [self._sequence(1)], SequenceType(INT))
        run = walk.as_run(self.things[0])
        walk.put(self.things[0], run.moved(walk.make("sequence.take", [run.value, order], run.value.type)))
        return []

    def _read(self) -> list[Thing]:
        """A number that depends on the items."""
        operands = [self._sequence(), *(self.walk.value(v) for v in self.op.operands[1 : self.op.n_positional])]
        return [self._emit(f"sequence.{self.name}", operands, self.op.result.type)]

    _len = _contains = _index = _count = _to_tensor = _read

    def _stack(self) -> list[Thing]:
        return self._joined("stack")

    def _concat_tensors(self) -> list[Thing]:
        return self._joined("concat")

    def _joined(self, operator: str) -> list[Thing]:
        """The items are tensors, which one operator puts together."""
        content = self.walk.content(self.things[0])
        if not isinstance(content, Listed) or not content.things:
            return self._read()
        items = [self.walk.pure(thing) for thing in content.things]
        try:
            infer_types(OPERATORS[operator], [v.type for v in items], self.op.attrs)
        except Dy2stError:
            return self._read()  # which says so when the Program comes there
        return [self.walk.make(operator, items, self.op.result.type, dict(self.op.attrs))]


def _with_refs(attrs: dict[str, Any], moved: int) -> dict[str, Any]:
    return map_leaves(attrs, lambda leaf: Ref(leaf.index - moved) if isinstance(leaf, Ref) else leaf)


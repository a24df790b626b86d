"""Sets as sequences of different items, in a tuple of their own.

    set.add %s, %a               %0 = sequence.append %s_items, %a
                          ->     %1 = sequence.distinct %0

Their order is Python's own, and unknown here: what asks for it is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Operation, Value
from ...ir.types import BOOL, INT, SequenceType
from .refusals import refuse
from .state import Held
from .things import Thing

if TYPE_CHECKING:
    from .walk import Walk

_ORDER = "the order of a set's items has no counterpart: keep a list, and look with `in` whether it has an item already"
_MISSING = "{} raises where the set lacks the item: write `if x in s: s.discard(x)`, or keep a list"
_REFUSED = {"to_list": _ORDER, "pop": _ORDER, "remove": _MISSING.format("remove")}


def set_operator(walk: Walk, op: Operation) -> list[Thing] | None:
    """What an operator on sets gives."""
    return _SetOperator(walk, op).run()


class _SetOperator:
    def __init__(self, walk: Walk, op: Operation):
        self.walk, self.op = walk, op
        self.name = op.name.partition(".")[2]
        self.things = [walk.thing(v) for v in op.operands]

    def run(self) -> list[Thing]:
        if self.name in _REFUSED:
            raise refuse(self.op, _REFUSED[self.name])
        return getattr(self, f"_{self.name}")()

    # --- parts ---------------------------------------------------------------------------------------------------------

    def _items(self, k: int = 0) -> Value:
        """The items of an operand: a set, or a list."""
        content = self.walk.content(self.things[k])
        return self.walk.pure(content.thing) if isinstance(content, Held) else self.walk.as_run(self.things[k]).value

    def _of(self, things: list[Thing]) -> Value:
        """The sequence of some things."""
        type_ = self.op.results[0].type if self.name == "new" else self.op.operands[0].type
        return self.walk.make("sequence.new", list(map(self.walk.pure, things)), SequenceType(type_.elem))  # type: ignore[attr-defined]

    def _distinct(self, *parts: Value) -> Value:
        items = parts[0] if len(parts) == 1 else self.walk.emit("sequence.concat", parts, {})
        return self.walk.emit("sequence.distinct", [items], {})

    def _among(self, a: Value, b: Value, keep: bool) -> Value:
        return self.walk.emit("sequence.among", [a, b], {"keep": keep})

    def _made(self, items: Value) -> list[Thing]:
        return [self.walk.new(self.op.result.type, Held(items))]

    def _is_now(self, items: Value) -> list[Thing]:
        self.walk.put(self.things[0], Held(items))
        return []

    # --- methods -------------------------------------------------------------------------------------------------------

    def _new(self) -> list[Thing]:
        return self._made(self._distinct(self._of(self.things)))

    def _from_list(self) -> list[Thing]:
        return self._made(self._distinct(self._items()))

    def _copy(self) -> list[Thing]:
        return self._made(self._items())

    def _add(self) -> list[Thing]:
        return self._is_now(self._distinct(self._items(), self._of(self.things[1:])))

    def _update(self) -> list[Thing]:
        return self._is_now(self._distinct(self._items(), self._items(1)))

    def _discard(self) -> list[Thing]:
        return self._is_now(self._among(self._items(), self._of(self.things[1:]), keep=False))

    def _clear(self) -> list[Thing]:
        return self._is_now(self._of([]))

    def _contains(self) -> list[Thing]:
        return [self.walk.make("sequence.contains", [self._items(), self.walk.pure(self.things[1])], BOOL)]

    def _len(self) -> list[Thing]:
        return [self.walk.make("sequence.len", [self._items()], INT)]

    def _union(self) -> list[Thing]:
        return self._made(self._distinct(self._items(), self._items(1)))

    def _intersection(self) -> list[Thing]:
        return self._made(self._among(self._items(), self._items(1), keep=True))

    def _difference(self) -> list[Thing]:
        return self._made(self._among(self._items(), self._items(1), keep=False))

    def _symmetric_difference(self) -> list[Thing]:
        a, b = self._items(), self._items(1)
        return self._made(self.walk.emit("sequence.concat", [self._among(a, b, False), self._among(b, a, False)], {}))

    def _isdisjoint(self) -> list[Thing]:
        common = self._among(self._items(), self._items(1), keep=True)
        return [self.walk.compared("py.eq", self.walk.make("sequence.len", [common], INT), 0)]

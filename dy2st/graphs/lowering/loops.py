"""`while` as Loop.

A sequence that the body only appends to isn't carried: its items leave the Loop as rows of a scan output. That takes an `append`
in each turn, and items of a fixed shape, which is known if there is no turn (in JAX all are), or items that are stacked after the
loop and nothing else: then they must be of one shape, and be there (`stacks.py`). Nor is carried what no turn reads of the one
before, and nobody after the loop: a counter, which the number of the turn gives, and a bool that the condition has asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...ir.core import Operation, Value
from ...ir.types import SequenceType, Type
from . import coercion
from .faults import failure_of
from .leaves import leaves_of
from .loop_conditions import counter, known_bools
from .packed import Packed
from .stacks import check_shapes, is_told_by_size, only_stacked
from .values import Array, GraphValue

if TYPE_CHECKING:
    from .walk import Walk


class While:
    """The lowering of one `while`.

    carried: the positions of the values that the Loop carries. grown: those of sequences that only grow, with the `append` of
    each. stacks: those of sequences of open shapes among them, with the operation that stacks them after the loop.
    """

    def __init__(self, walk: Walk, op: Operation):
        self.walk, self.op, self.g = walk, op, walk.g
        self.cond, self.body = op.blocks
        self.types: list[Type] = [argument.type for argument in self.cond.args]
        uses = Counter(x for block in op.blocks for inner in block.walk() for x in inner.operands)
        self.counter = counter(op)
        self.stacks: dict[int, Operation] = {}
        self.shaped: set[int] = set()  # those of stacks whose rows come with their shapes
        self.grown = {k: step for k in range(len(self.types)) if (step := self._only_append(k, uses)) is not None}
        self.bools = known_bools(self.cond)
        self.walk.skipped.update(self.grown.values(), () if self.counter is None else (self.counter.test,))
        self.asked = [k for k in range(len(self.types)) if k not in self.grown]
        self.carried = [
            k for k in self.asked if op.results[k] in walk.users or (uses[self.body.args[k]] and not self._is_given(k))
        ]
        if self.counter is not None and self.counter.place not in self.carried:
            self.walk.skipped.update(self._counting(uses))
        self.asks_before = self.g.asks_before and self._is_told_by_carried(uses)

    def _counting(self, uses: Counter[Value]) -> list[Operation]:
        """The operation that makes the next number of a counter that isn't carried."""
        assert self.counter is not None
        value = self.body.yielded[self.counter.place]
        return [value.owner] if uses[value] == 1 and isinstance(value.owner, Operation) else []

    def _is_given(self, k: int) -> bool:
        """Whether a turn knows the carried value number k without the one before."""
        return k in self.bools or (self.counter is not None and self.counter.place == k)

    def _is_told_by_carried(self, uses: Counter[Value]) -> bool:
        """Whether what is carried tells if there is a turn, and more than the number of the turn does."""
        known = self.carried if self.counter is None else [*self.carried, self.counter.place]
        is_counted = self.counter is not None and self.counter.is_all
        return not is_counted and all(k in known for k, argument in enumerate(self.cond.args) if uses[argument])

    def _only_append(self, k: int, uses: Counter[Value]) -> Operation | None:
        """The operation that appends to the carried value number k, if nothing else is done with it."""
        type_, argument = self.types[k], self.body.args[k]
        if not isinstance(type_, SequenceType) or uses[argument] != 1 or uses[self.cond.args[k]]:
            return None
        step = next((op for op in self.body.ops if op.name == "sequence.append" and op.operands[0] is argument), None)
        if step is None or self.body.yielded[k] is not step.result or uses[step.result] != 1 or not leaves_of(type_.elem):
            return None
        leaves = leaves_of(type_.elem)
        if all(not x.is_column and isinstance(x.type, Array) and (x.type.is_fixed or self.g.knows_shapes) for x in leaves):
            return step
        stack = only_stacked(self.walk.users, self.op, k, self.counter)
        if stack is not None:
            self.stacks[k] = stack
        return step if stack is not None else None

    def results(self) -> list[Packed]:
        """The values after the loop; of one that isn't carried, no leaves."""
        start = {k: self.walk.packed(self.op.operands[k]).as_type(self.types[k]).leaves for k in self.asked}
        kinds = [leaf.type for k in self.carried for leaf in leaves_of(self.types[k])]
        bound = self.counter
        trips, count = (None, None) if bound is None else (self.g.const(bound.turns), bound.turns if bound.is_all else None)
        first: Any = self._ask if self.asks_before else self._again(start)
        for stack in self.stacks.values():
            self.g.label = self.walk.label_of(self.op, failure_of(stack, self.walk.program.errors))
        found = self.g.loop(trips, first, self._flat(start), kinds, self._turn, count)
        parts = coercion.split(found[: len(kinds)], [self.types[k] for k in self.carried])
        made = {k: Packed(self.g, self.types[k], part) for k, part in zip(self.carried, parts)}
        rows = iter(found[len(kinds) :])
        return [
            self._after(k, rows) if k in self.grown else made.get(k, Packed(self.g, self.types[k], []))
            for k in range(len(self.types))
        ]

    def _ask(self, *carried: GraphValue) -> GraphValue:
        """Whether there is a turn, as far as its number doesn't tell."""
        return self._again(self._split(carried))

    def _split(self, carried: Sequence[GraphValue]) -> dict[int, list[GraphValue]]:
        return dict(zip(self.carried, coercion.split([*carried], [self.types[k] for k in self.carried])))

    def _turn(self, number: GraphValue, *carried: GraphValue) -> tuple:
        parts = self._split(carried)
        known = parts | {k: [leaf] for k in self.asked if (leaf := self._given(k, number)) is not None}
        ends = self.walk.block(self.body, self._by_argument(known))
        values = {k: ends[k].as_type(self.types[k]).leaves for k in self.asked}
        rows = [leaf for k in self.grown for leaf in self._item(k)]
        return self.g.const(True) if self.asks_before else self._again(values), self._flat(values), rows

    def _given(self, k: int, number: GraphValue) -> GraphValue | None:
        """The value number k, where an iteration knows it by its own number, or by having begun."""
        if k in self.bools:
            return self.g.const(self.bools[k])
        if self.counter is None or k != self.counter.place:
            return None
        start, step = self.counter.start, self.counter.step
        grown = number if step == 1 else self.g.Mul(number, step)
        return grown if start == 0 else self.g.Add(grown, start)

    def _again(self, leaves: dict[int, list[GraphValue]]) -> GraphValue:
        """Whether there is another turn, as far as the number of turns doesn't tell."""
        if self.counter is not None:
            self.walk.found[self.counter.test.result] = [self.g.const(True)]
        (answer,) = self.walk.block(self.cond, self._by_argument(leaves))
        return answer.leaves[0].as_tensor()

    def _by_argument(self, leaves: dict[int, list[GraphValue]]) -> list[list[GraphValue]]:
        """The leaves of each argument of a Block; of one that it doesn't read, none."""
        return [leaves.get(k, []) for k in range(len(self.types))]

    def _flat(self, leaves: dict[int, list[GraphValue]]) -> list[GraphValue]:
        """The leaves of all values that are carried."""
        return [leaf for k in self.carried for leaf in leaves[k]]

    def _elem(self, k: int) -> Type:
        type_ = self.types[k]
        assert isinstance(type_, SequenceType)
        return type_.elem

    def _item(self, k: int) -> list[GraphValue]:
        """The leaves of what a turn appends, and its shape where it is to be that of all."""
        leaves = self.walk.packed(self.grown[k].operands[1]).as_type(self._elem(k)).leaves
        shapes = [self.g.Shape(x) for x in leaves if k in self.stacks and not is_told_by_size(x)]
        self.shaped |= {k} if shapes else set()
        return [*leaves, *shapes]

    def _after(self, k: int, rows: Iterator[GraphValue]) -> Packed:
        """A sequence that has grown: what it began with, and the rows."""
        type_ = self.types[k]
        if k in self.stacks:
            column = next(rows)
            if k in self.shaped:
                self.g.loc = self.stacks[k].loc
                check_shapes(self.g, next(rows))
            return Packed(self.g, type_, [column])
        start = self.walk.packed(self.op.operands[k]).as_type(type_)
        grown = [next(rows) for _ in start.leaves]
        is_empty = all(leaf.shape is not None and leaf.shape[0] == 0 for leaf in start.leaves)
        return Packed(self.g, type_, grown if is_empty else coercion.joined(self.g, start.leaves, grown))

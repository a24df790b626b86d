"""`while` as Loop.

A sequence that the body only appends to isn't carried: its items leave the Loop as rows of a scan output. That takes items of a
fixed shape, which is known if there is no turn, and an `append` in each turn.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ...ir.core import Operation, Value
from ...ir.types import SequenceType, Type
from . import coercion
from .counted import turns
from .leaves import leaves_of
from .packed import Packed
from .values import Array, OnnxValue

if TYPE_CHECKING:
    from .walk import Walk


class While:
    """The lowering of one `while`.

    carried: the positions of the values that the Loop carries; grown: those of the others, with the `append` of each.
    """

    def __init__(self, walk: Walk, op: Operation):
        self.walk, self.op, self.g = walk, op, walk.g
        self.cond, self.body = op.blocks
        self.types: list[Type] = [argument.type for argument in self.cond.args]
        uses = Counter(x for block in op.blocks for inner in block.walk() for x in inner.operands)
        self.grown = {k: step for k in range(len(self.types)) if (step := self._only_append(k, uses)) is not None}
        self.carried = [k for k in range(len(self.types)) if k not in self.grown]

    def _only_append(self, k: int, uses: Counter[Value]) -> Operation | None:
        """The operation that appends to the carried value number k, if nothing else is done with it."""
        type_, argument = self.types[k], self.body.args[k]
        if not isinstance(type_, SequenceType) or uses[argument] != 1 or uses[self.cond.args[k]]:
            return None
        if not all(not leaf.is_column and isinstance(leaf.type, Array) and leaf.type.is_fixed for leaf in leaves_of(type_.elem)):
            return None
        step = next((op for op in self.body.ops if op.name == "sequence.append" and op.operands[0] is argument), None)
        given = step is not None and self.body.yielded[k] is step.result and uses[step.result] == 1
        return step if given and leaves_of(type_.elem) else None

    def results(self) -> list[Packed]:
        """The values after the loop."""
        start = self._flat([self.walk.packed(x) for x in self.op.operands])
        kinds = [leaf.type for k in self.carried for leaf in leaves_of(self.types[k])]
        found = self.g.loop(None, self.g.goes_on(self._asked(start)), start, kinds, self._turn, turns(self.op))
        parts = coercion.split(found[: len(kinds)], [self.types[k] for k in self.carried])
        made = {k: Packed(self.g, self.types[k], part) for k, part in zip(self.carried, parts)}
        rows = iter(found[len(kinds) :])
        return [made[k] if k in made else self._after(k, rows) for k in range(len(self.types))]

    def _turn(self, number: OnnxValue, *carried: OnnxValue) -> tuple:
        ends = self.walk.block(self.body, self._by_argument([*carried]), skipped={*self.grown.values()})
        values, rows = self._flat(ends), [leaf for k in self.grown for leaf in self._item(k)]
        return self._asked(values), values, rows

    def _asked(self, leaves: list[OnnxValue]) -> OnnxValue:
        """Whether there is another turn."""
        (answer,) = self.walk.block(self.cond, self._by_argument(leaves))
        return answer.leaves[0].as_tensor()

    def _by_argument(self, leaves: list[OnnxValue]) -> list[list[OnnxValue]]:
        """The leaves of each argument of a Block; of a value that isn't carried, none."""
        parts = iter(coercion.split(leaves, [self.types[k] for k in self.carried]))
        return [[] if k in self.grown else next(parts) for k in range(len(self.types))]

    def _flat(self, values: list[Packed]) -> list[OnnxValue]:
        """The leaves of all values that are carried."""
        return [leaf for k in self.carried for leaf in values[k].as_type(self.types[k]).leaves]

    def _elem(self, k: int) -> Type:
        type_ = self.types[k]
        assert isinstance(type_, SequenceType)
        return type_.elem

    def _item(self, k: int) -> list[OnnxValue]:
        """The leaves of what a turn appends."""
        return self.walk.packed(self.grown[k].operands[1]).as_type(self._elem(k)).leaves

    def _after(self, k: int, rows: Any) -> Packed:
        """A sequence that has grown: what it began with, and the rows."""
        start = self.walk.packed(self.op.operands[k]).as_type(self.types[k])
        grown = [next(rows) for _ in start.leaves]
        is_empty = all(leaf.shape is not None and leaf.shape[0] == 0 for leaf in start.leaves)
        return Packed(self.g, self.types[k], grown if is_empty else coercion.joined(self.g, start.leaves, grown))

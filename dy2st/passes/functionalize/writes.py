"""Which memory of a Program becomes Values: what some operator writes, and what may be that memory."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...ir.alias import Aliases
from ...ir.core import Operation, Program, Value
from ...ir.types import SumType, TensorType, TupleType, Type
from ...ops.registry import OPERATORS


class Writes:
    """written: the groups of memory that become Values.

    lift: whether parameters and state do, too; settled: writes that stay.
    """

    def __init__(self, program: Program, aliases: Aliases, lift: bool, settled: Collection[Operation]):
        self.program, self.aliases, self.lift, self.settled = program, aliases, lift, settled
        self.written = self._written_groups()

    def _written_groups(self) -> set[Any]:
        """The groups of memory that some operator writes in place; without those of parameters and state where they stay."""
        ops = [op for op in self.program.walk() if op not in self.settled]
        found = {self.aliases.group(op.operands[k]) for op in ops for k in written_tensors(op)}
        return {g for g in found if self.lift or not self._lives_on(g)}

    def _lives_on(self, group: Any) -> bool:
        return any(root[0] in ("param", "state") for root in self.aliases.roots.get(group, ()))

    def matters(self, value: Value) -> bool:
        """Whether a Value has tensors whose memory is written somewhere."""
        return bool(self.written) and has_tensors(value.type) and self.aliases.group(value) in self.written

    def stays(self, value: Value) -> bool:
        """Whether views of a Value stay as they are: it lives outside, and nobody asked for it to be lifted in."""
        return not self.lift and self._lives_on(self.aliases.group(value))

    def group(self, value: Value) -> Any:
        """All memory that may be that of the Value is in one group."""
        return self.aliases.group(value)

    def writes(self, op: Operation) -> list[int]:
        """The operands that an operation writes in place and whose memory becomes Values."""
        return [k for k in written_tensors(op) if self.matters(op.operands[k])]


def written_tensors(op: Operation) -> list[int]:
    """Which operands of an operation are tensors that it writes in place."""
    definition = OPERATORS.get(op.name)
    mutates = definition.mutates if definition is not None else ()
    return [k for k in mutates if k < len(op.operands) and isinstance(op.operands[k].type, TensorType)]


def has_tensors(type_: Type) -> bool:
    """Whether a value is a tensor, or a tuple or sum with one in it: not a container, which is shared by reference."""
    if isinstance(type_, TupleType | SumType):
        return any(map(has_tensors, type_.parts()))
    return isinstance(type_, TensorType)

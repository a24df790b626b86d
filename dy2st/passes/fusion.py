"""The base of the two fusions: an operation and the maker of its operand become one, where the later stood."""

from __future__ import annotations

from ..ir.core import Operation, Program, Value
from ..ops.registry import OPERATORS
from .memory import Memory
from .rewriter import Rewriter
from .uses import Uses

_SILENT = ("const", "atom", "param")


class Fuser(Rewriter):
    """A subclass asks `only_maker` in `visit`, and notes the operations that become part of others in `gone`."""

    def __init__(self, program: Program):
        super().__init__()
        self.program, self.memory = program, Memory(program)
        self.gone: set[Operation] = set()
        self._uses: Uses[Value, Operation] = Uses((op, op.operands) for op in program.walk())
        self._effects = 0  # how many operations with an effect the walk has passed
        self._passed_before: dict[Operation, int] = {}

    def run(self, program: Program) -> bool:
        """Fuse, and remove what has become part of others."""
        super().run(program)
        for block in {op.parent for op in self.gone if op.parent is not None}:
            block.ops[:] = [op for op in block.ops if op not in self.gone]
        return self.changed

    def keep(self, op: Operation) -> None:
        super().keep(op)
        definition = OPERATORS.get(op.name)
        if definition is None and op.name not in _SILENT:
            self._effects += 1
        elif definition is not None and (definition.mutates or definition.raises or definition.io or definition.random):
            self._effects += 1
        self._passed_before[op] = self._effects

    def only_maker(self, value: Value, name: str, user: Operation) -> Operation | None:
        """The operation called `name` that gives `value` to `user` alone, where it may as well come right before it."""
        op = value.owner
        if not isinstance(op, Operation) or op.name != name or self._uses.only_user(value) is None:
            return None
        return op if op.parent is user.parent and self._passed_before.get(op) == self._effects else None

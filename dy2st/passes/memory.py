"""What passes ask before two Values become one: is their memory ever written, and could somebody tell them apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ..ir.alias import Aliases, holds_memory
from ..ir.core import Operation, Program, Value
from ..ir.effects import EffectAnalysis
from ..ir.join import is_subtype
from ..ir.types import ScalarType, TensorType, Type
from ..ops.registry import OPERATORS, OpDef

_PLAIN = (TensorType, ScalarType)
_HELD_OUTSIDE = ("outside", "param", "state")
_WRITES = ("cell.set", "state.set", "call")
_KEEPS_OPERANDS = ("return", "call", "raise", "state.set", "cell.new", "cell.set", "py.is")


class Memory:
    """The memory of one Program as it stands when the first question comes; linear in its size.

    writers: the operations that may write memory, those around them included. Where there are none, aliases needn't be known.
    may_write: which operations those are.
    """

    def __init__(self, program: Program, may_write: Callable[[Operation], bool] | None = None):
        self.program = program
        self.writers: set[Operation] = set()
        self._stable: dict[Any, bool] = {}
        for op in program.walk():
            if (may_write or _may_write)(op):
                self._mark_writer(op)

    # --- answers ---

    def is_stable(self, value: Value) -> bool:
        """Whether nothing in the Program ever writes the memory of `value`."""
        if not self.writers or not holds_memory(value.type):
            return True
        group = self.aliases.group(value)
        if group not in self._stable:
            self._stable[group] = self._never_meets_a_write(group)
        return self._stable[group]

    def is_anonymous(self, value: Value) -> bool:
        """Whether nobody can tell this memory from a copy: it is never written, kept, given away or compared by identity."""
        if not holds_memory(value.type):
            return True
        is_tensor = isinstance(value.type, TensorType)
        return is_tensor and self.aliases.group(value) not in self._escaped and self.is_stable(value)

    # --- how ---

    def _never_meets_a_write(self, group: Any) -> bool:
        if group in self._written:
            return False
        roots = self.aliases.roots.get(group, set())
        if self._written_outside and ("outside",) in roots:
            return False
        if ("outside",) in self._written_roots and any(root[0] in _HELD_OUTSIDE for root in roots):
            return False
        return roots.isdisjoint(self._written_roots)

    @cached_property
    def effects(self) -> EffectAnalysis:
        return EffectAnalysis(self.program, OPERATORS)

    @cached_property
    def aliases(self) -> Aliases:
        return self.effects.aliases

    @cached_property
    def _written(self) -> set[Any]:
        """The groups that are written: what a region or a call writes is written by an operation in it."""
        return {group for op in self.writers if not op.blocks for group in self.effects.effects_of(op).writes}

    @cached_property
    def _written_roots(self) -> set[Any]:
        return {root for group in self._written for root in self.aliases.roots.get(group, ())}

    @cached_property
    def _written_outside(self) -> bool:
        return any(root[0] in _HELD_OUTSIDE for root in self._written_roots)

    @cached_property
    def _escaped(self) -> set[Any]:
        """The groups of what is kept, given away or compared: what regions hand on is in one group with it."""
        kept = (v for op in self.program.walk() if _keeps(op) for v in (*op.operands, *op.results))
        return {self.aliases.group(v) for v in kept if holds_memory(v.type)}

    def _mark_writer(self, op: Operation) -> None:
        at: Any = op
        while at is not None and at not in self.writers:
            if isinstance(at, Operation):
                self.writers.add(at)
            at = getattr(at, "parent", None)


def _may_write(op: Operation) -> bool:
    definition = OPERATORS.get(op.name)
    return op.name in _WRITES if definition is None else bool(definition.mutates)


def _keeps(op: Operation) -> bool:
    if op.blocks or op.name in ("yield", "param"):
        return False
    return op.name in _KEEPS_OPERANDS or not all(isinstance(v.type, _PLAIN) for v in (*op.operands, *op.results))


def depends_on_operands_only(op: Operation) -> OpDef | None:
    """The operator of an operation that does nothing but compute from what its operands hold."""
    definition = OPERATORS.get(op.name)
    if definition is None or definition.mutates or definition.random or definition.io or definition.allocates:
        return None
    return definition


def cannot_raise(op: Operation) -> bool:
    """Whether an operator runs to its end on any operands of these types, which inference has accepted.

    Lengths that are open can't contradict each other where there is one tensor and the result has its shape.
    """
    definition = OPERATORS.get(op.name)
    if definition is None or definition.raises or op.n_positional < len(op.operands):
        return False
    shapes = [v.type.shape for v in op.operands if isinstance(v.type, TensorType)]
    dims = [dim for shape in shapes for dim in ((None,) if shape is None else shape)]
    keeps_shape = len(shapes) == 1 and all(isinstance(v.type, TensorType) and v.type.shape == shapes[0] for v in op.results)
    return all(isinstance(dim, (int, str) if keeps_shape else int) for dim in dims)


def may_stand_for(new: Value, old: Type) -> bool:
    """Whether what was checked against the type `old` still holds with `new` in its place."""
    return new.type == old or isinstance(new.type, TensorType) and isinstance(old, TensorType) and is_subtype(new.type, old)

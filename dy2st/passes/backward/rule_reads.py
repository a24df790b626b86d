"""The tensors whose elements a gradient rule reads, found by writing the rule into a Block that is thrown away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import Dy2stError
from ...ir.core import Block, Operation, Value
from ...ir.types import TensorType
from ...ops import dispatch
from ...ops.registry import OPERATORS, OpDef
from ...runtime.tensors.activity import holds_floats
from .emitter import Emitter
from .residuals import is_shape_only
from .reverse import Context

Share = Callable[[Value, Value], bool]


class GradientRule:
    """The gradient rule of an operation.

    An operator that writes in place has the rule of its functional form, which reads a copy of the memory as it was before.
    share: whether two tensors surely lie in one memory.

    memory: each tensor that the rule is given, as an operand or a result, with the Value of the operation whose memory it is.
    """

    def __init__(self, op: Operation, definition: OpDef, is_active: Callable[[Value], bool], share: Share):
        written = OPERATORS[op.name].mutates
        targets = [op.operands[k] for k in written]
        self.op, self.definition = op, definition
        if written:
            types = [v.type for v in targets]
            self.op = Operation(definition.name, op.operands, op.attrs, types, (), op.loc, op.path, op.n_positional)
            self.op.operands[: op.n_positional] = [
                Value(v.type) if any(v is x or share(v, x) for x in targets) else v for v in op.operands[: op.n_positional]
            ]
        given = [v for v in self.op.operands[: op.n_positional] if v in op.operands]
        self.memory = {v: v for v in given if isinstance(v.type, TensorType)}
        self.memory.update(zip(self.op.results, targets if written else op.results))
        self.needs = tuple(map(is_active, op.operands[: op.n_positional]))

    @classmethod
    def of(cls, op: Operation, is_active: Callable[[Value], bool], share: Share) -> GradientRule | None:
        """That of an operation which gradients flow through; None for others."""
        definition = OPERATORS.get(op.name)
        if definition is not None and definition.mutates:
            definition = OPERATORS.get(definition.functional or "")
        if definition is None or definition.grad is None or not any(map(is_active, op.operands)):
            return None
        made = cls(op, definition, is_active, share)
        return made if any(holds_floats(v.type) for v in made.op.results) else None

    def reads(self) -> set[Value]:
        """The Values of the operation whose elements the rule reads; all, where it can't be written."""
        emit, block = Emitter(), Block()
        try:
            with emit.at(block), dispatch.entered(emit):
                self._write(emit)
        except (TypeError, Dy2stError):
            return set(self.memory.values())
        used = {v for made in block.walk() for k, v in enumerate(made.operands) if not is_shape_only(made, k)}
        return {memory for value, memory in self.memory.items() if value in used}

    def _write(self, emit: Emitter) -> None:
        weights = [emit.wrap(Value(v.type)) for v in self.op.results]
        passed: Any = self.definition.grad(Context(emit, self.op, self.needs), *weights)  # type: ignore[misc]
        for need, gradient in zip(self.needs, passed):
            if need and gradient is not None:
                emit.core("yield", [emit.lower(gradient)])

"""A Block walked backwards: each operation takes the adjoints of its results and adds to those of its operands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from ...errors import Dy2stError
from ...ir.core import Block, Operation, Program, Ref, Value, map_leaves
from ...ops import dispatch
from ...ops.registry import OPERATORS
from ...runtime.tensors.activity import Activity, passes_gradients
from .adjoints import Adjoints, Arrival
from .calls import FunctionPair, reverse_call
from .containers import RULES
from .emitter import Emitter
from .hidden import undoes
from .refusal import NotDifferentiableError
from .regions import reverse_if, reverse_while
from .shadows import ByName


class Context:
    """What a gradient rule sees of an operation: see `runtime.tensors.tape.GradContext`."""

    def __init__(self, emit: Emitter, op: Operation, needs: tuple[bool, ...]):
        self.inputs = [emit.wrap(v) for v in op.operands[: op.n_positional]]
        self.outputs = [emit.wrap(v) for v in op.results]
        self.attrs = map_leaves(op.attrs, lambda leaf: emit.wrap(op.operands[leaf.index]) if isinstance(leaf, Ref) else leaf)
        self.needs = needs


class Reverse:
    """Writes the backward of the Blocks of one Function of a Program. asked: the Values whose gradients are wanted."""

    def __init__(self, program: Program, activity: Activity, asked: Collection[Value], emit: Emitter, shadows: ByName):
        self.program, self.activity, self.asked = program, activity, asked
        self.emit, self.shadows = emit, shadows
        self.callees: Mapping[str, FunctionPair] = {}
        self.parameters: Mapping[str, Value] = {}  # of this Function, where the backward of a call may add to them
        self.whether: Value | None = None  # whether what `add` adds arrives; None: surely

    def walk(self, ops: Sequence[Operation], adjoints: Adjoints, arrived: Iterable[tuple[Value, Arrival]]) -> None:
        """Append the backward of operations to the open Block; `arrived` are Values that they hand on, and their gradients."""
        self.shadows.open(ops)
        for value, (gradient, self.whether) in arrived:
            if gradient is not None:
                self.add(adjoints, value, gradient)
        for op in reversed(list(ops)):
            self.emit.loc, self.emit.path = op.loc, op.path
            try:
                self._visit(op, adjoints)
            except (TypeError, Dy2stError) as error:
                if isinstance(error, NotDifferentiableError):
                    raise
                raise NotDifferentiableError(op, f"the gradient of {op.name} isn't known as a Program: {error}") from error

    def from_result(self, block: Block, adjoints: Adjoints, result: Value, gradient: Value) -> None:
        """Append the backward of a Function's body, from the gradient of what it gives."""
        self.shadows.open(block.ops)
        left = self.shadows.enter(result, gradient) if result in self.activity else None
        self.walk(block.ops, adjoints, [(result, Arrival(left))])

    def add(self, adjoints: Adjoints, value: Value, gradient: Value) -> None:
        """A gradient arrives at an operand."""
        if value in self.activity:
            adjoints.add(value, gradient, self.whether)

    def touches(self, op: Operation) -> bool:
        """Whether an operation has to be taken back for what it does to containers that gradients are kept of."""
        inside = (o for b in op.blocks for o in b.walk()) if op.blocks else (op,)
        return any(undoes(o) and self.concerns(o) for o in inside)

    def concerns(self, op: Operation) -> bool:
        """Whether gradients are kept of a container that an operation makes, reads or changes."""
        return self.shadows.concern((*(op.operands if op.name == "call" else op.operands[:1]), *op.results))

    # --- how ---

    def _visit(self, op: Operation, adjoints: Adjoints) -> None:
        if any(v in self.asked for v in op.results) and not self._leads_on(op):
            return None
        if op.name == "if":
            return reverse_if(self, op, adjoints)
        if op.name == "while":
            return reverse_while(self, op, adjoints)
        if op.name == "call":
            return reverse_call(self, op, adjoints)
        arrivals = [adjoints.take(v) for v in op.results]
        arrived = [a.gradient for a in arrivals]
        self.whether = self._of_any([a for a in arrivals if a.gradient is not None], adjoints)
        if op.name in RULES:
            if any(g is not None for g in arrived) or self.concerns(op):
                RULES[op.name](self, adjoints, op, arrived[0] if arrived else None)
        elif any(g is not None for g in arrived):
            self._operator(op, adjoints, arrived)
        return None

    def _leads_on(self, op: Operation) -> bool:
        """Whether gradients flow on from the results of an operation to something else that is asked about."""
        return passes_gradients(op) and any(v in self.activity for o in op.walk() for v in o.operands)

    def _of_any(self, arrivals: list[Arrival], adjoints: Adjoints) -> Value | None:
        """Whether one of several gradients arrives; what comes by way of a list surely does."""
        return reduce(adjoints.either, (a.whether for a in arrivals)) if arrivals else None

    def _operator(self, op: Operation, adjoints: Adjoints, arrived: list[Value | None]) -> None:
        definition = OPERATORS.get(op.name)
        if definition is None or definition.grad is None or definition.mutates:
            raise NotDifferentiableError(op, f"{op.name} has no backward form")
        filled = arrived
        if not definition.grad_of_some:
            filled = [adjoints.zero(v) if g is None else g for g, v in zip(arrived, op.results)]
        needs = tuple(v in self.activity for v in op.operands[: op.n_positional])
        with dispatch.entered(self.emit):
            context = Context(self.emit, op, needs)
            weights = [None if g is None else self.emit.wrap(g) for g in filled]
            passed: Any = definition.grad(context, *weights)
        for value, need, gradient in zip(op.operands, needs, passed):
            if need and gradient is not None:
                self.add(adjoints, value, self.emit.lower(gradient))

"""Which Values a gradient may flow through: those that hold floating point computed from what is asked about."""

from __future__ import annotations

from collections.abc import Iterator

from ...dtypes import has_gradient
from ...ir.alias import Aliases, holds_objects
from ...ir.core import Function, Operation, Program, Value
from ...ir.types import ClassType, TensorType, Type
from ...ops.registry import OPERATORS


def holds_floats(type_: Type) -> bool:
    """Whether values of the type may hold floating-point tensors: what an object holds, its class doesn't tell."""
    if isinstance(type_, TensorType):
        return has_gradient(type_.dtype)
    if isinstance(type_, ClassType) and type_.fields is None:
        return True
    return any(map(holds_floats, type_.parts()))


class Activity:
    """The active Values of one Function; everything that may be one container is active together."""

    def __init__(self, program: Program, function: Function, start: list[Value]):
        self.aliases = Aliases(program, OPERATORS)
        self.values = set(start)
        self.groups = {self.aliases.group(v) for v in start if holds_objects(v.type)}
        before = -1
        while before != (before := len(self.values) + len(self.groups)):
            for op in function.block.walk():
                self._visit(op)

    def __contains__(self, value: Value) -> bool:
        return value in self.values or (holds_objects(value.type) and self.aliases.group(value) in self.groups)

    def _visit(self, op: Operation) -> None:
        self._mark([b for a, b in handed_on(op) if a in self])
        if not op.blocks and any(v in self for v in leading_operands(op)) and passes_gradients(op):
            definition = OPERATORS.get(op.name)
            written = definition.mutates if definition is not None else (0,) if op.name == "cell.set" else ()
            held = [v for v in op.operands if holds_objects(v.type)] if op.name == "call" else []
            self._mark([*op.results, *(x for i in written for x in with_bases(op.operands[i])), *held])

    def _mark(self, values: list[Value]) -> None:
        for value in values:
            if holds_floats(value.type):
                self.values.add(value)
                if holds_objects(value.type):
                    self.groups.add(self.aliases.group(value))


def handed_on(op: Operation) -> Iterator[tuple[Value, Value]]:
    """The Values that a branch or a loop hands on, each with the result or argument of a Block that takes it."""
    for block in op.blocks:
        yield from zip(block.yielded, op.results)
    if op.name == "while":
        condition, body = op.blocks
        for given in (op.operands, body.yielded):
            for taken in (condition.args, body.args, op.results):
                yield from zip(given, taken)


def with_bases(value: Value) -> Iterator[Value]:
    """A Value that is written, and those that it is a view of, which what is written changes, too."""
    yield value
    op = value.owner
    if isinstance(op, Operation) and (definition := OPERATORS.get(op.name)) is not None:
        if definition.view is not None and definition.grad is not None:
            yield from with_bases(op.operands[0])


def leaf_kind(op: object) -> str:
    """Whether an operation gives a leaf that the code lets gradients flow into: "made", "input" (see `ops.views.detach`), or "".

    "open": while staging, one that the complete Program tells.
    """
    return op.attrs.get("leaf", "") if isinstance(op, Operation) and op.name == "detach" else ""


def leaves_of_inputs(function: Function) -> dict[int, Value]:
    """The inputs that each call makes leaves, by number, with the Value of each from there on."""
    args = {arg: number for number, arg in enumerate(function.block.args)}
    return {args[op.operands[0]]: op.result for op in function.block.ops if leaf_kind(op) == "input"}


def leading_operands(op: Operation) -> list[Value]:
    """The operands that the gradients of an operation's results may flow to."""
    definition = OPERATORS.get(op.name)
    operands = op.operands[: op.n_positional]
    if definition is None or not definition.like:
        return operands
    return [v for k, v in enumerate(operands) if k not in definition.like]


def passes_gradients(op: Operation) -> bool:
    """Whether what comes out depends on the operands in a way that gradients know: not through `detach`, `argmax`, `==`."""
    definition = OPERATORS.get(op.name)
    if definition is None or definition.grad is not None or definition.mutates:
        return True
    return "." in op.name and not op.name.startswith("py.") and op.name != "adjoint.zeros"

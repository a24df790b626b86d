"""Backward through calls of Functions that call themselves, which can't be inlined: each has a forward and a backward of its own.

    %y = call %x, function="f"             %0 = call %x, function="f_forward"            the result, and what its backward needs
                                           %y = tuple.get %0, index=0
                                           %k = tuple.get %0, index=1

                               backwards:  %1 = call %k, %gy, function="f_backward"      gradients, and whether they arrive
                                           %gx = tuple.get %1, index=0

What a call keeps holds what the calls in it have kept: it lies in an object, whose type doesn't tell. The gradients are those of
all floating-point arguments, then of the parameters that the Function or one that it calls reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...ir.alias import holds_objects
from ...ir.core import Block, Function, Operation, Program, Value
from ...ir.functions import reached
from ...ir.types import BOOL, ClassType, TupleType
from ...ops.python.adjoints import LEDGER
from ...runtime.tensors.activity import holds_floats
from ..copying import Copy
from . import residuals
from .adjoints import Adjoints, Arrival
from .refusal import NotDifferentiableError
from .shadows import ByIdentity, ByName, flows

if TYPE_CHECKING:
    from .reverse import Reverse

KEPT = ClassType("adjoint.kept", None)


class FunctionPair:
    """One such Function: how its forward and backward are called, and what the backward gives."""

    def __init__(self, program: Program, function: Function, asked: list[str], names: tuple[str, str]):
        self.function, (self.forward, self.backward) = function, names
        self.plain = Copy().function(function)  # for calls that no gradient flows through
        block = function.block
        end = block.ops[-1]
        if end.name != "return":
            raise NotDifferentiableError(end, "a recursive function that always raises has no gradient")
        self.result = end.operands[0].type
        self.numbers = [i for i, v in enumerate(block.args) if flows(v.type)]
        self.parameters = {name: the_param(name, program, block) for name in asked}
        self.targets = [*(block.args[i] for i in self.numbers), *self.parameters.values()]
        self.type = TupleType((*(v.type for v in self.targets), *(BOOL for _ in self.targets)))

    def start(self) -> list[Value]:
        """The Values from which gradients may flow into the Function's result."""
        return [*self.targets, *filter(may_hold, self.function.block.args)]

    def write(self, reverse: Reverse, by_identity: bool) -> tuple[Function, Function]:
        """The forward, and the backward as a Function."""
        block, emit = self.function.block, reverse.emit
        (result,) = block.ops[-1].operands
        back = Block([KEPT, result.type, *([LEDGER] if by_identity else ())])
        kept, gradient = back.args[:2]
        adjoints = Adjoints(emit)
        with emit.at(back):
            reverse.shadows = ByIdentity(emit, reverse.activity, back.args[2]) if by_identity else ByName(emit, reverse.activity)
            reverse.walk(block.ops, adjoints, [(result, Arrival(gradient if flows(result.type) else None))])
            given = [*map(adjoints.complete, self.targets), *map(adjoints.arrives, self.targets)]
            emit.core("return", [emit.op("tuple.new", *given)])
        _hand_over(block, back, kept)
        return Function(self.forward, block), Function(self.backward, back)


def _hand_over(block: Block, back: Block, kept: Value) -> None:
    """Give what the backward needs along with the result, in an object that it starts by opening."""
    needed = residuals.needed_from(block, [back])
    end, names = block.ops[-1], [str(k) for k in range(len(needed))]
    made = Operation("object.new", needed, {"cls": KEPT.name, "fields": names}, [KEPT])
    residuals.before(end, made)
    values = [*end.operands, made.result]
    both = Operation("tuple.new", values, None, [TupleType(tuple(v.type for v in values))])
    end.operands = [residuals.before(end, both).result]
    opened = [Operation("object.get", [kept], {"field": name}, [v.type]) for name, v in zip(names, needed)]
    residuals.replace([back], {v: op.result for v, op in zip(needed, opened)})
    for op in opened:
        op.parent = back
    back.ops[:0] = opened


def may_hold(value: Value) -> bool:
    """Whether a Value may be, or hold, a container of tensors."""
    return holds_objects(value.type) and holds_floats(value.type)


def callees_of(
    program: Program, function: Function, asked: list[str], free_name: Callable[[str], str]
) -> dict[str, FunctionPair]:
    """The Functions that a call may lead to, by name. asked: the names of the parameters whose gradients are wanted."""
    found = {}
    for name in reached(program, function.name):
        read = [p for p in asked if any(_reads(program, other, p) for other in (name, *reached(program, name)))]
        names = free_name(f"{name}_forward"), free_name(f"{name}_backward")
        found[name] = FunctionPair(program, program.functions[name], read, names)
    return found


def _reads(program: Program, function: str, parameter: str) -> bool:
    return any(op.attrs["name"] == parameter for op in params(program.functions[function].block))


def reverse_call(reverse: Reverse, op: Operation, adjoints: Adjoints) -> None:
    """A call of the callee's backward; the call itself becomes one of its forward."""
    callee, emit = reverse.callees[op.attrs["function"]], reverse.emit
    arrival = adjoints.take(op.result) if op.results else Arrival(None)
    if arrival.gradient is None and not reverse.concerns(op):
        return
    if not op.results:  # nobody has asked for it
        op.results.append(Value(callee.result, "", op))
    result = op.result
    targets = [*(op.operands[i] for i in callee.numbers), *(reverse.parameters[name] for name in callee.parameters)]
    gradient = arrival.gradient or (adjoints.zero(result) if flows(result.type) else result)
    more = [reverse.shadows.ledger] if isinstance(reverse.shadows, ByIdentity) else []
    back = emit.core("call", [_kept(op, callee), gradient, *more], [callee.type], {"function": callee.backward}).result
    for k, value in enumerate(targets):
        if value in reverse.activity:
            arrives = emit.op("tuple.get", back, index=len(targets) + k)
            reverse.whether = arrives if arrival.whether is None else emit.op("py.and", arrival.whether, arrives)
            reverse.add(adjoints, value, emit.op("tuple.get", back, index=k))


def _kept(op: Operation, callee: FunctionPair) -> Value:
    """The residuals of a call, once it is one of the forward."""
    both = TupleType((op.result.type, KEPT))
    made = residuals.before(op, Operation("call", op.operands, {"function": callee.forward}, [both], (), op.loc, op.path))
    kept = residuals.before(op, Operation("tuple.get", [made.result], {"index": 1}, [KEPT], (), op.loc, op.path))
    op.name, op.attrs, op.operands, op.n_positional = "tuple.get", {"index": 0}, [made.result], 1
    return kept.result


def params(block: Block) -> list[Operation]:
    """The operations that read parameters, those of inner Blocks included."""
    return [op for op in block.walk() if op.name == "param"]


def the_param(name: str, program: Program, block: Block) -> Value:
    """One `param` at the head of the Function in place of all that read the parameter."""
    made = Operation("param", (), {"name": name}, [program.parameters[name].type])
    residuals.replace([block], {op.result: made.result for op in params(block) if op.attrs["name"] == name})
    made.parent = block
    block.ops.insert(0, made)
    return made.result

"""Where gradients would have to follow memory rather than Values: refused, or rewritten before (`functionalize`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...ir.core import Function, Operation, Value
from ...ir.types import TensorType
from ...ops.registry import OPERATORS, view_of
from ...runtime.tensors.activity import Activity, holds_floats
from .containers import RULES
from .refusal import NotDifferentiableError
from .shadows import is_container

_CORE = ("if", "while", "param", "yield", "return", "undef")  # core operations that the walk backwards knows
_MAKE = ("list.new", "dict.new", "object.new", "cell.new")


def refuse_hidden_flow(operations: Collection[Operation], activity: Activity, calls: bool = False) -> None:
    """NotDifferentiableError where gradients would have to follow memory in a way that no rule knows.

    calls: whether the Functions that are called have a backward of their own.
    """
    for op in operations:
        if op.name == "try" and any(v in activity for block in op.blocks for o in block.walk() for v in o.operands):
            raise NotDifferentiableError(op, "a try has no backward form")
        if op.name == "gradient_hook" and op.operands[0] in activity:
            raise NotDifferentiableError(op, "register_hook has no backward form")
        if op.name == "gradient_check" and any(v in activity for v in op.operands):
            raise NotDifferentiableError(op, f"torch refuses this where a gradient flows: {op.attrs['message']}")
        containers = any(is_container(v.type) and v in activity for v in (*op.operands, *op.results))
        unknown = op.name not in RULES and op.name not in _CORE and not (calls and op.name == "call")
        if unknown and (any(v in activity for v in written(op)) or containers and any(holds_floats(v.type) for v in op.results)):
            what = "a gradient of a gradient through containers" if op.name.startswith("adjoint.") else op.name
            raise NotDifferentiableError(op, f"{what} has no backward form")


def written(op: Operation) -> list[Value]:
    """The operands whose memory an Operation writes, or that it hands on unseen."""
    definition = OPERATORS.get(op.name)
    if definition is not None:
        return [op.operands[i] for i in definition.mutates]
    return op.operands if op.name in ("cell.set", "state.set", "call") else []


def undoes(op: Operation) -> bool:
    """Whether an operation makes or changes a container."""
    return op.name in _MAKE or op.name == "call" or op.name in RULES and bool(written(op))


def writes_tensors(function: Function, activity: Activity) -> bool:
    """Whether tensors that gradients flow through are written in place.

    NotDifferentiableError where such a write goes through `detach`: it leaves the gradients as they were.
    """
    found = False
    for op in function.block.walk():
        if op.name not in OPERATORS or not any(isinstance(v.type, TensorType) for v in written(op)):
            continue
        path = list(bases_of(op.operands[0]))
        if any(v in activity for v in (*op.operands, *path)):
            found = True
            if any(isinstance(v.owner, Operation) and v.owner.name == "detach" for v in path):
                raise NotDifferentiableError(op, f"{op.name} writes a detached tensor into one that gradients flow through")
    return found


def bases_of(value: Value) -> Iterator[Value]:
    """A Value, what it is a view of, what that is a view of, ..."""
    while True:
        yield value
        if not isinstance(value.owner, Operation) or view_of(value.owner.name) is None:
            return
        value = value.owner.operands[0]

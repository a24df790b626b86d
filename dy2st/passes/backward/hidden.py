"""Where gradients would have to follow memory rather than Values: refused, or rewritten before (`functionalize`)."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator

from ...ir.core import Function, Operation, Value
from ...ir.types import TensorType
from ...ops.registry import OPERATORS
from ...runtime.activity import Activity
from .refusal import NotDifferentiableError

LISTS = ("list.new", "adjoint.zeros")  # the operators that make lists
_KEEP = ("cell.set", "state.set", "call")  # core operations that hand on what gradients would have to follow


def refuse_hidden_flow(operations: Collection[Operation], activity: Activity, understood: Container[str]) -> None:
    """NotDifferentiableError where gradients would have to follow memory in a way that no rule knows.

    understood: the operators that write lists and have a rule, for lists that are called by the name they were made under.
    """
    for op in operations:
        changed = written(op)
        if not any(v in activity for v in changed):
            continue
        if op.name not in understood:
            raise NotDifferentiableError(op, f"{op.name} has no backward form")
        if not _is_made_here(changed[0]):
            raise NotDifferentiableError(op, f"{op.name} writes a list that another container, a call or a path gives")
    for op in operations:
        if op.name == "try" and any(v in activity for block in op.blocks for o in block.walk() for v in o.operands):
            raise NotDifferentiableError(op, "a try has no backward form")


def _is_made_here(value: Value) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name in LISTS


def written(op: Operation) -> list[Value]:
    """The operands whose memory an Operation writes, or that it hands on unseen."""
    definition = OPERATORS.get(op.name)
    if definition is not None:
        return [op.operands[i] for i in definition.mutates]
    return op.operands if op.name in _KEEP else []


def writes_tensors(function: Function, activity: Activity) -> bool:
    """Whether tensors that gradients flow through are written in place.

    NotDifferentiableError where such a write goes through `detach`: it leaves the gradients as they were.
    """
    found = False
    for op in function.block.walk():
        if op.name not in OPERATORS or not any(isinstance(v.type, TensorType) for v in written(op)):
            continue
        path = list(_bases(op.operands[0]))
        if any(v in activity for v in (*op.operands, *path)):
            found = True
            if any(isinstance(v.owner, Operation) and v.owner.name == "detach" for v in path):
                raise NotDifferentiableError(op, f"{op.name} writes a detached tensor into one that gradients flow through")
    return found


def _bases(value: Value) -> Iterator[Value]:
    """A Value, what it is a view of, what that is a view of, ..."""
    while True:
        yield value
        definition = OPERATORS.get(value.owner.name) if isinstance(value.owner, Operation) else None
        if definition is None or definition.view_of is None:
            return
        value = value.owner.operands[definition.view_of]  # type: ignore[union-attr]

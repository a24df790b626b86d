"""Objects, dicts whose keys are known while the pass runs, and the variables that inner functions share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Operation
from .refusals import refuse
from .things import Held, Thing

if TYPE_CHECKING:
    from .walk import Walk


def cell_operation(walk: Walk, op: Operation) -> list[Thing]:
    """`cell.new`, `cell.get`, `cell.set`."""
    if op.name == "cell.new":
        first = walk.thing(op.operands[0]) if op.operands else walk.unbound()
        elem = op.result.type.elem  # type: ignore[attr-defined]
        return [walk.new(op.result.type, Held(walk.fitted(first, elem)))]
    cell = walk.thing(op.operands[0])
    elem = cell.type.elem  # type: ignore[union-attr]
    content = walk.content(cell)
    assert isinstance(content, Held)
    if op.name == "cell.get":
        return [walk.fitted(content.thing, op.result.type)]
    walk.put(cell, Held(walk.fitted(walk.thing(op.operands[1]), elem)))
    return []


def object_operator(walk: Walk, op: Operation) -> list[Thing]:
    """Operators on objects."""
    raise refuse(op, "objects aren't taken yet")


def dict_operator(walk: Walk, op: Operation) -> list[Thing]:
    """Operators on dicts."""
    raise refuse(op, "dicts aren't taken yet")


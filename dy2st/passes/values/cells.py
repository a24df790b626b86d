"""Variables that inner functions share: `cell.new`, `cell.get`, `cell.set`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Operation
from ...ir.types import CellType
from .state import Held
from .things import Thing

if TYPE_CHECKING:
    from .walk import Walk


def cell_operation(walk: Walk, op: Operation) -> list[Thing]:
    """What an operation on a cell gives."""
    if op.name == "cell.new":
        assert isinstance(op.result.type, CellType)
        first = walk.thing(op.operands[0]) if op.operands else walk.unbound()
        return [walk.new(op.result.type, Held(walk.fitted(first, op.result.type.elem)))]
    cell = walk.thing(op.operands[0])
    content = walk.content(cell)
    assert isinstance(content, Held) and isinstance(cell.type, CellType)
    if op.name == "cell.get":
        return [walk.fitted(content.thing, op.result.type)]
    walk.put(cell, Held(walk.fitted(walk.thing(op.operands[1]), cell.type.elem)))
    return []

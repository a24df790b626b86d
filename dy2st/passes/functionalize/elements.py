"""Tensors taken out of containers, that are put back where they are written: right where each lies in one place only.

    list.append %l, %y            %y has been computed right here, and goes nowhere else: not shared
    list.append %l, %l_0          shared, as is what a list is copied or extended from
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.alias import holds_memory
from ...ir.core import Operation, Program, Value
from ...ir.types import TensorType
from ...ops.registry import OPERATORS, view_of
from .contents import StorageContents
from .outside import only_returned
from .places import Storage
from .refusals import unclear

if TYPE_CHECKING:
    from .walk import Walk


class Shelf:
    """A group of containers. `writes` counts the writes to tensors in them, `moves` the changes of which tensors they hold.

    shared: whether one tensor may lie in two places of them.
    """

    def __init__(self, shared: bool) -> None:
        self.shared = shared
        self.writes = self.moves = 0
        self.members: set[Storage] = set()

    @property
    def stamp(self) -> tuple[int, int]:
        return self.writes, self.moves


class Element(Storage):
    """A tensor taken out of a container by `op`: what it holds lies there."""

    in_container = True

    def __init__(self, walk: Walk, op: Operation, shelf: Shelf, store: str | None):
        super().__init__(op.result.type, op.result.name or "an element", walk.group(op.result))
        self.walk, self.op, self.shelf, self.store = walk, op, shelf, store
        self.kept = "" if store is not None else f"{op.name} has taken it out of where others may see it"
        self.shelves[shelf] = shelf.writes

    def before_read(self, contents: StorageContents) -> None:
        """Take it out anew where a write may have changed it."""
        if contents.stamps[self][0] == self.shelf.writes:
            return
        if contents.stamps[self][1] != self.shelf.moves:
            raise unclear(contents.at, f"{self.name} may be a tensor that was written in place meanwhile; take it out again")
        operands = [self.walk.read(v) for v in self.op.operands]
        contents.now[self] = contents.emit(self.op.name, operands, self.op.attrs, self.type, self.op.n_positional)
        contents.stamps[self] = self.shelf.stamp
        self.shelves[self.shelf] = self.shelf.writes

    def after_write(self, contents: StorageContents) -> None:
        """Put it back."""
        if self.shelf.shared:
            raise unclear(contents.at, f"{self.name} may lie in several places; put clone()s into lists and variables")
        if contents.stamps[self][1] != self.shelf.moves:
            raise unclear(contents.at, f"{self.name} may lie elsewhere by now; take it out again before it is written")
        for member in self.shelf.members:
            if member.outside is not None:
                raise unclear(contents.at, f"{self.name} may be {member.name}, an input or parameter; put in x.clone()")
        operands = [*(self.walk.read(v) for v in self.op.operands), contents.now[self]]
        assert self.store is not None
        contents.core(self.store, operands, self.op.attrs)
        self.shelf.writes += 1
        contents.stamps[self] = self.shelf.stamp


def shared_groups(program: Program, group: Callable[[Value], Any]) -> set[Any]:
    """The groups of memory in which one tensor may lie in two places of containers."""
    found: set[Any] = set()
    times: Counter[Value] = Counter()
    returned = only_returned(program.entry.block)
    for op in program.walk():
        inside = [v for v in op.operands if holds_memory(v.type)]
        if op.name == "state.get":
            found.update(group(v) for v in op.results if not isinstance(v.type, TensorType))
        if op in returned or not _puts(op):
            continue
        for value in inside[1:] if _changes(op) else inside:
            times[value] += 1
            if times[value] > 1 or not _is_new(value, op):
                found.add(group(value))
    return found


def _puts(op: Operation) -> bool:
    """Whether an operation puts what it is given into a container."""
    definition = OPERATORS.get(op.name)
    if definition is None:
        return op.name in ("cell.new", "cell.set")
    makes = definition.allocates and any(holds_memory(v.type) for v in op.results)
    return makes or _changes(op)


def _changes(op: Operation) -> bool:
    """Whether an operation changes a container, its first operand."""
    definition = OPERATORS.get(op.name)
    mutates = definition.mutates if definition is not None else op.name == "cell.set"
    return bool(mutates) and not isinstance(op.operands[0].type, TensorType)


def _is_new(value: Value, op: Operation) -> bool:
    """Whether an operator has made a tensor, in memory of its own, each time that `op` uses it."""
    maker = value.owner
    if not isinstance(maker, Operation) or maker.parent is not op.parent or not isinstance(value.type, TensorType):
        return False
    return maker.name in OPERATORS and view_of(maker.name) is None and "." not in maker.name

"""Tensors that are written in place and lie in lists, dicts, objects, cells or state.

    list.append %l, %y            %y is kept: a write under its own name is unclear, as %l would show the old contents
    %e = list.get %l, %i
    add_ %e, %x            ->     %n = add %e, %x
                                  list.set %l, %i, %n        and %e is taken out of %l anew where something else may be it

Containers stay what they are, objects shared by reference; their operations aren't touched. All that one container may share with
another (a group of the alias analysis) is one Shelf. A cell, or a place of state, that surely holds a known value is filled anew
when that value is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...ir.alias import holds_memory
from ...ir.core import Block, Operation, Value
from ...ops.registry import OPERATORS
from .elements import Element, Shelf, shared_groups
from .places import Place, Root, Storage

if TYPE_CHECKING:
    from .walk import Walk

_HOLDERS = ("cell.new", "cell.get", "cell.set", "state.get", "state.set")


class Containers:
    """The containers of one Program, and what cells and state are known to hold."""

    def __init__(self, walk: Walk):
        self.walk = walk
        self.shelves: dict[Any, Shelf] = {}
        self.shared = shared_groups(walk.program, walk.group)
        self.held: dict[Any, Place] = {}  # by cell, or name of state
        self.stored: dict[Any, list[Place]] = {}  # all that went into it since that was last known
        walk.contents.listeners.append(self.refill)

    def concerns(self, op: Operation) -> bool:
        """Whether an operation deals with containers of tensors that are written."""
        if op.name in _HOLDERS:
            return any(map(self.walk.matters, (*op.operands, *op.results))) or any(map(self._is_container, op.operands))
        values = (*op.operands, *op.results)
        return any(map(self._is_container, values)) or ("." in op.name and any(v in self.walk.places for v in op.operands))

    def _is_container(self, value: Value) -> bool:
        return holds_memory(value.type) and self.walk.group(value) in self.walk.written and not self.walk.matters(value)

    def shelf(self, value: Value) -> Shelf:
        """The Shelf of a container, or of what is in it."""
        return self._shelf(self.walk.group(value))

    def _shelf(self, group: Any) -> Shelf:
        return self.shelves.setdefault(group, Shelf(group in self.shared))

    def operation(self, op: Operation) -> None:
        """Append an operation on containers; note what goes in and what comes out."""
        if op.name in _HOLDERS:
            self._holder(op)
            return
        definition = OPERATORS.get(op.name)
        if definition is None or definition.mutates or any(self._is_container(v) for v in op.results):
            self._put_in(op)
        self.walk.plain(op)
        for value in op.results:
            if self.walk.matters(value):
                self._take_out(op, definition.store if definition is not None else None)

    def _put_in(self, op: Operation) -> None:
        for value in op.operands:
            if self._is_container(value):
                self.shelf(value).moves += _moves(op)
            elif value in self.walk.places:
                self._keep(self.walk.places[value], self.shelf(value), f"{op.name} has put it into another object")

    def _keep(self, place: Place, shelf: Shelf, why: str) -> None:
        for storage in place.storages():
            storage.kept = storage.kept or why
            storage.shelves[shelf] = shelf.writes
            shelf.members.add(storage)

    def _take_out(self, op: Operation, store: str | None) -> None:
        element = Element(self.walk, op, self.shelf(op.result), store)
        contents = self.walk.contents
        contents.stamps[element] = element.shelf.stamp
        contents.make(element, op.result)
        self.walk.bind(op.result, Root(element))
        given = (s for v in op.operands for s in self.walk.place(v).storages())
        for storage in given:  # a tuple indexed by a number that isn't known
            contents.twin(element, storage)

    # --- cells and state -----------------------------------------------------------------------------------------------

    def _holder(self, op: Operation) -> None:
        key = op.attrs["name"] if op.name.startswith("state") else op.result if op.name == "cell.new" else op.operands[0]
        value = op.operands[-1] if op.operands else None
        if op.name.endswith("get"):
            self._get(op, key)
            return
        self.walk.plain(op)
        if value is not None:
            self._fill(key, value)

    def _fill(self, key: Any, value: Value) -> None:
        """A cell or place of state holds `value` from here on."""
        if value in self.walk.places:
            self.held[key] = self.walk.places[value]
            self.stored.setdefault(key, []).append(self.held[key])
        elif key in self.held:
            del self.held[key]
        if not isinstance(key, str) and self.walk.group(key) in self.walk.written:
            self.shelf(key).moves += 1

    def _get(self, op: Operation, key: Any) -> None:
        if key in self.held:
            self.walk.bind(op.result, self.held[key])
            return
        self.walk.plain(op)
        if not self.walk.matters(op.result):
            return
        if op.name == "state.get":
            self.walk.inputs.append(self.walk.new_storage(op.result, outside=op.result))
        else:
            self._take_out(op, "cell.set")

    def refill(self, storage: Storage) -> None:
        """What a cell or place of state is known to hold has been written: store it there."""
        contents = self.walk.contents
        for key, place in self.held.items():
            if storage in place.storages():
                value = contents.read(place)
                if isinstance(key, str):
                    contents.core("state.set", [value], {"name": key})
                else:
                    contents.core("cell.set", [key, value])

    def marks(self) -> dict[Shelf, tuple[int, int]]:
        """How often each Shelf has been written and changed by now."""
        return {shelf: shelf.stamp for shelf in self.shelves.values()}

    @contextmanager
    def back_at(self, marks: dict[Shelf, tuple[int, int]]) -> Iterator[None]:
        """Things are as they were at `marks`, for the end of a Block to which the walk comes back."""
        now = self.marks()
        _set(marks)
        try:
            yield
        finally:
            _set(now)

    # --- control flow --------------------------------------------------------------------------------------------------

    def forget(self, blocks: list[Block]) -> None:
        """What these Blocks store may have been stored or not: it isn't known what those cells and places of state hold."""
        for op in (o for block in blocks for o in block.walk()):
            if op.name not in ("cell.set", "state.set"):
                continue
            key = op.attrs["name"] if op.name == "state.set" else op.operands[0]
            self.held.pop(key, None)
            for storage in (s for place in self.stored.pop(key, ()) for s in place.storages()):
                shelf = self._shelf(storage.group)
                self._keep(Root(storage), shelf, "it went into a variable whose value depends on the path")

    def enter_loop(self, blocks: list[Block]) -> None:
        """The Blocks of a loop may have run before: what they do to containers may have been done."""
        self.forget(blocks)
        walk = self.walk
        ops = [op for block in blocks for op in block.walk()]
        moved = {walk.group(v) for op in ops if _moves(op) for v in op.operands if self._is_container(v)}
        written = {walk.group(op.operands[k]) for op in ops for k in walk.writes(op) if self._may_be_element(op.operands[k])}
        for group in moved | written:
            shelf = self._shelf(group)
            shelf.moves += group in moved
            shelf.writes += group in written
        for storage in walk.contents.now:
            if storage.group in moved & written and not storage.in_container:
                storage.shelves[self.shelves[storage.group]] = -1

    def _may_be_element(self, value: Value) -> bool:
        """Whether a tensor may lie in a container: not one that an operator has just made."""
        op = value.owner
        definition = OPERATORS.get(op.name) if isinstance(op, Operation) else None
        if definition is None or not isinstance(op, Operation):
            return self.walk.matters(value)
        if definition.view is not None:
            return self._may_be_element(op.operands[0])
        return "." in op.name


def _set(marks: dict[Shelf, tuple[int, int]]) -> None:
    for shelf, stamp in marks.items():
        shelf.writes, shelf.moves = stamp


def _moves(op: Operation) -> bool:
    definition = OPERATORS.get(op.name)
    return op.name == "cell.set" or definition is not None and bool(definition.mutates)

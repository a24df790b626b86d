"""Where a Function begins and ends: memory that it is given, and what it gives back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...ir.alias import Aliases
from ...ir.core import Block, Operation, Program, Value
from ...ops.registry import OPERATORS
from .places import Bundle, Place, Storage

if TYPE_CHECKING:
    from .walk import Walk


def lift_parameters(walk: Walk) -> None:
    """Parameters that are written are asked for once, at the start."""
    for op in walk.asked:
        name = op.attrs["name"]
        if name in walk.parameters:
            continue
        lifted = walk.contents.append(Operation("param", (), dict(op.attrs), [op.result.type], (), op.loc, op.path))
        lifted.result.name = op.result.name
        storage = Storage(op.result.type, name, walk.group(op.result), lifted.result, walk.layout.is_row_major(op.result))
        walk.contents.make(storage, lifted.result)
        walk.parameters[name] = storage
        walk.inputs.append(storage)


def write_back(walk: Walk) -> None:
    """Each input, parameter and piece of state that was written gets what it holds in the end, once."""
    contents = walk.contents
    for storage in walk.inputs:
        if storage in contents.now and contents.now[storage] is not storage.outside:
            assert storage.outside is not None
            contents.core("copy_", [storage.outside, contents.now[storage]])
            if not walk.copies:
                contents.now[storage] = storage.outside


def keep_sharing(walk: Walk, op: Operation) -> None:
    """What is given back together, and lay in one memory, does so still: views are taken of what that holds in the end."""
    counts = Counter(storage for value in op.operands for place in _leaves(walk.place(value)) for storage in place.storages())
    for storage, count in counts.items():
        if count > 1:
            walk.contents.take_anew(storage)


def _leaves(place: Place) -> Iterator[Place]:
    """The Places of the tensors in what is given back."""
    if isinstance(place, Bundle):
        for part in place.parts:
            yield from _leaves(part)
    else:
        yield place


def only_returned(block: Block) -> set[Operation]:
    """The tuples, lists, dicts and objects that are made to be returned, and for nothing else."""
    users: dict[Value, list[Operation]] = {}
    for op in block.walk():
        for value in op.operands:
            users.setdefault(value, []).append(op)
    found: set[Operation] = set()
    for op in reversed(block.ops):
        definition = OPERATORS.get(op.name)
        makes = definition is not None and definition.allocates and not definition.reads and not definition.mutates
        if len(op.results) == 1 and (makes or op.name == "tuple.new"):
            if all(user.name == "return" or user in found for user in users.get(op.result, [])):
                found.add(op)
    return found


def aliases_of(program: Program) -> Aliases:
    """Which Values may share memory while the Program runs, whatever it gives back together."""
    block = program.entry.block
    returned = only_returned(block)
    ops, block.ops = block.ops, [op for op in block.ops if op not in returned]
    try:
        return Aliases(program, OPERATORS)
    finally:
        block.ops = ops

"""The operations between two checkpoints run again in the backward, for which their results aren't kept.

    %a = checkpoint %x, at="start"           backwards:     %c = checkpoint %x, at="again"
    %b = tanh %a                                            %d = tanh %c
    %y = checkpoint %b, at="end"                            ... reads %d in place of %b

The operations of a Block between the two are cloned before the first operation of the backward that reads one of their results.
Kept all the same is the result of an operation that draws random numbers, that reads memory which is written somewhere, or that
fills a container other than a list of its own; what is computed from it is computed again.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ...ir.core import Block, Operation, Program, Value
from ...ir.types import ListType, TensorType
from ...ops.registry import OPERATORS
from ..copying import Copy
from ..memory import Memory
from .hidden import written
from .residuals import replace

_CORE = ("if", "while", "yield", "const", "atom", "undef", "unbound", "raise", "sum.make", "sum.tag", "sum.get")


def compute_again(program: Program, home: Block, back: Block) -> None:
    """Let `back`, the backward of the Block `home`, compute what it needs of the operations between checkpoints."""
    regions = list(_regions(home))
    if regions:
        memory, tensors = Memory(program), Memory(program, _writes_tensors)
        for region in regions:
            _Region(region, memory, tensors).clone_into(back)
            _forget_unread(region, home, back)


def _regions(block: Block) -> Iterator[list[Operation]]:
    """The operations of a Block from each first checkpoint to the last one of the same depth."""
    region: list[Operation] = []
    is_ended = False
    for op in block.ops:
        at, depth = (op.attrs["at"], op.attrs["depth"]) if op.name == "checkpoint" else ("", 0)
        if region and is_ended and at != "end":
            yield region
            region, is_ended = [], False
        if region and at == "end" and depth == region[0].attrs["depth"]:
            is_ended = True
        elif region or at == "start":
            region.append(op)
    if is_ended:
        yield region


def _writes_tensors(op: Operation) -> bool:
    return op.name == "call" or any(isinstance(v.type, TensorType) for v in written(op))


class _Region:
    """again: the operations that may run again; made: the Values that they give, those of the Blocks in them included.

    memory: that of the Program; tensors: the same without writes to containers, which leave the tensors in them as they are.
    """

    def __init__(self, ops: list[Operation], memory: Memory, tensors: Memory):
        self._memory, self._tensors = memory, tensors
        self._lists = _own_lists(ops, memory.program)
        before = None
        while before != self._lists:  # a list that is filled by an operation which doesn't run again is kept
            before = set(self._lists)
            self.again, self.made = self._split(ops)
            self._lists -= {v for op in ops if op not in self.again for o in op.walk() for v in written(o)}

    def _split(self, ops: list[Operation]) -> tuple[list[Operation], set[Value]]:
        again: list[Operation] = []
        made: set[Value] = set()
        for op in ops:
            values = {v for o in op.walk() for v in (*o.results, *(a for b in o.blocks for a in b.args))}
            if all(self._may_run_again(o, values | made) for o in op.walk()):
                again.append(op)
                made |= values
        return again, made

    def _may_run_again(self, op: Operation, own: set[Value]) -> bool:
        """own: the Values that are computed again with it."""
        definition = OPERATORS.get(op.name)
        if op.name not in _CORE and (definition is None or definition.random or definition.io):
            return False
        if definition is not None and (definition.allocates or definition.mutates):
            return all(v in self._lists for v in (op.results if definition.allocates else written(op)))
        return all(v in own or self._is_stable(v) for v in op.operands)

    def _is_stable(self, value: Value) -> bool:
        """Whether nothing writes the memory; what is written into a list leaves the tensors in it as they are."""
        return (self._tensors if isinstance(value.type, TensorType) else self._memory).is_stable(value)

    def clone_into(self, back: Block) -> None:
        """Put copies before the first operation of `back` that reads what is computed again."""
        first, read = self._first_reader(back)
        needed = self._needed(read)
        copy = Copy()
        for k, op in enumerate(needed):
            made = copy.operation(op)
            if made.name == "checkpoint" and made.attrs["at"] == "start":
                made.attrs["at"] = "again"  # so that no pass takes it for the one that has run
            made.parent = back
            back.ops.insert(first + k, made)
        replace([back], {v: copy.values[v] for v in read & copy.values.keys()})

    def _first_reader(self, back: Block) -> tuple[int, set[Value]]:
        """Where it stands, and all Values that are read."""
        read: set[Value] = set()
        first = len(back.ops)
        for k, op in enumerate(back.ops):
            found = {v for o in op.walk() for v in o.operands if v in self.made}
            first, read = min(first, k) if found else first, read | found
        return first, read

    def _needed(self, read: set[Value]) -> list[Operation]:
        """The operations that compute these Values, or fill the containers that they are, in order."""
        needed, found = set(read), []
        for op in reversed(self.again):
            inside = list(op.walk())
            if any(v in needed for v in op.results) or any(v in needed for o in inside for v in written(o)):
                needed.update(v for o in inside for v in o.operands)
                found.append(op)
        return found[::-1]


def _own_lists(ops: list[Operation], program: Program) -> set[Value]:
    """The lists that operations make, fill and read, and that nothing else has."""
    inside = {o for op in ops for o in op.walk()}
    lists = {op.result for op in inside if op.name == "list.new"}
    for op in program.walk():
        is_use = op in inside and op.name.startswith("list.") and not any(isinstance(v.type, ListType) for v in op.results)
        lists -= set(op.operands[1:] if is_use else op.operands)
    return lists


def _forget_unread(region: list[Operation], home: Block, back: Block) -> None:
    """Take out the lists in which turns were kept, which nothing reads any more."""
    lists = {op.result for op in region if op.name == "list.new" and not op.operands}
    for op in chain(home.walk(), back.walk()):
        lists -= set(op.operands if op.name != "list.append" else op.operands[1:])
    for block in {home, *(b for op in region for o in op.walk() for b in o.blocks)}:
        block.ops[:] = [op for op in block.ops if not lists & {*op.operands[:1], *op.results}]

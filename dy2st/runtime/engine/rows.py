"""A list that a loop fills and that is only stacked is an array from the start: its items are computed into its rows.

    v1 = []                            v1 = np.empty((len(range(v0, v2)), 8, 64), 'float32')
    for v0 in range(v0, v2):           v3 = iter(v1)
        v4 = np.multiply(v5, v6)   ->  for v0 in range(v0, v2):
        v1.append(v4)                      v4 = np.multiply(v5, v6, out=next(v3))
    v7 = np.stack(v1)                  v7 = v1

An item may also be carried to the next turn. It then shares memory with the result, so all that reads it must give memory of its
own, and nothing may write the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...ir.core import Function, Operation, Value
from ...ir.types import TensorType
from ...ops.registry import OPERATORS, lookup
from .aliases import TensorAliases
from .counting import counted
from .liveness import Liveness
from .regions import MAX_NESTING
from .unboxed import constant
from .writer import PLAIN, Writer


class Rows:
    """One such list.

    new, append, stack: the Operations that make it, add to it and read it; loop: the `while`; item: the Operation that computes
    what is appended; first: the position of the list's first item in the result.
    """

    def __init__(self, new: Operation, append: Operation, stack: Operation, gets: list[Operation]):
        self.new, self.append, self.stack, self.gets = new, append, stack, gets
        self.loop: Operation = append.parent.parent  # type: ignore[union-attr,assignment]
        self.item: Operation = append.operands[1].owner  # type: ignore[assignment]
        self.first = stack.operands.index(gets[0].result) if gets else 0
        self.array = self.each = ""  # the variables of the array and of the iterator over its rows
        self.is_active = self._computed = False

    @property
    def steps(self) -> Iterable[Operation]:
        """The Operations that are written otherwise than in a list's way."""
        return (self.new, self.append, self.item, self.stack, *self.gets)

    def begin(self, writer: Writer, times: str) -> None:
        """The array, before the loop, which runs as often as the expression `times` says."""
        type_ = writer.type(self.append.operands[1])
        assert isinstance(type_, TensorType) and type_.shape is not None
        length = str(len(self.stack.operands)) if self.gets else times
        self.array, self.each = writer.locals.take(), writer.locals.take()
        shape = ", ".join([length, *map(str, type_.shape)])
        writer.line(f"{self.array} = np.empty(({shape}), {type_.dtype!r})")
        writer.line(f"{self.each} = iter({self.array}{f'[{self.first}:]' if self.first else ''})")

    def end(self, writer: Writer) -> None:
        """After the loop."""
        writer.line(f"{self.each} = None")
        writer.locals.release(self.each)

    def row(self) -> str:
        """Where the item that is computed now goes."""
        self._computed = True
        return f"next({self.each})"

    def emit(self, writer: Writer, op: Operation) -> bool:
        """Write one of the steps; False where it is written as ever."""
        if op is self.new:
            self.is_active = writer.nesting < MAX_NESTING  # the loop of a deeper nest is a function of its own
        if not self.is_active or op is self.item:
            return False
        if op is self.append and not self._computed:
            writer.line(f"next({self.each})[...] = {writer.boxed(op.operands[1])}")
        if op is self.stack:
            self._stacked(writer)
        return True

    def _stacked(self, writer: Writer) -> None:
        if self.gets:
            for position, value in enumerate(self.stack.operands):
                if not self.first <= position < self.first + len(self.gets):
                    writer.line(f"{self.array}[{position}] = {writer.boxed(value)}")
            writer.alias(self.stack.result, self.array)
        else:
            kernel = writer.module.kernel(lookup(self.stack.name))
            writer.define(self.stack.result, f"{self.array} if len({self.array}) else {kernel}([])")
        writer.locals.release(self.array)


def stacked_lists(function: Function, liveness: Liveness, aliases: TensorAliases) -> list[Rows]:
    """The lists of a Function that can be written so."""
    made = [op for op in function.block.walk() if op.name == "list.new" and not op.operands]
    if not made:
        return []
    uses: dict[Value, list[Operation]] = {}
    for op in function.block.walk():
        for value in op.operands:
            uses.setdefault(value, []).append(op)
    found = (_rows(new, uses) for new in made)
    return [rows for rows in found if rows is not None and _is_safe(rows, uses, liveness, aliases)]


def _rows(new: Operation, uses: dict[Value, list[Operation]]) -> Rows | None:
    """What a list is used for, where that is one `append` in a loop and one `stack` behind it."""
    append, *reads = uses.get(new.result) or [new]
    if append.name != "list.append" or append.operands[0] is not new.result or not reads:
        return None
    item, loop = append.operands[1].owner, append.parent.parent  # type: ignore[union-attr]
    if not isinstance(item, Operation) or item.parent is not append.parent:
        return None
    if not isinstance(loop, Operation) or loop.name != "while" or loop.parent is not new.parent:
        return None
    if append.parent is not loop.blocks[1]:
        return None
    if reads[0].name == "list.stack":
        is_whole = len(reads) == 1 and reads[0].attrs.get("axis", 0) == 0 and reads[0].parent is new.parent
        return Rows(new, append, reads[0], []) if is_whole and reads[0].n_positional == 1 else None
    stack = _stack_of(reads, uses)
    return Rows(new, append, stack, reads) if stack is not None and stack.parent is new.parent else None


def _stack_of(gets: list[Operation], uses: dict[Value, list[Operation]]) -> Operation | None:
    """The `stack` that reads the items one by one, in their order, where nothing else does."""
    if any(get.name != "list.get" or constant(get.operands[1]) != k for k, get in enumerate(gets)):
        return None
    readers = [reader for get in gets for reader in uses.get(get.result, [])]
    stack = readers[0] if readers else None
    if stack is None or len(readers) != len(gets) or any(reader is not stack for reader in readers):
        return None
    if stack.name != "stack" or stack.attrs.get("axis", 0) != 0 or stack.n_positional != len(stack.operands):
        return None
    first = stack.operands.index(gets[0].result)
    is_run = stack.operands[first : first + len(gets)] == [get.result for get in gets]
    same = all(value.type == gets[0].result.type for value in stack.operands)
    return stack if is_run and same else None


def _is_safe(rows: Rows, uses: dict[Value, list[Operation]], liveness: Liveness, aliases: TensorAliases) -> bool:
    value, definition = rows.append.operands[1], OPERATORS.get(rows.item.name)
    type_ = value.type
    if definition is None or not definition.out or aliases.mutated(rows.stack.result) or len(rows.item.results) != 1:
        return False
    if not isinstance(type_, TensorType) or not type_.shape or not all(isinstance(dim, int) for dim in type_.shape):
        return False
    order = [op for op in rows.new.parent.ops if op in (rows.new, rows.loop, *rows.gets, rows.stack)]  # type: ignore[union-attr]
    if order != [rows.new, rows.loop, *rows.gets, rows.stack]:
        return False
    count = counted(rows.loop, liveness)
    if count is None or any(op.name in ("raise", "call") for op in rows.loop.walk()):
        return False  # an early end by an error needn't have memory for all turns
    if rows.gets:
        start, bound = constant(rows.loop.operands[count.number]), constant(count.bound)
        if start is None or bound is None or bound - start != len(rows.gets):
            return False
    return all(_reads_only(op, rows) for holder in _holders(value, rows.loop) for op in uses.get(holder, []))


def _holders(value: Value, loop: Operation) -> Iterator[Value]:
    """The Values that `value` is in some turn of the loop, or after it."""
    condition, body = loop.blocks
    end = body.terminator
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        yield current
        for k, given in enumerate(end.operands):  # type: ignore[union-attr]
            if given is current:
                new = {condition.args[k], body.args[k], loop.results[k]} - seen
                seen |= new
                pending.extend(new)


def _reads_only(op: Operation, rows: Rows) -> bool:
    """Whether `op` leaves nothing behind that shares memory with its operands, beside the list and what the loop carries."""
    if op is rows.append or (op.name == "yield" and op.parent is rows.loop.blocks[1]):
        return True
    definition = OPERATORS.get(op.name)
    if definition is None or not definition.pure or definition.view is not None or definition.mutates:
        return False
    return all(isinstance(v.type, PLAIN) for v in (*op.operands, *op.results))

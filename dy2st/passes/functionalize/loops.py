"""Loops whose Blocks write memory: what each Storage holds is carried from turn to turn.

    %i = while %0 : int                        %i, %b_end = while %0, %b_now : int, float32[3]
      cond(%1: int): ...                         cond(%1: int, %b_1: float32[3]): ...
      body(%2: int):                    ->       body(%2: int, %b_2: float32[3]):
        add_ %b, %x                                %4 = add %b_2, %x
        yield %3                                   yield %3, %4

1. Storages from outside that the loop writes are carried; those that it turns out not to write are not.
2. A carried tensor that is the same in each turn is that place.
3. Any other carried tensor has a Storage of its own, which takes over the contents from turn to turn. Somebody else may still
   know the memory that it starts as. Then a flag is carried that says whether there has been a turn: a Choice.
4. Where the memory that a turn hands over has another name still, a write to either is unclear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Block, Operation, Value
from ...ir.types import BOOL, Type
from .arms import written_groups
from .carried import CarriedMemory, leaf_types, leaves_of
from .places import Storage
from .refusals import unclear

if TYPE_CHECKING:
    from .walk import Walk


def rewrite_loop(walk: Walk, op: Operation) -> None:
    """Rewrite a `while`."""
    _Loop(walk, op).rewrite()


class _Loop:
    def __init__(self, walk: Walk, op: Operation):
        self.walk, self.contents, self.op = walk, walk.contents, op
        self.cond, self.body = op.blocks
        self.outer = set(walk.contents.now)
        self.plain: list[int] = []  # carried values that are no memory that is written
        self.carried: list[CarriedMemory] = []  # case 3
        self.given: list[Storage] = []  # case 1

    def rewrite(self) -> None:
        walk, contents, op = self.walk, self.contents, self.op
        before = contents.written, contents.used
        self._sort_carried()
        groups = written_groups(walk, op.blocks)
        self.given = [s for s in contents.now if s.group in groups and not s.kept and not s.in_container]
        starts = self._starts()
        contents.written, contents.used = set(), set()
        walk.containers.enter_loop(op.blocks)
        self._condition()
        ends = self._turn()
        self._refuse_mixed()
        self._build(starts, ends)
        contents.written |= before[0]
        contents.used |= before[1]

    @property
    def storages(self) -> list[Storage]:
        """All Storages that are carried, in order."""
        return [*(s for c in self.carried for s in c.storages), *self.given]

    @property
    def flagged(self) -> list[CarriedMemory]:
        """Those that need a flag."""
        return [c for c in self.carried if c.is_known]

    # --- what is carried -----------------------------------------------------------------------------------------------

    def _sort_carried(self) -> None:
        end = self.body.ops[-1]
        taken: set[Storage] = set()
        for k, value in enumerate(self.op.operands):
            arg = self.body.args[k]
            if value not in self.walk.places and not self.walk.matters(arg):
                self.plain.append(k)
                continue
            start = self.walk.place(value)
            if end.name == "yield" and end.operands[k] is arg:  # case 2
                for v in (self.cond.args[k], arg, self.op.results[k]):
                    self.walk.bind(v, start)
                continue
            sources = set(start.storages())
            is_known = any(map(self._is_known, sources)) or bool(sources & taken)
            taken |= sources
            row_major = self.walk.layout.is_row_major(arg)
            storages = [Storage(t, arg.name, self.walk.group(arg), None, row_major) for t in leaf_types(arg.type)]
            self.carried.append(CarriedMemory(k, arg.type, start, storages, is_known))

    def _is_known(self, source: Storage) -> bool:
        """Whether somebody else may still look at a Storage once the loop has started."""
        held = source.outside is not None or source.kept or source.in_container or self.contents.twins.get(source)
        return bool(held) or not self.walk.is_dead(source, self.op)

    def _starts(self) -> list[Value]:
        walk, contents = self.walk, self.contents
        values = [walk.read(self.op.operands[k]) for k in self.plain]
        for carried in self.carried:
            values += [contents.read(leaf) for leaf in leaves_of(carried.start, carried.type)]
        values += [contents.now[s] for s in self.given]
        if self.flagged:
            values += [self._const(False)] * len(self.flagged)
        return values

    def _const(self, value: bool) -> Value:
        op = self.op
        return self.contents.append(Operation("const", (), {"value": value}, [BOOL], loc=op.loc, path=op.path)).result

    # --- the Blocks ----------------------------------------------------------------------------------------------------

    def _enter(self, block: Block) -> None:
        """The Block's arguments are what is carried."""
        old = block.args
        block.args = [old[k] for k in self.plain]
        for storage in self.storages:
            self.contents.now[storage] = self._argument(block, storage.type, storage.name)
        flags = {c: self._argument(block, BOOL, "") for c in self.flagged}
        for carried in self.carried:
            self.walk.bind(old[carried.number], carried.place(flags.get(carried)))

    @staticmethod
    def _argument(block: Block, type_: Type, name: str) -> Value:
        value = Value(type_, name if name.isidentifier() else "", block)
        block.args.append(value)
        return value

    def _condition(self) -> None:
        contents = self.contents
        with contents.inside(self.cond):
            self._enter(self.cond)
            contents.at = end = self.walk.block(self.cond)
            self.walk.plain(end)
        if contents.written:
            raise unclear(end, "a loop's condition writes a tensor in place; write it before the loop and at the end of its body")

    def _turn(self) -> list[Value]:
        """The Values that the next turn starts from; none where no turn comes to its end."""
        contents, walk = self.contents, self.walk
        with contents.inside(self.body):
            self._enter(self.body)
            contents.at = end = walk.block(self.body)
            if end.name != "yield":
                walk.plain(end)
                return []
            ends = [walk.read(end.operands[k]) for k in self.plain]
            ends += self._handed_over(end)
            ends += [contents.now[s] for s in self.given]
            if self.flagged:
                ends += [self._const(True)] * len(self.flagged)
            contents.append(Operation("yield", ends, loc=end.loc, path=end.path))
        walk.containers.forget([self.body])
        return ends

    def _handed_over(self, end: Operation) -> list[Value]:
        """What the Storages hold in the next turn; case 4."""
        found: list[Value] = []
        taken: dict[Storage, Storage] = {}
        for carried in self.carried:
            leaves = leaves_of(self.walk.place(end.operands[carried.number]), carried.type)
            for storage, leaf in zip(carried.storages, leaves):
                found.append(self.contents.read(leaf))
                for source in dict.fromkeys(leaf.storages()):
                    if source in self.outer:
                        self.contents.twin(storage, source)
                    if source in taken:
                        self.contents.twin(storage, taken[source])
                    taken[source] = storage
                    if source is not storage:
                        self.contents.succeed(storage, source)
        return found

    def _refuse_mixed(self) -> None:
        """What a turn's end has told about the Storages may contradict what the turn, coming again, does to them."""
        contents = self.contents
        for storage in (s for c in self.carried for s in c.storages):
            name = storage.name or "a tensor"
            twins = contents.twins.get(storage, set())
            if storage in contents.written and (twins or storage.kept) or storage in contents.used and twins & contents.written:
                raise unclear(
                    self.op,
                    f"{name}, which a loop carries on, is written in place while another name may stand for its memory; carry "
                    f"`{name}.clone()` on",
                )
            if storage in contents.used and any(shelf.writes != seen for shelf, seen in storage.shelves.items()):
                raise unclear(self.op, f"{name}, which a loop carries on, may be written in a list; put a clone() into that")

    # --- the operation -------------------------------------------------------------------------------------------------

    def _build(self, starts: list[Value], ends: list[Value]) -> None:
        op, walk = self.op, self.walk
        same = self._unchanged(starts, ends)
        kept = [k for k in range(len(starts)) if k not in same]
        types = [arg.type for arg in self.body.args]
        for block in op.blocks:
            _substitute(block, {block.args[k]: starts[k] for k in same})
            block.args = [block.args[k] for k in kept]
        if ends:
            end = self.body.ops.pop()
            self.body.append(Operation("yield", [end.operands[k] for k in kept], loc=end.loc, path=end.path))
        made = Operation("while", [starts[k] for k in kept], op.attrs, [types[k] for k in kept], op.blocks, op.loc, op.path)
        results = dict(zip(kept, made.results))
        for at, k in enumerate(self.plain):
            results[at] = op.results[k]
            op.results[k].owner = made
        made.results = [results[k] for k in kept]
        first = len(self.plain)
        for at, storage in enumerate(self.storages, first):
            if at in results:
                results[at].name = storage.name if storage.name.isidentifier() else ""
                self.contents.now[storage] = results[at]
        flags = dict(zip(self.flagged, list(results.values())[len(results) - len(self.flagged) :]))
        for carried in self.carried:
            walk.bind(op.results[carried.number], carried.place(flags.get(carried)))
        self.contents.append(made)

    def _unchanged(self, starts: list[Value], ends: list[Value]) -> set[int]:
        """Which of the Storages from outside (case 1) the loop doesn't write."""
        first = len(self.plain) + sum(len(c.storages) for c in self.carried)
        return {k for k in range(first, first + len(self.given)) if not ends or ends[k] is self.body.args[k]}


def _substitute(block: Block, values: dict[Value, Value]) -> None:
    """Other Values in place of some, in a Block and those in it."""
    if values:
        for op in block.walk():
            op.operands = [values.get(v, v) for v in op.operands]

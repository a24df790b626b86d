"""Tensors that share memory in torch and not in a Program, or the other way round.

A conjugate is a view in torch, and a copy here. What reshape gives is a view or a copy, as the elements lie in memory, where the
two may differ. That is seen where one of two such tensors is written and the other one is used afterwards. There the Program
copies as torch does, or it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..errors import ConversionError
from ..ir.alias import Aliases
from ..ir.core import Block, Operation, Program, Value, fill_refs
from ..ir.types import ScalarType, TensorType
from ..ops.registry import OPERATORS, view_of
from ..passes.functionalize.layout import row_major
from ..runtime.engine.aliases import TensorAliases
from .laid import Laid
from .layouts import ALL, MISFIT, Layouts, Length


class Pair(NamedTuple):
    """A tensor, and what it was made of. says: what may be seen of that, and what to write.

    is_view: whether torch makes a view in any case; else that follows how the elements lie in memory.
    """

    made: Value
    base: Value
    says: str
    is_view: bool = True


class Origin(NamedTuple):
    """The memory that a tensor lies in, which no other one was made of; and the pairs by way of which it was made."""

    memory: Value
    way: frozenset[Value]


Place = tuple[int | str, ...]  # in tuples of tuples: numbers of items; and of alternatives of sums, as texts


def share_as_torch_does(program: Program, pairs: list[Pair], layouts: Layouts) -> bool:
    """Let writes be seen in other tensors where they are in torch. ConversionError: that can't be.

    Whether some is seen, or isn't, as the elements of arguments lie in memory.
    """
    writes = [(op, op.operands[i]) for op in program.walk() if op.name in OPERATORS for i in OPERATORS[op.name].mutates]
    if pairs and writes:
        layouts.forget()
        memory = _Memory(program, pairs, layouts)
        for op, written in writes:
            memory.refuse(op, written)
        memory.copy_rest()
    same = {pair.made: pair.made.owner.operands[0] for pair in pairs if _is_itself(pair.made.owner)}  # type: ignore[union-attr]
    for op in list(program.walk()) if same else ():
        op.operands = [_followed(x, same) for x in op.operands]
        if op.results and op.results[0] in same:
            op.parent.ops.remove(op)  # type: ignore[union-attr]
    return bool(pairs and writes) and memory.is_asked


def _is_itself(op: object) -> bool:
    """Whether an Operation gives all of a tensor, on the same memory."""
    return isinstance(op, Operation) and op.name == "getitem" and list(op.attrs["index"]) == ["ellipsis"]


def _followed(value: Value, same: dict[Value, Value]) -> Value:
    while value in same:
        value = same[value]
    return value


class _Memory:
    """From which tensors others were made, as far as they may share memory."""

    def __init__(self, program: Program, pairs: list[Pair], layouts: Layouts):
        self._program, self._layouts = program, layouts
        self._order = {op: place for place, op in enumerate(program.walk())}
        self._pairs = {pair.made: pair for pair in pairs if pair.made.owner in self._order}
        self._shares = TensorAliases(program).shares
        self._differs: dict[Value, bool] = {}
        self._origins: dict[Value, set[Origin]] = {}
        self.is_asked = False  # whether how the elements lie in memory decides what a write is seen in

    def refuse(self, write: Operation, written: Value) -> None:
        """ConversionError where a write into a tensor is seen, or not seen, in another one that is used afterwards."""
        near = [pair for pair in self._pairs.values() if self._are_near(pair.made, written)]
        if not near:
            return
        for pair in near:
            self._does_differ(pair)  # so that it is known what is a view and what is a copy
        for value in self._used_after(write):
            for pair, memory in self._between(written, value):
                if not self._is_late(write, pair, memory):
                    continue
                if self._does_differ(pair):
                    raise ConversionError(f"{write.loc}: this writes a tensor {pair.says}")
                self.is_asked = self.is_asked or not (pair.is_view or self._follows(pair))

    def _are_near(self, a: Value, b: Value) -> bool:
        """Whether two tensors may lie in one memory, here or in torch."""
        return any(self._may_meet(one.memory, other.memory) for one, other in product(self._of(a), self._of(b)))

    def _is_late(self, write: Operation, pair: Pair, memory: Value | None) -> bool:
        """Whether a write may come when the pair is there. memory: the one of both, which each turn of some loops makes anew."""
        made = pair.made.owner
        if not isinstance(made, Operation) or self._order[write] > self._order[made]:
            return True
        makes = memory.owner if memory is not None else None
        return not (_loops(write) & _loops(made)) <= (_loops(makes) if isinstance(makes, Operation) else set())

    def _between(self, a: Value, b: Value) -> Iterator[tuple[Pair, Value | None]]:
        """Pairs that lie between two tensors, of which one was made by way of them, the other one wasn't; and their memory.

        None: they may lie in one memory, or in two.
        """
        for one, other in product(self._of(a), self._of(b)):
            if self._may_meet(one.memory, other.memory):
                is_clear = one.memory is other.memory
                for made in one.way ^ other.way if is_clear else one.way | other.way:
                    yield self._pairs[made], one.memory if is_clear else None

    def _may_meet(self, a: Value, b: Value) -> bool:
        """Whether two tensors that were made of no other ones may lie in one memory."""
        return a is b or (not (self._is_clear(a) and self._is_clear(b)) and self._shares(a, b))

    def _of(self, value: Value) -> set[Origin]:
        """The memories that a tensor may lie in, and the pairs by way of which."""
        if value not in self._origins:
            self._origins[value] = set(self._found(value, (), frozenset(), set()))
        return self._origins[value]

    def _found(self, value: Value, place: Place, way: frozenset[Value], seen: set) -> Iterator[Origin]:
        """The same, of what lies at a place in a tuple, and was found by way of some pairs."""
        pending = [(value, place, way)]
        while pending:
            value, place, way = step = pending.pop()
            if step in seen:
                continue
            seen.add(step)
            before = self._before(value, place)
            pending += [(one, at, way | {value} if value in self._pairs else way) for one, at in before or ()]
            if before == []:
                yield Origin(value, way)

    def _before(self, value: Value, place: Place) -> list[tuple[Value, Place]] | None:
        """What a tensor is a view of, or a value was taken from; None: nothing comes this way."""
        op = value.owner
        if value in self._pairs:
            return [(self._pairs[value].base, ())]
        if isinstance(op, Block):
            loop = op.parent
            return _carried(loop, op.args.index(value), place) if isinstance(loop, Operation) and loop.name == "while" else []
        if not isinstance(op, Operation):
            return []
        if op.name == "tuple.get":
            return [(op.operands[0], (op.attrs["index"], *place))]
        if op.name == "tuple.new" and place:
            return [(op.operands[int(place[0])], place[1:])]
        if op.name == "sum.get":
            return [(op.operands[0], (str(op.attrs["index"]), *place))]
        if op.name == "sum.make" and place:
            return [(op.operands[0], place[1:])] if place[0] == str(op.attrs["index"]) else None
        if op.name == "if":
            return [(block.yielded[op.results.index(value)], place) for block in op.blocks if block.yielded]
        if op.name == "while":
            return _carried(op, op.results.index(value), place)
        definition = OPERATORS.get(op.name)
        is_of_first = definition is not None and (definition.view is not None or definition.mutates)
        return [(op.operands[0], ())] if is_of_first and not place else []

    def _is_clear(self, value: Value) -> bool:
        """Whether nothing else holds the memory of a tensor that isn't made of it: it is given, or an operator has made it."""
        op = value.owner
        if isinstance(op, Block):
            return op is self._program.entry.block
        return op is not None and (op.name == "param" or (op.name in OPERATORS and _is_plain(op)))

    def _used_after(self, write: Operation) -> Iterator[Value]:
        """Tensors that may be read after a write. What is given is, by the caller; what lies in a container, at any time."""
        yield from (x for x in self._program.entry.block.args if isinstance(x.type, TensorType))
        for op in self._order:
            if op.name == "param":
                yield op.result
            elif op is not write and (self._may_follow(op, write) or not _is_plain(op)):
                yield from (x for x in op.operands if isinstance(x.type, TensorType))

    def _may_follow(self, op: Operation, first: Operation) -> bool:
        """Whether an Operation may run after another one: it stands behind it, or a loop has both."""
        return self._order[op] > self._order[first] or not _loops(op).isdisjoint(_loops(first))

    def _does_differ(self, pair: Pair) -> bool:
        """Whether a pair shares memory in torch only, or here only, or nobody can tell; where that can be mended, it is."""
        if pair.made not in self._differs:
            for value in {x for origin in self._of(pair.base) for x in origin.way}:
                self._does_differ(self._pairs[value])
            shares = pair.is_view or self._layouts.shares(pair.made)
            self._differs[pair.made] = not self._made_to(shares, pair)
        return self._differs[pair.made]

    def _follows(self, pair: Pair) -> bool:
        """Whether NumPy decides as torch does, however an argument lies in memory: both reshape that."""
        views, root = self._steps(pair)
        is_reshaped = bool(views) and views[0].name in ("reshape", "flatten") and not any(map(_is_itself, views))
        return is_reshaped and root.owner is self._program.entry.block

    def copy_rest(self) -> None:
        """Copy where nobody can tell whether torch does, and no write is seen."""
        for pair in self._pairs.values():
            views, _ = self._steps(pair)
            if self._differs.get(pair.made) and views:
                self._copy(views[0])

    def _copy(self, op: Operation) -> None:
        """Let an operator that gives a view copy it."""
        op.name = view_of(op.name).copy  # type: ignore[union-attr]
        self._changed()

    def _made_to(self, shares: bool | None, pair: Pair) -> bool:
        """Whether a pair shares memory here, or doesn't, as it should."""
        views, root = self._steps(pair)
        if shares is None or not views:
            return shares is False
        if not shares:
            self._copy(views[0])
            return True
        if not self._are_views(views, root):
            return False
        if not self._layout.is_row_major(root):
            self._lay_in_order(root)
        return True

    @cached_property
    def _layout(self) -> Any:
        return row_major(self._program, Aliases(self._program, OPERATORS))

    def _lay_in_order(self, root: Value) -> None:
        """Let an operator's result lie in row-major order, from where it is made on."""
        made: Any = root.owner
        copy = Operation("assign", [root], {}, [root.type], loc=made.loc, path=made.path)
        for op in self._program.walk():
            op.operands = [copy.result if x is root else x for x in op.operands]
        copy.operands = [root]
        made.parent.ops.insert(made.parent.ops.index(made) + 1, copy)
        copy.parent = made.parent
        self._changed()

    def _changed(self) -> None:
        self.__dict__.pop("_layout", None)

    def _steps(self, pair: Pair) -> tuple[list[Operation], Value]:
        """The views by way of which a pair was made, the last one first, and what they are of; none, where it was copied."""
        steps: list[Operation] = []
        root, is_made = pair.made, False
        while isinstance(op := root.owner, Operation) and view_of(op.name) is not None:
            steps.append(op)
            root = op.operands[0]
            is_made = is_made or root is pair.base
        return (steps, root) if is_made else ([], root)

    def _are_views(self, views: list[Operation], root: Value) -> bool:
        """Whether NumPy makes views of a tensor that lies, or can be laid, in row-major order, and does so in torch."""
        is_made = isinstance(root.owner, Operation) and root.owner.name in OPERATORS
        if not (is_made or self._layout.is_row_major(root)):
            return False
        if all(view_of(op.name).keeps_order(op.attrs) for op in views):  # type: ignore[union-attr]
            return True
        return bool(self._layouts.same_on_branches(lambda length: self._is_view(views, root, length), ALL))

    def _is_view(self, views: list[Operation], root: Value, length: Length) -> Any:
        """Whether NumPy makes a view of a tensor in row-major order, where open lengths are `length`."""
        laid = self._layouts.laid(root, length)
        if not isinstance(laid, Laid):
            return laid
        if 0 in laid.shape:
            return MISFIT
        memory = found = np.zeros(laid.shape, np.uint8)
        for op in reversed(views):
            numbers = [found, *[self._layouts.laid(x, length) for x in op.operands[1:]]]
            if any(x is None or x is MISFIT for x in numbers):
                return False
            try:
                found = OPERATORS[op.name].kernel(*numbers[: op.n_positional], **fill_refs(op.attrs, numbers))
            except Exception:  # the call raises for this length, so no run has it
                return MISFIT
            if 0 in found.shape:
                return MISFIT
        return bool(np.may_share_memory(found, memory))


def _carried(loop: Operation, number: int, place: Place) -> list[tuple[Value, Place]]:
    """What a loop carries is what it starts with, or what a turn leaves."""
    turn = loop.blocks[1].yielded
    return [(loop.operands[number], place), *([(turn[number], place)] if turn else [])]


def _is_plain(op: Operation) -> bool:
    """Whether an Operation handles tensors and numbers only."""
    return not op.blocks and all(isinstance(x.type, TensorType | ScalarType) for x in (*op.operands, *op.results))


def _loops(op: Operation) -> set[Operation]:
    found, outer = set(), op.parent and op.parent.parent
    while isinstance(outer, Operation):
        if outer.name == "while":
            found.add(outer)
        outer = outer.parent and outer.parent.parent
    return found

"""Loops over a known range: turns that record the same are recorded once.

    for t in range(100):          turns 0, 1 and 2 are recorded as they are; 2 records what 1 did
        h = cell(x[t], h)         turns 3 to 98 become one `while`, in which `t` is an int of the Program
        outs.append(h)            turn 99 is recorded as it is: what Python knows after the loop, it knows all the same

The turns in between are rolled only if nothing is lost by it: the body records what the turn before recorded, with the same
types, and no Python value but the index changes that a later turn, or what follows the loop, could read. A list to which each
turn appends tensors is filled by the `while`, and its items are taken out of it afterwards: Python knows how many there are.
Everything else is unrolled, as before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ...config import limits
from ...errors import Dy2stError
from ...ir.core import Block, Operation, Value
from ...ir.types import ListType, ScalarType, TensorType, Type
from ...pytree import flat
from ..heap.markers import NEVER, NotRolled, Restage
from ..joining.activation import is_staged
from ..joining.plans import Leaf, Plan, Same, TupleParts
from ..proxies import StagedList
from ..recorder.recorder import Recorder
from ..tensors.tensor import Tensor
from .loop import Loop
from .trial import Trial

ALONE = 4  # turns that are recorded by themselves: three that tell whether they are alike, and the last


def signature(ops: list[Operation], told: Callable[[Type], object] = lambda type_: type_) -> list[tuple]:
    """What Operations do, as far as it doesn't depend on the turn; numbers that Python computes from the index aside.

    told: what of a type is told.
    """
    found = []
    for op in ops:
        types = tuple(value.type for value in op.results)
        if op.blocks or not _is_of_index(op, types):
            blocks = tuple(tuple(signature(block.ops, told)) for block in op.blocks)
            found.append((op.name, tuple(map(told, types)), blocks))
    return found


def ranked(type_: Type) -> object:
    """A type; of a tensor its dtype and rank alone."""
    return (type_.dtype, type_.rank) if isinstance(type_, TensorType) else type_


def _is_of_index(op: Operation, types: tuple[Type, ...]) -> bool:
    """Whether an Operation only computes Python numbers, of which a turn that is recorded by itself knows the value."""
    is_scalar = bool(types) and all(isinstance(type_, ScalarType) for type_ in types)
    return op.name == "constant" or (is_scalar and all(isinstance(value.type, ScalarType) for value in op.operands))


class Turns:
    """The turns of one loop that are recorded one by one: whether the last two have recorded the same."""

    def __init__(self, rec: Recorder, count: int):
        self.rec, self.count = rec, count
        self._ends = [self._end()]

    def are_told(self) -> bool:
        """Whether, at the end of a turn, there have been enough of them."""
        self._ends.append(self._end())
        return len(self._ends) == ALONE

    @property
    def are_many(self) -> bool:
        """Whether it is worth while to record the next ones once."""
        return self.rest() >= limits.roll_operations

    def rest(self) -> int:
        """How many operations the turns record that are still to come."""
        return (self.count - ALONE) * (self._ends[-1] - self._ends[-2])

    def are_alike(self) -> bool:
        """Whether there are many, and the last two have recorded the same."""
        return self.are_many and signature(self._ops(*self._ends[-3:-1])) == self.last()

    def differ_in_lengths(self) -> bool:
        """Whether the last two have recorded the same, but for the lengths of tensors, which grow."""
        before, last = self._ops(*self._ends[-3:-1]), self._ops(*self._ends[-2:])
        return signature(before) != signature(last) and signature(before, ranked) == signature(last, ranked)

    def last(self) -> list[tuple]:
        """What the last turn recorded."""
        return signature(self._ops(*self._ends[-2:]))

    def _ops(self, start: int, end: int) -> list[Operation]:
        ops = self.rec.frame.block.ops
        return ops[start + len(ops) - self._end() : end + len(ops) - self._end()]

    def _end(self) -> int:
        """How many Operations the open Block has, without those at its head, which come at any time."""
        frame = self.rec.frame
        return len(frame.block.ops) - (frame.body.prologue if frame.body.block is frame.block else 0)


@dataclass
class Collected:
    """A Python list to which turns append, what it holds, and the list of the Program that stands for it meanwhile.

    last: of what it holds, the items that the last turn has appended.
    """

    obj: list
    items: list
    proxy: StagedList
    last: list = field(default_factory=list)


class Rolled(Loop):
    """The `while` of the turns from the fourth to the last but one."""

    turn: list[tuple]  # what the turn before recorded
    collected: list[Collected]

    def _enter(self, args: list[Value], starts: list[Value | None]) -> list:
        found = super()._enter(args, starts)
        _tell_history(tuple(c.initial for c in self.carried), tuple(self.seen))
        return found

    def _record(self, test: Trial, trial: Trial) -> list:
        self._check(trial)
        return super()._record(test, trial)

    def _record_rotated(self) -> list:
        raise NotRolled("the turn ends in an exception")

    def _check(self, trial: Trial) -> None:
        """NotRolled where the turns in between would leave less known than they do by themselves."""
        if trial.outcome is NEVER:
            raise NotRolled("the turn ends in an exception")
        block = trial.frame.block
        lists = {held.proxy._value: held for held in self.collected}
        stores = [op for op in block.ops if op.name == "list.append" and op.operands[0] in lists]
        known = {id(op) for op in stores}
        if any(value in lists and (id(op) not in known or k) for op in block.walk() for k, value in enumerate(op.operands)):
            raise NotRolled("a list to which each turn appends is read")
        for value, held in lists.items():
            _check_items(self.rec, held, [op.operands[1] for op in stores if op.operands[0] is value], block)
        if signature([op for op in block.ops if id(op) not in known]) != self.turn:
            raise NotRolled("the index decides what a turn does, or a shape")
        used = self._used(trial)
        for carried in self.carried[1:]:
            _check_known(self.rec, carried.plan, carried.initial, iter(carried.args), used)

    def _used(self, trial: Trial) -> set[Value]:
        """The arguments of the body that something in it reads, or hands on as another one."""
        found = {value for op in trial.frame.block.walk() for value in op.operands}
        for carried, out in zip(self.carried, self._outs(trial)):
            with self.rec.opened(trial.frame):
                lowered = carried.plan.lower(self.rec, out)
            found.update(value for value, own in zip(lowered, carried.args) if value is not own)
        return found


def _check_items(rec: Recorder, held: Collected, values: list[Value], block: Block) -> None:
    """NotRolled where a turn appends anything but tensors or numbers of one type that it has computed, as the turn before did."""
    held.last = held.items[len(held.items) - len(values) :]
    types = {value.type for value in values}
    as_before = len(types) == 1 and all(is_staged(rec, item) and rec.type_of(item) in types for item in held.last)
    if not as_before or not all(isinstance(v.type, TensorType | ScalarType) and v.block is block for v in values):
        raise NotRolled("what a turn appends to a list is no tensor or number of its own")


def _check_known(rec: Recorder, plan: Plan, initial: object, args: Iterator[Value], used: set[Value]) -> None:
    """NotRolled where something that Python knew becomes a Value that a later turn reads."""
    if isinstance(plan, TupleParts) and plan.suits(initial):
        for child, part in zip(plan.children, plan.take(initial)):
            _check_known(rec, child, part, args, used)
        return
    own = [next(args) for _ in plan.leaves()]
    if isinstance(plan, Same):
        return
    is_carried = isinstance(plan, Leaf) and is_staged(rec, initial) and rec.type_of(initial) == plan.type
    if not is_carried and not (isinstance(plan, Leaf) and isinstance(plan.type, ScalarType) and used.isdisjoint(own)):
        raise NotRolled("a value that Python knows changes from turn to turn")


def roll(rec: Recorder, body: Callable, names: tuple, values: list, site: Hashable, cells: tuple, turns: Turns) -> list | None:
    """Record the turns in between as one `while`.

    body: takes the position and the values of `names`, and returns them. values: from which they start, the position first.
    The values after the last but one turn; None where the turns are recorded one by one.
    """
    lists: list[object] = []
    first, end = values[0], turns.count - 1

    def goes_on(position: int, *_: object) -> object:
        return position < end

    while True:
        try:
            with _attempt(rec, site):
                loop = Rolled(rec, goes_on, body, names, values, (site, "rolled"), cells)
                loop.turn, loop.collected = turns.last(), [_lend(rec, obj) for obj in lists]
                try:
                    found = loop.run()
                    _tell_history(tuple(values), tuple(found))
                finally:
                    for held in loop.collected:
                        rec.heap.take_back(held.obj, held.items)
                for held in loop.collected:
                    _take_out(rec, held, end - first)
        except NotRolled as refused:
            if not _is_collected(rec, refused.obj, lists):
                rec.facts.loop(site).why_not_rolled = refused.why
                return None
            lists.append(refused.obj)
        else:
            return found[1:]


def _is_collected(rec: Recorder, obj: object, lists: list[object]) -> bool:
    """Whether what a turn changes is a list of the Block around the loop, which hasn't been lent to it yet."""
    return type(obj) is list and not any(obj is one for one in lists) and rec.heap.is_local(obj)


def _lend(rec: Recorder, obj: object) -> Collected:
    assert isinstance(obj, list)
    proxy = rec.wrap(rec.emit("list.new", [], [ListType()]).result)
    assert isinstance(proxy, StagedList)
    items = list(obj)
    rec.heap.lend(obj, proxy)
    return Collected(obj, items, proxy)


def _take_out(rec: Recorder, held: Collected, count: int) -> None:
    """Append to a Python list what so many turns of the `while` have appended to the one that stood for it."""
    elem = rec.type_of(held.last[0])
    for k in range(count * len(held.last)):
        op = rec.emit("list.get", [held.proxy._value, rec.constant(k)], [elem])
        rec.heap.elements.link(op)
        item = rec.wrap(op.result)
        _tell_history(held.last[k % len(held.last)], item)
        held.obj.append(item)


def _tell_history(before: object, value: object) -> None:
    """Of a value that stands for those of several turns, what Python knows of the one before: whether it has a gradient."""
    for one, other in zip(flat(before, tuple), flat(value, tuple)):
        if isinstance(one, Tensor) and isinstance(other, Tensor):
            other.stop_gradient = one.stop_gradient


@contextmanager
def _attempt(rec: Recorder, site: Hashable) -> Iterator[None]:
    """Try to record something that may turn out to need Values where Python has known values: NotRolled, and nothing is left."""
    facts, heap, frames = rec.facts, rec.heap, [*rec.frames]
    since = heap.now()
    forget, state = facts.remembered(), {key: slot.type for key, slot in facts.state.items()}
    count, constants, acted, closed = len(rec.frame.block.ops), dict(rec.frame.constants), [f.acted for f in frames], heap.closed
    head = rec.frame.body.prologue
    heap.closed = len(frames)
    try:
        with facts.apart("rolled"):
            yield
        if heap.has_risen(since):
            raise NotRolled("a container holds more kinds of items")
    except (NotRolled, Restage, Dy2stError) as error:
        del rec.frame.block.ops[count + (rec.frame.body.prologue - head if rec.frame.body.block is rec.frame.block else 0) :]
        rec.frame.constants = constants
        for frame, said in zip(frames, acted):
            frame.acted = said
        forget()
        if heap.has_risen(since) or state != {key: slot.type for key, slot in facts.state.items()}:
            facts.loop(site).why_not_rolled = str(error) or "staging its iterations once has to start again"
            raise Restage.of_function() from None
        raise (error if isinstance(error, NotRolled) else NotRolled(str(error))) from None
    finally:
        heap.closed = closed

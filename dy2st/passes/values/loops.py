"""Loops whose bodies change the heap: what lies there is carried from turn to turn.

    while %0 : int                               while %0, %xs_now : int, sequence<float32[3]>
      cond(%1: int): ...                           cond(%1: int, %xs_1: sequence<float32[3]>): ...
      body(%2: int):                      ->       body(%2: int, %xs_2: sequence<float32[3]>):
        list.append %xs, %x                          %4 = sequence.append %xs_2, %x
        yield %3                                     yield %3, %4

1. A trial of the body tells which objects it changes: the walk comes again, with their contents among what is carried, until a
   trial tells nothing new. What has been learnt is kept by the operation of the original Program, so that a loop inside another
   one, which is walked again with it, has nothing more to learn.
2. A carried reference that each turn hands on as it is stays that reference.
3. Any other carried reference leads to an object of its own, whose content is carried. Where somebody else knows the object that
   it leads to, neither may be changed.
4. Where that is in the way, the reference is a Choice between the object that others know and its own: a bool is carried that
   says which.
5. A list that has another length after the turn is carried as a sequence, a dict with all keys that it may get, and flags that
   say which of them are there.
6. Where a turn may raise, the error is carried, and asked for by the condition.
7. A condition that may raise is asked before the loop and at the end of each turn; a bool is carried that says what it gave.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...ir.core import Block, Operation, Value
from ...ir.types import BOOL, Type
from .heap import Environment
from .learnt import Learnt
from .loop_ends import LoopEnd
from .loop_heads import LoopHead, Take
from .refusals import refuse
from .state import Content, Listed, Run, holds_same
from .things import Location, Thing

if TYPE_CHECKING:
    from .walk import Walk

_MOST_TRIALS = 200


def rewrite_loop(walk: Walk, op: Operation) -> list[Thing] | None:
    """Rewrite a `while`; what its results stand for."""
    learnt = walk.learnt.setdefault(op, Learnt())
    for _ in range(_MOST_TRIALS):
        env, state, mark = Environment(walk.env), walk.state.copy(), walk.mark()
        loop = _Loop(walk, op, learnt)
        if loop.walk_it():
            return loop.results()
        walk.env, walk.state = env, state
        walk.back_to(mark)
        walk.at_operation(op)
    raise refuse(op, "what this loop does to its lists isn't settled after many turns; make new lists in place of changing them")


class _Loop:
    """One trial."""

    def __init__(self, walk: Walk, op: Operation, learnt: Learnt):
        self.walk, self.op, self.learnt = walk, op, learnt
        self.initial: list[Value] = []
        self.carried: list[tuple[Type, str]] = []

    def walk_it(self) -> bool:
        """Walk the Blocks; whether that has told nothing new."""
        walk = self.walk
        self.head = LoopHead(walk, self.op, self.learnt)
        goes_on = self._asked(self.head.starts) if self.learnt.asks_first else None
        self.head.begin()
        self.head.enter(self._note_start)
        if goes_on is not None:
            self._note_start(lambda: goes_on, BOOL, "goes_on")
        before = self.learnt.size()
        self.cond, self.body = (self._block() for _ in self.op.blocks)
        self._condition()
        ends = self._turn() if self.learnt.size() == before else []
        if self.learnt.size() != before:
            return False
        with self.walk.inside(self.body):
            self.walk.core("yield", ends)
        return True

    def results(self) -> list[Thing]:
        """Append the loop; what its results stand for."""
        walk, op = self.walk, self.op
        walk.at = op
        made = walk.core("while", self.initial, dict(op.attrs), [t for t, _ in self.carried], [self.cond, self.body])
        for value, (_, name) in zip(made.results, self.carried):
            value.name = name
        things, walk.state = self.head.enter(_from(made.results))
        return things

    def _note_start(self, value: Callable[[], Value], type_: Type, name: str) -> Value:
        self.initial.append(value())
        self.carried.append((type_, name))
        return self.initial[-1]

    def _block(self) -> Block:
        block = Block(t for t, _ in self.carried)
        for value, (_, name) in zip(block.args, self.carried):
            value.name = name
        return block

    def _enter(self, block: Block, original: Block) -> list[Thing]:
        """The walk is at the beginning of a Block."""
        things, self.walk.state = self.head.enter(_from(block.args))
        self.walk.env.bind(original.args, things)
        return things

    def _condition(self) -> None:
        walk, cond = self.walk, self.op.blocks[0]
        with walk.inside(self.cond):
            self._enter(self.cond, cond)
            if self.learnt.asks_first:
                walk.core("yield", [self.cond.args[-1]])
                return
            error, walk.state.error = walk.state.error, None
            before = dict(walk.state.contents)

            def ask() -> list[Thing] | None:
                walk.state.error = None
                return walk.run(cond.ops, [BOOL])

            if error is None:
                found = ask()
            else:
                is_none = walk.make("py.eq", [error, walk.const(0)], BOOL)
                found = walk.branch(is_none, ask, lambda: [walk.const(False)], after=walk.live.end[cond.ops[-1]])
            if found is None or walk.state.error is not None:
                self.learnt.asks_first = self.learnt.raises = True
                return
            self._refuse_changes(before)
            walk.core("yield", [walk.pure(found[0])])

    def _asked(self, things: list[Thing]) -> Value:
        """Case 7: whether there is another turn, where the carried values are `things`; False where something was raised."""
        walk, cond = self.walk, self.op.blocks[0]
        before = dict(walk.state.contents)
        walk.env.bind(cond.args, things)
        found = walk.run(cond.ops, [BOOL])
        walk.at = self.op
        if found is None:
            return walk.const(False)
        self._refuse_changes(before)
        if walk.state.error is not None:
            is_none = walk.make("py.eq", [walk.state.error, walk.const(0)], BOOL)
            found = walk.branch(is_none, lambda: found, lambda: [walk.const(False)], after=walk.live.end[cond.ops[-1]])
        return walk.pure(found[0])  # type: ignore[index]

    def _refuse_changes(self, before: dict[Location, Content]) -> None:
        after, of_errors = self.walk.state.contents, self.walk.errors.values.values()
        for location, content in before.items():
            if location not in of_errors and not _is_unchanged(content, after.get(location, content)):
                raise refuse(self.op, "the condition of this loop changes a list or object; do that in the body")

    def _turn(self) -> list[Value]:
        """What the next turn starts from; fewer Values than are carried where this was only a trial."""
        walk, body = self.walk, self.op.blocks[1]
        with walk.inside(self.body):
            things = self._enter(self.body, body)
            walk.state.error = None
            before = walk.state.copy()
            given = walk.run(body.ops, self.head.types)
            goes_on = self._asked_again(given) if self.learnt.asks_first else []
            walk.at = body.ops[-1]
            return [*LoopEnd(self.head, before, things, given).values(), *goes_on]

    def _asked_again(self, given: list[Thing] | None) -> list[Value]:
        """The condition at the end of a turn."""
        walk, end = self.walk, self.op.blocks[1].ops[-1]
        if given is None:
            return [walk.const(False)]
        if walk.state.error is None:
            return [self._asked(given)]
        error = walk.state.error
        is_none = walk.make("py.eq", [error, walk.const(0)], BOOL)

        def ask() -> list[Thing]:
            walk.state.error = None
            return [*given, self._asked(given)]

        found = walk.branch(is_none, ask, lambda: [*given, walk.const(False)], after=walk.live.end[end])
        assert found is not None
        given[:] = found[:-1]
        return [walk.pure(found[-1])]


def _from(values: list[Value]) -> Take:
    """The Values given, one after the other."""
    given = iter(values)
    return lambda value, type_, name: next(given)


def _is_unchanged(before: Content, after: Content) -> bool:
    """Whether an object holds the same; a list that has become a sequence does."""
    if isinstance(before, Listed | Run) and isinstance(after, Run):
        return isinstance(before, Listed) or before.value is after.value
    return holds_same(before, after)

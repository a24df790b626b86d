"""`while` and `for`: plain Python as long as the condition is Python's, a staged loop from the iteration where it isn't."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any, NoReturn

from ....config import limits
from ....errors import ConversionError, Dy2stError, Dy2stWarning
from ....ir.core import Loc
from ...control.loop import POSITION, Loop
from ...control.rolled import Turns, roll
from ...control.settle import settle
from ...control.trial import as_outcome, as_values, is_refusal, note_cells, run_trial, stage_if, unchanged
from ...heap.markers import NEVER, NotRolled, Restage
from ...outside.loop_knowledge import NOTHING, LoopKnowledge
from ...recorder.fates import PYTHON, STAGED, UNROLLED
from ...recorder.recorder import Recorder, current_recorder
from ...where.user_code import is_ours
from ...where.variables import carried_by
from ...where.warn import warn_at
from ..operations.item_sources import Iteration, Steps
from ..operations.ranges import RangeIteration
from .first_turns import ATTEMPTS, PEELED, PLAIN, UNSEEN, Attempt, FirstTurn, News
from .generation import Generation
from .told_loops import line_of, tell_loop, turns_text
from .unrolling import is_kept_unrolled

LEFT = "a break or return leaves it, which only the Program decides"
RAISES = object()  # what a condition gives that raises whatever the inputs are
MAX_UNROLLED = 100_000
MANY_TURNS = 1000
COUNTED = (RangeIteration, Iteration)  # what they iterate is asked for an item by its position, and changes no more


def convert_while_loop(
    condition: Callable | None,
    body: Callable,
    values: list,
    over: Iteration | None = None,
    mark: Any = None,
    begun: bool = False,
    names: tuple[str, ...] | None = None,
) -> Any:
    """Run or stage a loop. `condition` and `body` take the carried names; `body` returns them (one bare).

    `over` is what a `for` iterates: where it has a next item, a loop without a `condition` goes on. `mark` tells loops apart that
    share their code; generated ones don't. `begun`: the body goes on in its middle, so the condition isn't asked before it.
    `names`: of what is carried, where `body` doesn't say.
    """
    rec = current_recorder()
    if begun:
        values = list(as_values(body(*values), len(values)))
    if rec is None:
        test = condition or _more(over)
        return _run_over(over, test, body, values) if isinstance(over, Steps) else _run(test, body, values)
    result: Any
    if isinstance(over, Generation):
        result = over.loop(condition or _more(over), body, values)
    else:
        result = _driven(_Driver(rec, condition, body, values, over, mark, names), over)
    return as_outcome(tuple(result))


def _more(over: Iteration | None) -> Callable:
    """The condition of a loop that nothing leaves before its end."""
    assert over is not None
    return lambda *values: over.more()


def _run(condition: Callable, body: Callable, values: list) -> Any:
    """The loop in plain Python: the values as its body returns them."""
    count = len(values)
    if count == 1:
        (value,) = values
        while condition(value):
            value = body(value)
        return value
    outcome: Any = tuple(values)
    while condition(*outcome):
        outcome = body(*outcome) if count else body() or ()
    return outcome


def _run_over(steps: Steps, condition: Callable, body: Callable, values: list) -> Any:
    """The same of a `for` loop. One that can't be left before its end asks for its condition once."""
    count = len(values)
    if not condition(*values):
        return as_outcome(tuple(values))
    outcome = body(*values)
    if steps.has_flags:
        return _run(condition, body, list(as_values(outcome, count)))
    if count > 1:
        for item in steps.iterator:
            steps.item = item
            outcome = body(*outcome)
        return outcome
    if count:
        for item in steps.iterator:
            steps.item = item
            outcome = body(outcome)
        return outcome
    for item in steps.iterator:
        steps.item = item
        body()
    return ()


def _driven(driver: _Driver, over: Iteration | None) -> list:
    if over is not None:
        over.open()
    try:
        values = driver.drive()
    finally:
        driver.tell()
        if over is not None:
            over.close()
    if over is not None:
        over.let_go()
    _tell_unrolled(driver.rec, driver.line)
    return values


def _tell_unrolled(rec: Recorder, line: Loc | None) -> None:
    """Warn, once, where many turns of a loop have each been recorded by itself, and it isn't staged from its start instead."""
    if rec.iterators.turns and rec.iterators.turns[line] >= MANY_TURNS and line not in rec.facts.unrolled:
        rec.facts.unrolled.add(line)
        text = (
            f"this loop has been unrolled: {rec.iterators.turns[line]} of its turns, one by one, are part of the Program, which "
            "takes time to stage, save and load; iterate over a tensor, or over a range that ends at one, to keep it"
        )
        warn_at(line, text, Dy2stWarning)


class _Driver:
    """One loop met while staging."""

    def __init__(
        self,
        rec: Recorder,
        condition: Callable | None,
        body: Callable,
        values: list,
        over: Iteration | None,
        mark: Any,
        names: Any,
    ):
        self.rec, self.body, self.values, self.over = rec, body, list(values), over
        self.condition = condition or _more(over)
        self.is_users = condition is None or not is_ours(condition.__code__.co_filename)  # ours may ask other things, too
        self.names = carried_by(body) if names is None else names
        self.line = line_of(body.__code__)
        self.site = rec.facts.site(mark or body.__code__)
        self.turns = 0  # that Python has run
        self.records = False  # whether one of them has recorded something
        self.first = News.NONE  # how the first one differs from the later ones
        self.staged = self.left = self.not_once = ""  # why it is staged; leaves open whether it goes on; isn't recorded once

    def drive(self) -> list:
        rec = self.rec
        if self._learnt.why_staged:
            return self._staged_after(self._attempts()[0].turns, self._learnt.why_staged)
        recorded, limit, goes_to_its_end = rec.recorded, self._limit(), False
        turns, first = self._turns(), self._first_turn()
        for _ in range(MAX_UNROLLED):
            if rec.recorded - recorded > limit:
                return self._stage_as_long()
            if self.over is not None and self.over.is_staged:  # what it iterates is known only at run time by now: so is its end
                return self._stage("how many items there are is known only when the Program runs")
            if goes_to_its_end and self.over.is_steady:  # type: ignore[union-attr]
                known = self.over._more()  # type: ignore[union-attr]
            elif self.over is not None and self.over.has_ended() and not self.over.is_watched:
                return self.values
            else:
                known = self._test()
                # which its condition has said
                goes_to_its_end = self.is_users and self.over is not None and not self.over.has_flags
            if known is False:
                return self.values
            if known is not True:
                if self.over is not None and known is not NEVER:
                    if self.over.has_ended():
                        return self.values
                    self._refuse_endless(rec.recorded - recorded)
                    if turns is not None and rec.recorded - recorded >= limits.roll_operations:
                        self.not_once = LEFT
                    self.left = LEFT
                    limit = self._limit(is_left=True)
                    if self._will_record(rec.recorded - recorded) > limit:  # told now, it isn't recorded until then
                        return self._stage_as_long()
                    self._guarded(known)
                    continue
                return self._stage_from_here(self._stage_from_its_start(self._of_condition(known)))
            self._turn()
            if self.turns == 1 and first is not None:
                self.first = first.news(self.values)
            if turns is not None and turns.are_told():
                if not self._roll(turns) and self._would_grow(turns):
                    return self._stage_as_long()
                turns = None
        raise ConversionError(f"{rec.here()}: this loop ran {MAX_UNROLLED} times while staging; give it a bound that is a tensor")

    def _turn(self) -> None:
        """Run one iteration in Python."""
        before, count = self.rec.recorded, len(self.values)
        outcome = self.body(*self.values)
        self.values = [outcome] if count == 1 else list(as_values(outcome, count))
        self.turns += 1
        if self.rec.recorded > before:
            self.records = True
            self.rec.iterators.turns[self.line] += 1
        if self.over is not None:
            self.over.advance()

    def _first_turn(self) -> FirstTurn | None:
        """The snapshot before the first iteration, for loops that may become a `while` of the Program."""
        may_be_staged = self.over is None or self.over.has_flags or type(self.over) in COUNTED
        return FirstTurn(self.rec, (self.condition, self.body), self.values) if may_be_staged else None

    def _limit(self, is_left: bool = False) -> float:
        """How many operations the loop may record before it is staged from its start instead.

        is_left: whether the Program decides when it is left, so that nothing but its index is known in a turn.
        """
        if self._learnt.is_unrolled or not isinstance(self.over, RangeIteration | None):
            return math.inf
        if self.over is None:
            return limits.unroll_operations // 10 if self.is_users else limits.unroll_operations  # a `while` may have no end
        return limits.unroll_operations // 40 if is_left else limits.unroll_operations

    def _will_record(self, recorded: int) -> float:
        """How many operations all turns record, as the first ones tell; nothing where their number isn't known."""
        count = self.over._length() if type(self.over) in COUNTED and self.turns else 0  # type: ignore[union-attr]
        return recorded * count / self.turns if type(count) is int and count else 0

    def _stage_as_long(self) -> list:
        """Stage the loop from its start or peeled; unroll it where that is refused."""
        why = self._stage_from_its_start("one by one, its turns would record too much")
        self._knowledge().is_long = True
        if self._attempts()[0].turns != self.turns:
            raise Restage.of_function()
        return self._staged_if_it_can(why)

    def _stage_from_here(self, why: str) -> list:
        """Stage the loop now, unless its attempt asks for another number of iterations before it."""
        attempts = self._attempts()
        if attempts == (PLAIN,):
            return self._stage(why)
        if attempts[0].turns != self.turns:
            raise Restage.of_function()
        return self._staged_if_it_can(why)

    def _staged_after(self, count: int, why: str) -> list:
        """Record so many iterations apart, then stage the loop."""
        if not count:
            return self._staged_if_it_can(why)
        if self.over is None and self.body.__code__ in self.rec.facts.tested_in_place:
            self._stage_otherwise()
        known = self._test(is_used=True)
        if known is True:
            self._turn()
            return self._staged_after(count - 1, why)
        if known is NEVER or isinstance(known, bool):
            self._stage_otherwise()
        return self._entered_if(known, count, why)

    def _entered_if(self, known: Any, count: int, why: str) -> list:
        """The peeled loop inside an `if` of the Program, where its first condition depends on the input data."""
        rec, over, turns = self.rec, self.over, self.turns
        position = None if over is None else over.position

        def entered(*values: Any) -> Any:
            note_cells(rec, self.body)
            if over is not None:
                over.position = position
            self.turns, self.values = turns, [*values]
            self._turn()
            return as_outcome(tuple(self._staged_after(count - 1, why)))

        outcome = stage_if(rec, rec.lower(known), entered, unchanged, self.names, tuple(self.values))
        if over is not None:
            over.leave()
        return list(as_values(outcome, len(self.values)))

    def _stage_otherwise(self) -> NoReturn:
        """Restage with the next attempt."""
        self._knowledge().attempts = self._learnt.attempts[1:]
        raise Restage.of_function() from None

    @property
    def _learnt(self) -> LoopKnowledge:
        """The knowledge about this loop, to be read: most loops have none, and their sites hold no object for longer."""
        return self.rec.facts.loops.get(self.site, NOTHING)

    def _knowledge(self) -> LoopKnowledge:
        """The knowledge about this loop, to be changed."""
        return self.rec.facts.loop(self.site)

    def _attempts(self) -> tuple[Attempt, ...]:
        return self._learnt.attempts or (PLAIN,)

    def _staged_if_it_can(self, why: str) -> list:
        """The loop staged, or else in another way; if it is only long, and refused, as of a loop over layers, it is unrolled."""
        attempt, *others = self._attempts()
        forget = self.rec.facts.remembered()
        try:
            return self._stage(why, attempt.of_one_kind)
        except (Dy2stError, NotRolled):
            if others:
                forget()
                self._stage_otherwise()
            if not self._learnt.is_long:
                raise
            known = self._knowledge()
            known.is_unrolled, known.is_long, known.why_staged = True, False, ""
            raise Restage.of_function() from None

    def _refuse_endless(self, recorded: int) -> None:
        """ConversionError where a loop that the Program may leave goes on over what may have no end."""
        if self.over is not None and self.over.may_be_endless and recorded > limits.unroll_operations:
            raise ConversionError(
                f"{self.rec.here()}: when this loop is left is known only when the Program runs, and what it iterates has no end "
                f"that staging has come to in {self.over.position} turns; give it one, itertools.islice(xs, n), or write "
                "for i in range(n), or a while whose condition is a tensor"
            )

    def _has_a_turn(self) -> bool:
        """Whether Python knows that a `for` goes on."""
        over = self.over
        return over is not None and over.is_steady and not over.is_staged and self._test() is True

    def _test(self, is_used: bool = False) -> Any:
        """The truth of the condition now; NEVER if it raises. What was recorded for it stays only where it is used.

        is_used: where only the Program knows it, too.
        """
        rec = self.rec
        if self.over is not None and self.over.is_steady:  # then it reads flags, and whether there is another item, no more
            return rec.truth(self.condition(*self.values))

        def keep(outcome: Any) -> bool:
            return isinstance(outcome, bool) or ((self.over is not None or is_used) and outcome is not NEVER)

        def test() -> Any:
            note_cells(rec, self.condition)
            return rec.truth(self.condition(*self.values))

        def tried() -> Any:
            try:
                return test()
            except Exception as error:
                if self.over is not None or is_refusal(error) or rec.frame.block.ops:
                    raise
                return RAISES

        tested = self.body.__code__ if self.over is None else None
        if tested in rec.facts.tested_in_place:
            return self._test_in_place(test)
        if tested is not None and not rec.has_values and not self._learnt.is_tested_apart:
            return self._test_known(test)
        run = partial(run_trial, rec, tried, keep=keep, tested=tested)
        trial = settle(rec.frame, run, lambda: f"the condition at {rec.here()}")
        if trial.outcome is RAISES:
            return self._test_in_place(test)
        if keep(trial.outcome):
            rec.splice(trial.frame)
        return trial.outcome

    def _test_in_place(self, test: Callable[[], Any]) -> bool:
        """The condition, which does what no trial can take back; if it is a Variable, the loop is staged from its start."""
        outcome = test()
        if not isinstance(outcome, bool):
            self._stage_from_its_start(self._of_condition(outcome))
            raise Restage.of_function()
        return outcome

    def _test_known(self, test: Callable[[], Any]) -> bool:
        """The condition, where nothing that it asks for is staged; if it is a Variable all the same, it is tried from then on."""
        outcome = test()
        if not isinstance(outcome, bool):
            self._knowledge().is_tested_apart = True
            raise Restage.of_function()
        return outcome

    def _turns(self) -> Turns | None:
        """The turns of a loop whose number is known, and that goes on to its end; none if they have been found to differ."""
        rec, over = self.rec, self.over
        if type(over) not in COUNTED or rec.facts.swaps or is_kept_unrolled(rec.facts.active[-1].original):
            return None
        if self._learnt.why_not_rolled:
            self.not_once = self._learnt.why_not_rolled
            return None
        count = over._length()  # type: ignore[union-attr]
        return Turns(rec, count) if type(count) is int else None

    def _would_grow(self, turns: Turns) -> bool:
        """Whether the Program gets longer by many operations with each turn, as only lengths or its first turn tell it apart."""
        is_one = self.first is News.KINDS or turns.differ_in_lengths()
        return is_one and turns.rest() > limits.unroll_operations // 10

    def _roll(self, turns: Turns) -> bool:
        """Record what all turns but the last have in common once, if that leaves as much known; whether it has been."""
        over = self.over
        assert over is not None
        if over.has_flags or not turns.are_alike():
            if turns.are_many:
                self.not_once = "a break or return leaves it" if over.has_flags else "its second and third turn differ"
            return False
        start, (_, body) = over.position, self._by_position()
        names, carried = (POSITION, *self.names), [start, *self.values]
        values = roll(self.rec, body, names, carried, self.site, (self.condition, self.body), turns)
        if values is None:
            over.position = start
            self.not_once = self._learnt.why_not_rolled
            return False
        over.position, self.values = turns.count - 1, values
        self.staged, self.not_once = f"its {turns.count} turns record the same, and are recorded once", ""
        return True

    def tell(self) -> None:
        """Tell what has become of the loop."""
        turns = turns_text(self.turns)
        known = "its condition is known" if self.over is None else "what it iterates is known"
        if self.staged:
            how, why = STAGED, self.staged
        elif self.records:
            how, why = UNROLLED, f"{turns}; {self.left or f'{known} while staging'}"
        else:
            how, why = PYTHON, f"{turns}, in which nothing is recorded; {known} while staging"
        tell_loop(self.rec, self.body, how, why, "" if how is PYTHON else self.not_once, self.line)

    def _of_condition(self, truth: Any) -> str:
        """Why a loop is staged whose condition has this truth."""
        return "its condition is known only when the Program runs" if truth is not NEVER else "its condition may raise"

    def _stage_from_its_start(self, why: str) -> str:
        """From now on, this loop is staged from its start, for this reason."""
        known = self._knowledge()
        known.why_staged, known.attempts = why, ATTEMPTS[self.first] if self.turns else UNSEEN
        return why

    def _by_position(self) -> tuple[Callable, Callable]:
        """The condition and the body of a `for`, which take and return its position, too."""
        over, condition, body = self.over, self.condition, self.body

        def at(position: Any, function: Callable, values: tuple) -> Any:
            over.position = position  # type: ignore[union-attr]
            return function(*values)

        def staged_condition(position, *values):
            return at(position, condition, values)

        def staged_body(position, *values):
            outcome = at(position, body, values)
            return as_outcome((position + 1, *as_values(outcome, len(values))))

        return staged_condition, staged_body

    def _guarded(self, known: Any) -> None:
        """One more iteration of a `for` over Python items, under the Variable that says whether it has been left."""
        rec, over = self.rec, self.over
        outcome = stage_if(rec, rec.lower(known), self.body, unchanged, self.names, tuple(self.values))
        self.values = list(as_values(outcome, len(self.values)))
        self.turns, self.records = self.turns + 1, True
        over.advance()  # type: ignore[union-attr]
        over.leave()  # type: ignore[union-attr]

    def _stage(self, why: str, of_one_kind: bool = False) -> list:
        rec, over = self.rec, self.over
        self.staged = f"{why}; {turns_text(self.turns)} came before" if self.turns else why
        self.not_once = PEELED[self.turns] if of_one_kind else ""
        site = (self.site, self.turns) if of_one_kind else self.site
        with rec.facts.apart("after", self.turns) if of_one_kind else nullcontext():
            if over is None:
                return Loop(rec, self.condition, self.body, self.names, self.values, site, of_one_kind=of_one_kind).run()
            names, carried = (POSITION, *self.names), [over.position, *self.values]
            cells, runs = (self.condition, self.body), self._has_a_turn()
            values = Loop(rec, *self._by_position(), names, carried, site, cells, runs, of_one_kind).run()[1:]
        over.leave()
        return values

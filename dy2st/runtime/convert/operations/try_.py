"""`try`: plain Python, or an operation `try` where something in the body may raise when the Program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....errors import ConversionError
from ....ir.types import BOOL
from ....ops.dispatch import RECORDERS
from ....pytree import flat
from ...control.settle import UNSTABLE, settle
from ...control.trial import (
    as_outcome,
    as_values,
    convert_unpacking,
    is_refusal,
    merge_trials,
    note_cells,
    run_trial,
    stage_if,
    try_alone,
    unchanged,
)
from ...heap.markers import MISSING, NEVER, Raised, Signal, no_value
from ...proxies import StagedSum
from ...recorder.caught import Caught, caught, exception_names
from ...recorder.recorder import Recorder, current_recorder, recorder
from ...recorder.try_bodies import Attempt, Thrown
from ...where.tracebacks import given_to_the_user
from .ifelse import convert_ifelse, convert_raise

Handlers = list[tuple[Callable[[], Any], Callable]]
Given = list[tuple[Callable[[], Any], Callable | None]]


def convert_try(
    body: Callable, values: tuple, given: Given, orelse: Callable | None = None, final: Callable | None = None
) -> Any:
    """Run `body` under its handlers: pairs of a function that gives the classes, and the handler; None goes on.

    All blocks take `values` and return them, as they are after it; a handler takes the exception first.
    """
    handlers = [(kinds, handler or _go_on) for kinds, handler in given]
    if final is None:
        if not RECORDERS:
            return _in_python(body, values, handlers, orelse)
        return under_handlers(body.__code__, body, values, handlers, orelse)

    def protected(*values: Any) -> Any:
        return under_handlers(body.__code__, body, values, handlers, orelse) if handlers else run_block(body, values)

    def on_error(error: Any, *values: Any) -> None:
        run_block(final, values)
        convert_raise()

    def normally(*values: Any) -> Any:
        return run_block(final, values)

    return under_handlers(final.__code__, protected, values, [(lambda: BaseException, on_error)], normally, final)


def _go_on(error: BaseException, *values: Any) -> Any:
    """A handler in which nothing happens."""
    return unchanged(*values)


def _in_python(body: Callable, values: tuple, handlers: Handlers, orelse: Callable | None) -> Any:
    """`try` with handlers and `else`, where nothing is staged."""
    try:
        result = body(*values)
    except BaseException as error:
        for kinds, handler in handlers:
            if isinstance(error, kinds()):
                return handler(given_to_the_user(error), *values)
        raise
    return result if orelse is None else orelse(*as_values(result, len(values)))


def run_block(function: Callable, values: tuple) -> Any:
    """Run a block of a statement; while staging, what it may store is noted."""
    rec = current_recorder()
    if rec is not None:
        note_cells(rec, function)
    return function(*values)


def under_handlers(
    site: Any, body: Callable, values: tuple, handlers: Handlers, orelse: Callable | None, final: Callable | None = None
) -> Any:
    """`try` with handlers and `else`; `site` tells it from others. final: the `finally` that its only handler runs."""
    rec = current_recorder()
    if rec is not None and site in rec.facts.staged_tries:
        return _StagedTry(rec, site, body, values, handlers, orelse).run()
    passing = None if rec is None or final is None else lambda: _does_nothing(rec, final, values)
    try:
        if rec is None:
            result = body(*values)
        else:
            with rec.handling.attempting(Attempt(rec, site, [kinds for kinds, _ in handlers], passing=passing)):
                result = run_block(body, values)
    except BaseException as error:
        if rec is not None:
            convert_unpacking(rec, error)
        handler = None if isinstance(error, Signal) or (rec is not None and is_refusal(error)) else _handler_of(error, handlers)
        if handler is None:
            raise
        given_to_the_user(error)
        if rec is None:
            return handler(error, *values)
        with rec.handling.in_handler_of(error):
            return run_block(handler, (error, *values))
    return result if orelse is None else run_block(orelse, as_values(result, len(values)))


def _does_nothing(rec: Recorder, final: Callable, values: tuple) -> bool:
    """Whether a `finally` would record nothing now: it puts back what staging knows, and a Program has nothing to do there."""
    trial = try_alone(rec, lambda: run_block(final, values), "the finally")
    return trial.outcome is not NEVER and not trial.frame.block.ops


def _handler_of(error: BaseException, handlers: Handlers) -> Callable | None:
    return next((handler for kinds, handler in handlers if isinstance(error, caught_by(kinds))), None)


def caught_by(kinds: Callable[[], Any]) -> Any:
    """The classes that an `except` names. TypeError: what Python raises for anything else."""
    found = kinds()
    for cls in flat(found, tuple):
        if isinstance(cls, StagedSum):
            raise ConversionError(
                f"{recorder().here()}: which exceptions this 'except' catches depends on the input data; write a 'try' on each "
                "path"
            )
        if not (isinstance(cls, type) and issubclass(cls, BaseException)):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    return found


def by_class(error: Any, function: Callable[[type], Any]) -> Any:
    """`function` of the class of an exception; where that follows the path, of each class it may have."""
    if not isinstance(error, Caught):
        return function(type(error))
    def from_(classes: list[type]) -> Any:
        cls, *others = classes
        if not others:
            return function(cls)
        return convert_ifelse(error._is_one_of(cls), lambda: function(cls), lambda: from_(others))

    return from_(sorted(error._classes, key=lambda cls: -len(cls.__mro__)))


class _StagedTry:
    """One `try` whose body raises when the Program runs; staged again until the types of what handlers read are stable."""

    def __init__(self, rec: Recorder, site: Any, body: Callable, values: tuple, handlers: Handlers, orelse: Callable | None):
        self.rec, self.body, self.values, self.handlers, self.orelse = rec, body, values, handlers, orelse
        self.attempt = Attempt(rec, site, [kinds for kinds, _ in handlers], staged=True)
        self.known = rec.facts.tries.setdefault(rec.facts.site(site), {})
        self.attempt.expect(self.known)
        self.left: list = []  # the locations that the body changed, for `else`

    def run(self) -> Any:
        """Record the `try`; the values after it."""
        return settle(self.rec.frame, self._stage, lambda: f"the try at {self.rec.here()}")

    def _stage(self) -> Any:
        """Try the body and the handlers; the values after the `try` if the types of what handlers read are stable."""
        rec, attempt = self.rec, self.attempt
        attempt.begin()
        attempt.make_cells()
        with rec.handling.attempting(attempt):
            body = run_trial(rec, self._body, keep=lambda _: attempt.end())
        if not attempt.stable:
            return UNSTABLE
        self.known.clear()
        self.known.update(attempt.spilled)
        if not attempt.is_reached:
            rec.splice(body.frame)
            if body.outcome is NEVER:
                raise Raised
            return body.outcome if self.orelse is None else self._go_on(body.outcome)
        reached = [(*pair, thrown) for pair, thrown in zip(self.handlers, attempt.thrown) if thrown]
        handler = run_trial(rec, lambda: self._handle(reached))
        names = [name for kinds, _, _ in reached for name in exception_names(rec, caught_by(kinds))]
        outcome = merge_trials(rec, "try", (), {"handlers": [names]}, body, handler)
        return outcome if self.orelse is None else self._go_on(outcome)

    # With an `else`, what the body left and what a handler left stay apart: (is it the body, its values, its locations, handler)

    def _body(self) -> Any:
        rec = self.rec
        self.attempt.enter_body()
        result = run_block(self.body, self.values)
        if self.orelse is None:
            return result
        changes = [change for change in rec.journal.pending() if change.after is not MISSING]
        self.left = [change.location for change in changes]
        return True, as_values(result, len(self.values)), tuple(change.after for change in changes), self._nothing(self.values)

    def _handle(self, reached: list[tuple[Callable, Callable, list[Thrown]]]) -> Any:
        self.attempt.restore()
        result = self._dispatch(reached)
        if self.orelse is None:
            return result
        return False, self._nothing(self.values), self._nothing(self.left), as_values(result, len(self.values))

    def _nothing(self, like: Any) -> tuple:
        return (no_value,) * len(like)

    def _dispatch(self, reached: list[tuple[Callable, Callable, list[Thrown]]]) -> Any:
        """The first handler that fits what was raised."""
        (kinds, handler, thrown), *others = reached
        rec = self.rec
        if not others:
            return self._run_handler(handler, thrown)
        anything = caught(rec, [one for *_, thrown in reached for one in thrown])
        attrs = {"exceptions": exception_names(rec, caught_by(kinds))}
        test = rec.emit("caught.is", [anything._value], [BOOL], attrs).result
        return stage_if(rec, test, lambda: self._run_handler(handler, thrown), lambda: self._dispatch(others))

    def _run_handler(self, handler: Callable, thrown: list[Thrown]) -> Any:
        error = caught(self.rec, thrown)
        with self.rec.handling.in_handler_of(error):
            return run_block(handler, (error, *self.values))

    def _go_on(self, left: Any) -> Any:
        """The `else`, on the path where nothing was raised."""
        normally, values, held, handled = left

        def orelse() -> Any:
            for location, value in zip(self.left, held):
                self.rec.put(location, value)
            return run_block(self.orelse, values)  # type: ignore[arg-type]

        return convert_ifelse(normally, orelse, lambda: as_outcome(handled))

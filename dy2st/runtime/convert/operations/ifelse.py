"""`if`, the conditional expression, `assert` and `raise`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ops.dispatch import RECORDERS
from ...control.trial import raise_again, raise_caught, record_raise, stage_if, unchanged
from ...heap.markers import Raised
from ...proxies import StagedSum
from ...recorder.caught import Caught
from ...recorder.fates import PYTHON, STAGED
from ...recorder.recorder import Recorder, current_recorder
from ...where.faults import as_the_user, speaks_for_the_user
from ...where.user_frames import raises_again
from ...where.variables import carried_by


def convert_ifelse(pred: Any, true_fn: Callable | None, false_fn: Callable | None, args: tuple = ()) -> Any:
    """Run one branch for a Python condition; stage both for a Variable.

    Both take `args` and return the names they are called after; None leaves them as they are.
    """
    if not RECORDERS or (rec := current_recorder()) is None:
        branch = (true_fn if pred else false_fn) or unchanged
        return branch(*args) if args else branch()
    known = rec.truth(pred)
    if known is True or known is False:
        _tell(rec, true_fn or false_fn, PYTHON, f"its condition is known while staging: {known}")
        return ((true_fn if known else false_fn) or unchanged)(*args)
    why = f"its condition is {rec.type_of(pred)}, known only when the Program runs"
    _tell(rec, true_fn or false_fn, STAGED, why)
    names = carried_by(true_fn or false_fn or unchanged)
    return stage_if(rec, rec.lower(known), true_fn or unchanged, false_fn or unchanged, names, args)


def _tell(rec: Recorder, branch: Callable | None, how: str, why: str) -> None:
    rec.fates.tell_if(rec.frame.block, branch, rec.here() if branch is None else None, how, why)


convert_ifexp = convert_ifelse  # `a if pred else b`, with both sides as functions


def convert_assert(test: Any, message: Callable[[], Any] | None = None) -> None:
    """`assert test, message()`: at once for a Python value, at run time for a Variable."""
    if test is not True:
        convert_ifelse(test, lambda: None, lambda: _fail(message))


@speaks_for_the_user
def _fail(message: Callable[[], Any] | None) -> None:
    raise AssertionError(*(() if message is None else (message(),)))


def convert_raise(*given: Any) -> None:
    """`raise error from cause`. Inside staged control flow the trial records it: it happens at run time, on that path."""
    rec = current_recorder()
    if rec is None:
        return _raise(*given)
    for index, staged in enumerate(given):
        if isinstance(staged, StagedSum):
            rec.on_alternatives(staged, lambda x: convert_raise(*given[:index], x, *given[index + 1 :]))  # noqa: B023
    error, *causes = given or (rec.handling.handled,)
    if error is rec.handling.handled and isinstance(error, Caught) and not causes:
        raise_again(rec, error)
    if isinstance(error, Caught):
        raise_caught(rec, error, *causes)
    if given:
        error = as_the_user(error) if isinstance(error, type) and issubclass(error, BaseException) else error
        rec.handling.raising = error
    if causes:
        rec.handling.causes.append((error, causes[0]))
        if isinstance(causes[0], Caught):
            record_raise(rec, error)
            raise Raised
    return _raise(*(error, *causes) if given else ())


@speaks_for_the_user
def _raise(*given: Any) -> None:
    """Python's own `raise`."""
    if not given:
        _raise_again()
    if len(given) == 1:
        raise given[0]
    raise given[0] from given[1]


@raises_again
def _raise_again() -> None:
    _raise_handled()


@speaks_for_the_user
def _raise_handled() -> None:
    raise  # noqa: PLE0704 - what the handler around it caught; it adds no entry of this function

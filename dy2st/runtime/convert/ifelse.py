"""`if`, the conditional expression, `assert` and `raise`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..caught import Caught
from ..proxies import StagedSum
from ..staging import raise_again, stage_if
from ..static import current_recorder


def convert_ifelse(pred: Any, true_fn: Callable, false_fn: Callable, args: tuple = ()) -> Any:
    """Run one branch for a Python condition; stage both for a Variable.

    Both take `args` and return the names they are called after.
    """
    rec = current_recorder()
    known = bool(pred) if rec is None else rec.truth(pred)
    if rec is None or isinstance(known, bool):
        return (true_fn if known else false_fn)(*args)
    code = true_fn.__code__
    names = code.co_varnames[: code.co_argcount - len(true_fn.__defaults__ or ())]
    return stage_if(rec, rec.lower(known), true_fn, false_fn, names, args)


def convert_ifexp(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any]) -> Any:
    """`a if pred else b`, with both sides as functions."""
    return convert_ifelse(pred, true_fn, false_fn)


def convert_assert(test: Any, message: Callable[[], Any] | None = None) -> None:
    """`assert test, message()`: at once for a Python value, at run time for a Variable."""

    def fail():
        raise AssertionError(*(() if message is None else (message(),)))

    convert_ifelse(test, lambda: None, fail)


_NONE = object()


def convert_raise(error: Any = _NONE, cause: Any = _NONE) -> None:
    """`raise error from cause`. Inside staged control flow the trial records it: it happens at run time, on that path."""
    rec = current_recorder()
    if isinstance(cause, Caught):  # the Program chains by itself what is raised in a handler
        cause = _NONE
    if rec is not None and isinstance(rec.handled, Caught) and (error is _NONE or error is rec.handled):
        raise_again(rec, rec.handled)
    if isinstance(error, StagedSum) and rec is not None:
        rec.on_alternatives(error, lambda x: convert_raise(x, cause))
    if isinstance(error, Caught):
        error._refuse("it can be raised again in its own handler only: raise a new exception with its text")
    if error is _NONE:
        raise
    if cause is _NONE:
        raise error
    raise error from cause

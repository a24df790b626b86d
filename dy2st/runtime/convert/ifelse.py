"""`if`, the conditional expression, `assert` and `raise`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..staging import stage_if
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


_NO_CAUSE = object()


def convert_raise(error: Any, cause: Any = _NO_CAUSE) -> None:
    """`raise error from cause`. Inside staged control flow the trial records it: it happens at run time, on that path."""
    if cause is _NO_CAUSE:
        raise error
    raise error from cause

"""`functools.cache`, `lru_cache`, `partial`, `singledispatch`: what they wrap is converted, by what is known of the arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...library import Kept, opened
from ...proxies import StagedSum
from ...recorder.recorder import Recorder, current_recorder
from ...where.faults import as_the_user
from .foreign import foreign_class


def is_dispatching(function: Any) -> bool:
    """Whether this is what `singledispatch` gives."""
    return hasattr(function, "registry") and hasattr(function, "dispatch")


def dispatched(rec: Recorder, function: Any) -> Callable:
    """The implementation for the class that the first argument has when the Program runs."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if not args:
            raise TypeError(f"{function.__name__} requires at least 1 positional argument")
        rec.facts.guards.watch(function.registry)
        first, *args = args  # type: ignore[assignment]
        if isinstance(first, StagedSum):
            return rec.on_alternatives(first, lambda x: call(x, *args, **kwargs))
        return as_the_user(rec.convert_call(function.dispatch(rec.convert_call(type)(first))), first, *args, **kwargs)

    return call


def convert_partial(*args: Any, **kwargs: Any) -> Any:
    """`functools.partial(function, ...)`: that of a partial has the arguments of both, as in Python."""
    rec = current_recorder()
    if rec is None:
        return as_the_user(functools.partial, *args, **kwargs)
    if args and isinstance(args[0], StagedSum):
        return rec.on_alternatives(args[0], lambda function: convert_partial(function, *args[1:], **kwargs))
    if args and issubclass(type(args[0]), Kept) and type(args[0]).__stands_for__ is functools.partial:
        args = (opened(args[0]), *args[1:])
    return rec.new(foreign_class(rec, functools.partial)(*args, **kwargs))

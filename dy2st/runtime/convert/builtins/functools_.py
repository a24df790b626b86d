"""`functools.cache`, `lru_cache`, `partial`, `singledispatch`: what they wrap is converted, by what is known of the arguments."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from ....errors import ConversionError
from ...heap.identity import SCALARS
from ...library import Kept, opened
from ...proxies import Staged, StagedSum
from ...recorder.recorder import Recorder, current_recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ..operations.structures import is_staged_in
from .foreign import foreign_class, parts_of

CACHED = functools._lru_cache_wrapper


def cached(rec: Recorder, function: Any) -> Callable:
    """A function that keeps its results by its arguments.

    A result that the Program computes is kept for this recording only; of others, Python's own cache has the one object.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        if any(map(is_staged_in, (*args, *kwargs.values()))):
            raise ConversionError(
                f"{rec.here()}: {function.__qualname__} keeps its results by its arguments (functools.cache), of which one is "
                f"known only when the Program runs; call {function.__name__}.__wrapped__(...), or leave the decorator out"
            )
        key = (function, as_the_user(functools._make_key, args, kwargs, True))
        if not as_the_user(operator.contains, rec.cached, key) or not rec.is_visible(rec.cached[key]):
            rec.cached[key] = as_the_user(rec.convert_call(function.__wrapped__), *args, **kwargs)
        found = rec.cached[key]
        if any(isinstance(part, Tensor | Staged) for part in parts_of(found)):
            return found
        found = as_the_user(function, *args, **kwargs)
        if type(found) not in SCALARS:
            rec.facts.guards.watch(found)  # the cache keeps what it may have made just now
            rec.facts.guards.answers.note(_kept_object, (function, *args), kwargs)
        return found

    return call


def _kept_object(function: Callable, *args: Any, **kwargs: Any) -> int:
    """Which object a cache has for these arguments."""
    return id(function(*args, **kwargs))


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

"""`functools.cache`, `lru_cache`: a function that keeps its results by its arguments is converted, by what is known of these.

Python runs it the first time only, whichever call of whichever function that is. So it may change nothing that lives on.
"""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable
from typing import Any

from .... import pytree
from ....errors import ConversionError
from ...heap.identity import SCALARS
from ...proxies import Staged, StagedScalar
from ...recorder.recorder import Recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ...where.profiling import unwatched
from ...where.storing import may_store
from ..operations.structures import is_staged_in
from .foreign import parts_of

CACHED = functools._lru_cache_wrapper
CHANGEABLE = (list, dict, set)
METHODS = ("cache_info", "cache_clear")


def cached(rec: Recorder, function: Any) -> Callable:
    """A function that keeps its results by its arguments.

    A result that the Program computes is kept for this recording only; of others, Python's own cache has the one object.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        if any(map(is_staged_in, (*args, *kwargs.values()))):
            return _computed_each_time(rec, function, args, kwargs)
        key = (function, as_the_user(functools._make_key, args, kwargs, True))
        if not as_the_user(operator.contains, rec.cached, key) or not rec.is_visible(rec.cached[key]):
            rec.cached[key] = _first_result(rec, function, args, kwargs)
        found = rec.cached[key]
        is_of_this_call = _is_of_this_call(rec, function) or _is_asked_of_new(rec, args)
        if is_of_this_call or any(isinstance(part, Tensor | Staged) for part in parts_of(found)):
            return found
        # On no path it is known to change nothing; on a path, what it calls tells.
        found = as_the_user(unwatched(function) if len(rec.frames) == 1 else function, *args, **kwargs)
        if type(found) not in SCALARS:
            rec.facts.guards.watch(found)  # the cache keeps what it may have made just now
            rec.facts.guards.answers.note(_kept_object, (function, *args), kwargs)
        return found

    return call


def _computed_each_time(rec: Recorder, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The result for arguments that depend on input data: numbers, and containers of them that nobody changes, are computed anew.

    TypeError: an argument can't be hashed. ConversionError: the result holds tensors or objects, of which Python keeps the same.
    """
    for part in pytree.nodes((args, kwargs)[:1]):
        if type(part) in CHANGEABLE:
            as_the_user(hash, part)
    found = _first_result(rec, function, args, kwargs)
    if not all(type(part) in SCALARS or isinstance(part, StagedScalar) for part in parts_of(found)):
        raise ConversionError(
            f"{rec.here()}: {function.__qualname__} keeps its results by its arguments (functools.cache), of which one depends "
            f"on input data, and the result holds more than numbers; call {function.__name__}.__wrapped__(...), or leave the "
            "decorator out"
        )
    changeable = [part for part in pytree.nodes(found) if type(part) in CHANGEABLE]
    title = f"{rec.here()}: a result of {function.__qualname__}"
    rec.kept_results += [(part, pytree.contents_of(part), title) for part in changeable]
    return found


def refuse_changed_results(rec: Recorder) -> None:
    """ConversionError: the code has changed a list, dict or set that a function keeps, and gives again the next time."""
    for part, (keys, items), title in rec.kept_results:
        now_keys, now = pytree.contents_of(part)
        is_same = rec.heap.resolve(part) is part and list(now_keys or ()) == list(keys or ())
        if not is_same or len(now) != len(items) or any(a is not b for a, b in zip(now, items)):
            raise ConversionError(f"{title} is changed, which the function keeps (functools.cache); change a copy of it")


def _first_result(rec: Recorder, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """What the converted function gives; ConversionError where it changes what may not be changed again by a later call."""
    noted = rec.journal.noted()
    result = as_the_user(rec.convert_call(function.__wrapped__), *args, **kwargs)
    is_first = _is_of_this_call(rec, function)
    if is_first and len(rec.frames) > 1:
        raise _changing(rec, function, "may change something")
    is_first |= len(rec.frames) == 1 and _is_asked_of_new(rec, args)
    if not is_first and (changes := rec.journal.changed_after(noted)):
        raise _changing(rec, function, f"changes {changes[0].location}")
    return result


def _changing(rec: Recorder, function: Any, what: str) -> ConversionError:
    return ConversionError(
        f"{rec.here()}: {function.__qualname__} {what} the first time that it is called with these arguments, and keeps its "
        "result (functools.cache): a Program can't tell which call is the first; call "
        f"{function.__name__}.__wrapped__(...), or let it change nothing"
    )


def _is_of_this_call(rec: Recorder, function: Any) -> bool:
    """Whether each call makes the function, whose cache is empty then, and it may change something."""
    wrapped = function.__wrapped__
    code = getattr(wrapped, "__code__", None)
    if code is None or rec.heap.birth(wrapped) is None:
        return False
    return may_store(code) or not all(name in vars(builtins) or name == function.__name__ for name in code.co_names)


def _is_asked_of_new(rec: Recorder, args: tuple) -> bool:
    """Whether an argument is an object that this call has made, and only itself equals: no cache has a result for it before."""
    made = [arg for arg in args if rec.heap.birth(arg) is not None]
    return any(type(arg).__hash__ is object.__hash__ and type(arg).__eq__ is object.__eq__ for arg in made)


def method_of_cache(rec: Recorder, function: Any) -> Callable:
    """`f.cache_info()` and `f.cache_clear()`: which results there are differs from call to call."""
    owner = function.__self__

    def call(*args: Any, **kwargs: Any) -> Any:
        if rec.heap.birth(owner.__wrapped__) is not None and not _is_of_this_call(rec, owner):
            return as_the_user(function, *args, **kwargs)
        raise ConversionError(
            f"{rec.here()}: {owner.__name__}.{function.__name__}() is of the results that {owner.__name__} has kept "
            "(functools.cache) when the Program runs, which it doesn't know; call it outside of the converted function"
        )

    return call


def _kept_object(function: Callable, *args: Any, **kwargs: Any) -> int:
    """Which object a cache has for these arguments."""
    return id(function(*args, **kwargs))

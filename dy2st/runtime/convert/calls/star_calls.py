"""`_jst.star_call(f)(a, *_jst.star(b), **_jst.keywords(c))`: how many there are, the Program may say."""

from __future__ import annotations

import functools
import inspect
import itertools
import types
from typing import Any

from ....errors import ConversionError
from ....ops.dispatch import RECORDERS
from ...heap.heap import Poison
from ...heap.staged_objects import contents
from ...library.base import name_in_c
from ...library.variadic import VARIADIC
from ...proxies import StagedDict, StagedNumber, StagedSum
from ...recorder.recorder import Recorder, current_recorder
from ...where.faults import as_the_user, speaks_for_the_user
from ...where.profiling import unwatched
from ..operations.structures import known_class
from ..operations.sums import of_each_kind, on_alternatives
from .calls import convert_call
from .passed_arguments import Given

_numbers = itertools.count()


class Unknown(str):
    """The name under which a dict of keywords is passed that only the Program knows; each is another."""


def convert_keywords(mapping: Any) -> Any:
    """What `**mapping` passes to a call; or, where only the Program knows the names, what stands for them."""
    if not RECORDERS or (rec := current_recorder()) is None:
        return mapping
    resolved = rec.heap.resolve(mapping)
    if isinstance(resolved, StagedSum | StagedNumber):
        return convert_keywords(of_each_kind(rec, resolved, lambda x: rec.convert_call(dict)(_mapping(rec, x))))
    known = contents(rec.heap.resolve(_mapping(rec, mapping)))
    found = rec.heap.resolve(known)
    return {Unknown(f"**{next(_numbers)}"): found} if isinstance(found, StagedDict) else known


def _mapping(rec: Recorder, value: Any) -> Any:
    """What `**value` reads. TypeError: it is no mapping."""
    cls = known_class(rec.heap.resolve(value))
    if not hasattr(cls, "keys"):
        raise TypeError(f"argument after ** must be a mapping, not {name_in_c(cls)}")
    return value


def convert_star_call(function: Any) -> Any:
    """What to call in place of `function` with what `convert_star` and `convert_keywords` give."""
    if not RECORDERS or (rec := current_recorder()) is None:
        return function
    return _star_call(rec, function, convert_call(function))


@unwatched
@speaks_for_the_user
def _star_call(rec: Recorder, function: Any, call: Any) -> Any:
    """`call`, which may be given arguments that only the Program can count."""

    def star_call(*args: Any, **kwargs: Any) -> Any:
        if any(type(a) is Poison for a in args) or any(type(name) is Unknown for name in kwargs):
            return _call(rec, function, args, kwargs)
        return call(*args, **kwargs)

    if not isinstance(function, StagedSum):
        functools.update_wrapper(star_call, function, ("__module__", "__qualname__"), ())  # what Python calls it in errors
    return star_call


def _call(rec: Recorder, function: Any, args: tuple, kwargs: dict) -> Any:
    """A call with arguments that only the Program can count."""
    if isinstance(function, StagedSum):
        return on_alternatives(rec, function, lambda f: _call(rec, f, args, kwargs))
    called = VARIADIC.get(function, function) if _is_hashable(function) else function
    python, before = _written_in_python(called)
    called = python
    if python is None and _is_hashable(function):
        called, python = function, rec.facts.policy.in_python(function)
    if python is None:
        name = getattr(function, "__name__", type(function).__name__)
        raise ConversionError(
            f"{rec.here()}: {name} isn't written in Python, and how many arguments it gets is known only when the Program runs; "
            "hand it each of them by itself, by index or by key"
        )
    tables = [value for name, value in kwargs.items() if type(name) is Unknown]
    if len(tables) > 1:
        raise ConversionError(
            f"{rec.here()}: f(**a, **b) of two dicts that are known only when the Program runs; write f(**{{**a, **b}})"
        )
    named = {name: value for name, value in kwargs.items() if type(name) is not Unknown}
    given = Given(rec, _scoped(python), (*before, *args), named, tables[0] if tables else None)
    if isinstance(function, type) and before:
        return as_the_user(convert_call(function), *given.args[1:], **given.kwargs)
    return as_the_user(convert_call(called), *given.args, **given.kwargs)


def _scoped(function: Any) -> Any:
    """The function that `no_grad()`, `in_float32` or the like decorates, whose parameters are asked."""
    while hasattr(function, "__dy2st_scope__") or hasattr(function, "__dy2st_wide__"):
        function = function.__wrapped__
    return function


def _is_hashable(function: Any) -> bool:
    return getattr(type(function), "__hash__", None) is not None


def _written_in_python(function: Any) -> tuple[Any, tuple]:
    """The function in Python that a call enters, and its first arguments; None where it is something else."""
    function = getattr(function, "__dy2st_original__", function)
    if isinstance(function, types.FunctionType):
        return function, ()
    if isinstance(function, types.MethodType):
        python, before = _written_in_python(function.__func__)
        return python, (*before, function.__self__)
    if isinstance(function, functools.partial) and not function.keywords:
        python, before = _written_in_python(function.func)
        return python, (*before, *function.args)
    if isinstance(function, type):
        makes = function.__new__ if function.__init__ is object.__init__ else function.__init__  # type: ignore[misc]
        return (makes, (function,)) if isinstance(makes, types.FunctionType) else (None, ())
    method = inspect.getattr_static(type(function), "__call__", None)
    return (method, (function,)) if isinstance(method, types.FunctionType) else (None, ())

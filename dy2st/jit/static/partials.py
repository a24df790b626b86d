"""`functools.partial` as a function of its own: what is bound by name becomes the default of that parameter."""

from __future__ import annotations

import functools
import types
from typing import Any

from ...annotations import copy_description


def unfold(partial: functools.partial) -> Any:
    """The function or bound method that a partial stands for; TypeError where its arguments would have no names."""
    function, bound = partial.func, partial.keywords
    if isinstance(function, functools.partial):
        function = unfold(function)
    if isinstance(function, types.MethodType) and not partial.args:
        return types.MethodType(_with_defaults(function.__func__, bound), function.__self__)
    if isinstance(function, types.FunctionType) and not partial.args:
        return _with_defaults(function, bound)
    raise _refused()


def _with_defaults(function: Any, bound: dict[str, Any]) -> types.FunctionType:
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    positional, keyword_only = names[: code.co_argcount], names[code.co_argcount :]
    given = function.__defaults__ or ()
    defaults = {**dict(zip(positional[len(positional) - len(given) :], given)), **bound}
    last = [name for name in positional if name in defaults]
    if not bound.keys() <= set(names) or tuple(last) != positional[len(positional) - len(last) :]:
        raise _refused()
    values = tuple(defaults[name] for name in last)
    made = types.FunctionType(code, function.__globals__, function.__name__, values, function.__closure__)
    made.__kwdefaults__ = {**(function.__kwdefaults__ or {}), **{n: v for n, v in bound.items() if n in keyword_only}}
    copy_description(made, function)
    made.__dict__.update(function.__dict__)
    return made


def _refused() -> TypeError:
    return TypeError(
        "to_static takes a partial that binds the last parameters by name, partial(f, k=7); "
        "write `lambda x: f(7, x)`, or a function, so that its arguments have names"
    )

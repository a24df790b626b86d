"""Which operands and attributes an operator takes, as the parameters of its kernel and of its inference say.

A kernel may be wrapped (`quiet`): what it wraps counts. Of a function in C, NumPy's `nin` or Python's own text of its signature
tells; of some nothing is known. `out` is how the engine passes memory, and no attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any, NamedTuple

_STAR, _STARS = 4, 8  # flags of code objects: takes any number of positional arguments, of keyword arguments


class Parameters(NamedTuple):
    """The parameters of a function: `least` to `most` of them by position, all of `names` by keyword."""

    names: frozenset[str]
    required: tuple[str, ...]  # positional parameters without a default, in order
    required_names: frozenset[str]  # keyword-only parameters without a default
    most: float
    any_name: bool


@lru_cache(maxsize=4096)
def parameters(function: Callable) -> Parameters | None:
    """The parameters of a Python function, or of what it wraps; None where nothing is known of them."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    if code is None:
        names = _names_in_c(function)
        return None if names is None else Parameters(frozenset(), names, frozenset(), len(names), False)
    positional = code.co_varnames[: code.co_argcount]
    named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    defaults: Any = function.__defaults__ or ()  # type: ignore[attr-defined]
    keyword_defaults: Any = function.__kwdefaults__ or {}  # type: ignore[attr-defined]
    return Parameters(
        names=frozenset((*positional[code.co_posonlyargcount :], *named)) - {"out"},
        required=positional[: len(positional) - len(defaults)],
        required_names=frozenset(named) - keyword_defaults.keys(),
        most=float("inf") if code.co_flags & _STAR else len(positional) - ("out" in positional),
        any_name=bool(code.co_flags & _STARS),
    )


def _names_in_c(function: Any) -> tuple[str, ...] | None:
    """The parameters of a function in C that takes a fixed number by position; None of any other."""
    if hasattr(function, "nin"):
        return tuple(f"x{i}" for i in range(function.nin))
    text = getattr(function, "__text_signature__", None) or "(*)"
    if "*" in text or "=" in text or isinstance(function, type):
        return None
    return tuple(name for name in text.strip("()").split(", ") if name not in ("$module", "/"))


def attribute_names(kernel: Callable, infer: Callable) -> frozenset[str]:
    """The names that one of the two has among its parameters, and that the other takes."""
    known = [found for found in (parameters(kernel), parameters(infer)) if found is not None]
    names: frozenset[str] = frozenset().union(*(found.names for found in known))
    return frozenset(name for name in names if all(found.any_name or name in found.names for found in known))


def misfit(kernel: Callable, infer: Callable, count: int, names: Collection[str]) -> str:
    """Why `count` operands by position and attributes of these names are no call of an operator; "" where they are one."""
    for found in filter(None, (parameters(kernel), parameters(infer))):
        if count > found.most:
            return f"takes {found.most} operands at most, not {count}"
        missing = [*(name for name in found.required[count:] if name not in names), *(found.required_names - set(names))]
        if missing:
            return f"lacks {', '.join(sorted(missing))}"
        if twice := set(found.required[:count]) & set(names):
            return f"is given {', '.join(sorted(twice))} twice"
    return ""

"""The functions that a graph may call, by name: the library's public ones, Python's arithmetic, and those that the user wraps."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from ..ops.registry import OpDef
from ..runtime.tensors.call_hook import observed
from ..runtime.tensors.tensor import Tensor
from .allowed import library
from .alternatives import kind_of

_wrapped: dict[str, Callable] = {}
_PACKAGE = __name__.partition(".")[0]
_NAME = re.compile(r"[\w<>]+(\.[\w<>]+)+")


def axis_length(x: Tensor, axis: int) -> Any:
    """The length of one axis of x: `x.shape[axis]`."""
    if not isinstance(x, Tensor) or not isinstance(axis, int):
        raise TypeError(f"the length of an axis is one of a Tensor, by number, not of {type(x).__name__} by {axis!r}")
    lengths = x.shape
    if not -len(lengths) <= axis < len(lengths):
        raise IndexError(f"a tensor of {len(lengths)} axes has no axis {axis}")
    return lengths[axis]


ARITHMETIC = ("add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "neg")
_OWN: dict[str, Callable] = {f"operator.{name}": getattr(operator, name) for name in ARITHMETIC}
_OWN["traced_module.axis_length"] = axis_length
_OWN["traced_module.kind_of"] = kind_of


def wrap(function: Callable) -> Callable:
    """Decorator: calls of `function` are single Exprs, not traced into. It returns tensors, or containers of tensors."""
    made = observed(function)
    made.__dy2st_original__ = function  # type: ignore[attr-defined]  # what staging converts
    _wrapped[function_name(made)] = made
    return made


def is_wrapped(function: Callable) -> bool:
    """Whether this is a function that the user wrapped."""
    return getattr(function, "__dy2st_original__", None) is not None


class MissingFunction:
    """Stands for a wrapped function whose source isn't there: it can be printed, saved and walked, not called."""

    def __init__(self, name: str):
        self.__module__, self.__qualname__ = name.rpartition(".")[::2]
        self.__name__ = self.__qualname__
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            f"the function {self.name} isn't here: it was wrapped where this module was traced; "
            "import it, wrapped, before the module is loaded"
        )


def function_name(function: Callable) -> str:
    """The full name of a function: its module and qualified name."""
    if isinstance(function, MissingFunction):
        return function.name
    if isinstance(function, OpDef):
        return function.name
    known = next((name for name, own in _OWN.items() if own is function), None)
    return known or f"{function.__module__}.{function.__qualname__}"


def printed_name(function: Callable) -> str:
    """How a function prints: one of the library by the last part of its module, `activation.relu`."""
    name = function_name(function)
    return ".".join(name.split(".")[-2:]) if name.startswith("dy2st.") else name


def function_named(name: str) -> Callable:
    """The function of this name, among those that graphs may call; a MissingFunction for one that only a user can have wrapped.

    ValueError for a name of the library's that isn't among them, and for what isn't the name of a function.
    """
    found = _OWN.get(name) or library().get(name) or _wrapped.get(name)
    if found is None and (name.startswith(f"{_PACKAGE}.") or not _NAME.fullmatch(name)):
        raise ValueError(f"a graph can't call {name[:200]!r}")
    return found or MissingFunction(name)


def is_public(function: Any) -> bool:
    """Whether this is a public function of the library."""
    return callable(function) and library().get(function_name(function)) is function

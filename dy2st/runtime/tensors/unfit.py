"""Arguments of another kind than a function takes, named after the call has failed: until then nothing is checked.

What fails deep inside a function tells of its own lines. A parameter says in its annotation, or by its default, what it
takes; the first argument that is something else is what the error is about.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..where.faults import arose_by_itself
from .tensor import Tensor

_WORDS = {"Tensor": "a Tensor", "bool": "a bool", "int": "an int", "float": "a number", "str": "a str", "None": "None"}
_NUMBERS = (bool, int, float, complex, np.generic)
_ONE_OR_MORE = "an int or a list of ints"


class UnfitArgumentError(TypeError):
    """An argument of another kind than the function takes; `value` is the argument."""

    value: object


UnfitArgumentError.__name__ = UnfitArgumentError.__qualname__ = "TypeError"  # what Python would raise


def unfit(error: Exception, function: Callable, args: tuple, kwargs: dict[str, Any], name: str = "") -> UnfitArgumentError | None:
    """The error that names the argument of another kind, where one in this package or in NumPy doesn't; else None.

    Where a function that this one calls has named its own argument, this one's name for it is what the user knows.
    """
    is_told = isinstance(error, UnfitArgumentError)
    if not is_told and not arose_by_itself(error):
        return None
    for parameter, value in _given(function, args, kwargs):
        expected = _expected(parameter)
        if expected and not _fits(value, expected) and (not is_told or value is error.value):  # type: ignore[attr-defined]
            return _told(name or function.__name__, parameter.name, expected, value)
    return None


def _given(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Iterator[tuple[inspect.Parameter, Any]]:
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:  # which Python has said already
        return
    for name, value in bound.arguments.items():
        yield signature.parameters[name], value


def _expected(parameter: inspect.Parameter) -> tuple[str, ...]:
    """The kinds that a parameter takes; none where nothing is said."""
    if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
        return ()
    said = tuple(str(parameter.annotation).split(" | "))
    if all(kind in _WORDS for kind in said):
        return said
    default = type(parameter.default)
    if said != ("Any",) or default not in (bool, int, float, str):
        return ()
    return (_ONE_OR_MORE,) if default is int else (default.__name__,)


def _fits(value: Any, kinds: tuple[str, ...]) -> bool:
    if hasattr(value, "_value"):  # only the Program knows it
        return True
    if isinstance(value, Tensor):
        return kinds == ("Tensor",) or "Tensor" in kinds or (value.type.shape in (None, (), (1,)) and kinds != ("str",))
    if isinstance(value, list | tuple):
        return _ONE_OR_MORE in kinds and not any(isinstance(item, float | complex | str) or item is None for item in value)
    if isinstance(value, str):
        return "str" in kinds
    if isinstance(value, _NUMBERS):
        takes = ("float",) if isinstance(value, float | complex) else ("float", "int", "bool", _ONE_OR_MORE)
        return any(kind in kinds for kind in takes)
    return value is None and "None" in kinds


def _told(function: str, name: str, expected: tuple[str, ...], value: Any) -> UnfitArgumentError:
    words = " or ".join(_WORDS.get(kind, kind) for kind in expected)
    cure = f"; write to_tensor({name})" if "Tensor" in expected and isinstance(value, list | np.ndarray) else ""
    error = UnfitArgumentError(f"{function}: {name} must be {words}, not {described(value)}{cure}")
    error.value = value
    return error


def described(value: Any) -> str:
    """A value for an error message: its type, and its text where that is short."""
    if isinstance(value, Tensor):
        return f"a {value.type} tensor"
    text = repr(value)
    return f"{type(value).__name__} {text}" if len(text) <= 40 and "\n" not in text else type(value).__name__

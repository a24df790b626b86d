"""`assert_type` at run time: the value is of the type that type checkers say."""

from __future__ import annotations

import types
import typing
from typing import Any


def assert_type(value: Any, expected: Any) -> Any:
    assert is_of(value, expected), f"{value!r} is no {expected}"
    return value


def is_of(value: Any, expected: Any) -> bool:
    """Whether a value is of a type, as far as its parts tell."""
    kind, arguments = typing.get_origin(expected), typing.get_args(expected)
    if expected is Any:
        return True
    if expected is None:
        return value is None
    if kind in (types.UnionType, typing.Union):
        return any(is_of(value, one) for one in arguments)
    if kind is tuple and arguments[-1] is not ...:
        return isinstance(value, tuple) and len(value) == len(arguments) and all(map(is_of, value, arguments))
    if kind in (tuple, list):
        return isinstance(value, kind) and all(is_of(item, arguments[0]) for item in value)
    if kind is dict:
        return isinstance(value, dict) and all(is_of(k, arguments[0]) and is_of(v, arguments[1]) for k, v in value.items())
    return isinstance(value, kind or expected)

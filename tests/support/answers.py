"""What a call gives, values or an exception; and that a test which compares calls has values to compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Raised:
    """The exception that a call ended in."""

    kind: str
    text: str


def answer(function: Callable, *arguments: Any) -> Any:
    """The result of a call, or its exception."""
    try:
        return function(*arguments)
    except Exception as error:
        return Raised(type(error).__name__, str(error))


def assert_some_answer(expected: Sequence[Any], raises: bool = False) -> None:
    """Assert that not every call raises, since then no values are compared.

    raises: whether the test is about exceptions alone, and every call is to raise.
    """
    all_raise = all(isinstance(found, Raised) for found in expected)
    assert all_raise or not raises, f"a call answers: {expected}"
    assert raises or not all_raise, f"every call raises, so no values are compared: {expected}"

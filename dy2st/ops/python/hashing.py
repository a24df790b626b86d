"""What is to be a key of a dict or an element of a set."""

from __future__ import annotations

from typing import Any

DEEPEST = 1000  # tuples inside each other


def hashed(value: Any) -> Any:
    """`value` itself; RecursionError where tuples lie so deep in each other that CPython's `hash` would crash."""
    if isinstance(value, tuple):
        _check_depth(value)
    return value


def _check_depth(value: tuple) -> None:
    level = [value]
    for _ in range(DEEPEST):
        level = list({id(part): part for outer in level for part in outer if isinstance(part, tuple)}.values())
        if not level:
            return
    raise RecursionError(f"a key of more than {DEEPEST} tuples inside each other")

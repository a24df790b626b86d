"""What the methods of a Model take: numbers that count, one or several."""

from __future__ import annotations

from typing import Any


def count(owner: str, name: str, value: Any) -> int:
    """A positive int. ValueError: anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ValueError(f"{owner}: {name} must be a positive int, not {value!r}")
    return value


def listed(value: Any) -> list:
    """None, one or several as a list."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def refuse_given(owner: str, whose: str, **given: tuple[Any, Any]) -> None:
    """ValueError: an argument, (value, default) by name, isn't its default, though an object of class `whose` decides it."""
    for name, (value, default) in given.items():
        if value != default:
            raise ValueError(f"{owner}: {name} is up to the {whose}, where one is given; leave {name}={value!r} out")

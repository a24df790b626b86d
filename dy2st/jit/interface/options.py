"""The names of the options that `jit.save` and `jit.load` take."""

from __future__ import annotations

from typing import Any


def check_names(function: str, configs: dict[str, Any], known: list[str]) -> None:
    """ValueError for an option that the function doesn't have."""
    for name in configs:
        if name not in known:
            raise ValueError(f"jit.{function} has no option {name}; it has {', '.join(known)}")

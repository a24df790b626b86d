"""The benchmark cases: one file each, with a function `cases()`."""

from __future__ import annotations

from importlib import import_module

NAMES = [
    *("networks", "loops", "elementwise", "files", "first_answers"),
    *("eager_ops", "mlp", "lstm", "newton", "collatz", "script", "training", "large", "source", "curves", "traced", "startup"),
    "pytorch",
    "xla",
]


def build(name: str) -> list:
    """The cases of one file, ready to run."""
    return import_module(f"cases.{name}").cases()

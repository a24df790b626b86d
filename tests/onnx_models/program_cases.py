"""The programs of `tests/programs`, each with what its test hands to `agree`: a factory, specs, and calls."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "programs"


def agreeing_tests() -> Iterator[tuple[str, Callable]]:
    """The tests there that ask for `agree`, under names of their own."""
    for path in sorted(FOLDER.glob("test_*.py")):
        module = importlib.import_module(f"programs.{path.stem}")
        for name, function in vars(module).items():
            if name.startswith("test_") and inspect.signature(function).parameters.keys() >= {"agree"}:
                yield f"{path.stem}_{name}", function

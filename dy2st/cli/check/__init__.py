"""What in a model's source makes trouble when it becomes a Program, or when that is saved, told line by line.

A rule is a file here and a function in RULES: from one function of the user's to what it finds there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .arguments import arguments_without_defaults
from .converting import conversion
from .finding import Finding
from .numpy_calls import numpy_calls
from .reached import Reached, reached_from
from .sublayers import overridden_calls, parts_that_are_no_layers
from .to_tensor_calls import to_tensor_calls
from .torch_calls import torch_calls
from .training import training_parts_elsewhere

__all__ = ["Finding", "RULES", "Reached", "findings", "reached_from"]

RULES = (
    numpy_calls, to_tensor_calls, parts_that_are_no_layers, overridden_calls, arguments_without_defaults,
    training_parts_elsewhere, torch_calls,
)  # fmt: skip


def findings(target: Any, reached: list[Reached], specs: list | None) -> list[Finding]:
    """All remarks on `target` and what it reaches, those in its own file first. specs: the conversion is tried for these."""
    found = set(_found(target, reached, specs))
    return sorted(found, key=lambda f: (f.file != reached[0].file, f.file, f.line, f.reason))


def _found(target: Any, reached: list[Reached], specs: list | None) -> Iterator[Finding]:
    for function in reached:
        for rule in RULES:
            yield from rule(function)
    if specs is not None:
        yield from conversion(target, specs, reached[0])

"""What in a model's source makes trouble when it becomes a Program, or when that is saved, told line by line.

A rule is a file here and a function in RULES: from one function of the user's to what it finds there.
"""

from __future__ import annotations

from typing import Any

from .arguments import arguments_without_defaults
from .converting import conversion
from .finding import FAILING, Finding
from .missing import missing
from .numpy_calls import numpy_calls
from .reached import Reached, reached_from
from .sublayers import overridden_calls, parts_that_are_no_layers
from .to_tensor_calls import to_tensor_calls
from .torch_calls import torch_calls
from .training import training_parts_elsewhere

__all__ = ["Finding", "RULES", "Reached", "findings", "reached_from"]

RULES = (
    numpy_calls, to_tensor_calls, parts_that_are_no_layers, overridden_calls, arguments_without_defaults,
    training_parts_elsewhere, torch_calls, missing,
)  # fmt: skip


def findings(target: Any, reached: list[Reached], specs: list | None) -> list[Finding]:
    """All remarks on `target` and what it reaches, those in its own file first. specs: the conversion is tried for these."""
    found = {finding for function in reached for rule in RULES for finding in rule(function)}
    if specs is not None:
        told = {(finding.file, finding.line) for finding in found if finding.rule == FAILING}
        found |= {finding for finding in conversion(target, specs, reached[0]) if (finding.file, finding.line) not in told}
    return sorted(found, key=lambda f: (f.file != reached[0].file, f.file, f.line, f.reason))

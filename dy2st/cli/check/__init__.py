"""`dy2st check`: what in a model's source makes trouble when it becomes a Program, or when that is saved, told line by line.

A rule is a file here and a function in RULES: from one function of the user's to what it finds there.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator
from typing import Any

from ..objects import own_spec, spec_of_text, target_object
from ..pytorch import unwrapped
from ..terminal import show, show_text
from ..usage import UsageError
from .arguments import arguments_without_defaults
from .converting import conversion
from .finding import Finding
from .numpy_calls import numpy_calls
from .reached import reached_from
from .sublayers import overridden_calls, parts_that_are_no_layers
from .to_tensor_calls import to_tensor_calls
from .torch_calls import torch_calls
from .training import training_parts_elsewhere

RULES = (
    numpy_calls, to_tensor_calls, parts_that_are_no_layers, overridden_calls, arguments_without_defaults,
    training_parts_elsewhere, torch_calls,
)  # fmt: skip
FOUND = 1


def check(options: argparse.Namespace) -> int:
    """`dy2st check`; the exit code."""
    target = target_object(options.target)
    named, target = target, unwrapped(target)
    reached = reached_from(target)
    if not reached:
        raise UsageError(f"{options.target} is {type(target).__name__}; there is no function, method or layer to check")
    specs = [spec_of_text(text) for text in options.spec] or own_spec(named)
    findings = sorted(set(_findings(target, reached, specs)), key=lambda f: (f.file != reached[0].file, f.file, f.line, f.reason))
    if options.json:
        show_text(json.dumps([dataclasses.asdict(f) for f in findings], indent=1))
    else:
        show(line for finding in findings for line in finding.lines())
        show([_summary(options.target, len(findings), specs)])
    return FOUND if findings else 0


def _findings(target: Any, reached: list, specs: list | None) -> Iterator[Finding]:
    for function in reached:
        for rule in RULES:
            yield from rule(function)
    if specs is not None:
        yield from conversion(target, specs, reached[0])


def _summary(target: str, count: int, specs: list | None) -> str:
    tried = "" if specs is not None else "; the conversion was not tried: give one --spec for each input"
    return f"{target}: {count or 'nothing'} found{tried}"

"""`dy2st check`: what in a model's source makes trouble when it becomes a Program, or when that is saved, line by line."""

from __future__ import annotations

import argparse
import dataclasses

from ..command import Command
from ..naming.objects import FORM, target_object
from ..naming.specs import given_specs
from ..options import add_object, add_specs
from ..output.progress import working
from ..output.report import Lines, Report
from ..usage import UsageError

FOUND = 1


def add_options(parser: argparse.ArgumentParser) -> None:
    add_object(parser, "FILE:OBJECT", f"a layer, a method or a function: {FORM}")
    add_specs(parser, "the type of an input, such as 'float32[?,3]'; with one for each, the conversion is tried, too")


def run(options: argparse.Namespace) -> Report:
    from ..check import findings, reached_from
    from ..naming.pytorch import unwrapped

    named = target_object(options.target)
    target = unwrapped(named)
    reached = reached_from(target)
    if not reached:
        raise UsageError(f"{options.target} is {type(target).__name__}; there is no function, method or layer to check")
    specs = given_specs(named, options.spec)
    with working(f"checking {options.target}"):
        found = findings(target, reached, specs)
    lines = [line for finding in found for line in finding.lines()]
    data = [dataclasses.asdict(finding) for finding in found]
    return Report(data, [Lines([*lines, _summary(options.target, len(found), specs)])], FOUND if found else 0)


def _summary(target: str, count: int, specs: list | None) -> str:
    tried = "" if specs is not None else "; the conversion was not tried: give one --spec for each input"
    return f"{target}: {count or 'nothing'} found{tried}"


COMMAND = Command("report what in the source makes trouble, with what to write instead", add_options, run)

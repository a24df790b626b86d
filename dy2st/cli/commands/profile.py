"""`dy2st profile`: time and memory of a saved model, by the user's line and by part."""

from __future__ import annotations

import argparse

from ..command import Command
from ..naming.models import loadable_path
from ..options import add_inputs, add_model, arguments_for
from ..output.progress import working
from ..output.report import Line, Lines, Report
from ..usage import UsageError


def add_options(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_inputs(parser)
    parser.add_argument("--repeat", type=int, default=20, metavar="N", help="calls that are timed (20)")


def run(options: argparse.Namespace) -> Report:
    from ...jit import load, profile

    if options.repeat < 1:
        raise UsageError(f"--repeat {options.repeat}: expected at least 1")
    path = loadable_path(options.model)
    with working(f"profiling {path}"):
        found = profile(path, *arguments_for(load(path), options.input), repeat=options.repeat)
    lines: list[Line] = [[("strong", line)] if line.lstrip().startswith("time ") else line for line in str(found).split("\n")]
    return Report(found.as_dict(), [Lines(lines)])


COMMAND = Command("run a saved model, and tell what each line and each part of it takes", add_options, run)

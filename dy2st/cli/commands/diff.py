"""`dy2st diff`: what differs between two saved models, in structure and in weights."""

from __future__ import annotations

import argparse

from ..command import Command
from ..options import add_model
from ..output.progress import working
from ..output.report import Line, Lines, Report

DIFFERENT = 1
_MARKS = {"-": "bad", "+": "good", "~": "changed"}


def add_options(parser: argparse.ArgumentParser) -> None:
    add_model(parser, "old", "a saved model, traced module or state dict")
    add_model(parser, "new", "the same")


def run(options: argparse.Namespace) -> Report:
    from ..diff import differences, read_saved

    with working(f"comparing {options.old} and {options.new}"):
        found = differences(read_saved(options.old), read_saved(options.new))
    data = [section._asdict() for section in found]
    if not found:
        return Report(data)
    lines: list[Line] = [[("strong", f"--- {options.old}")], [("strong", f"+++ {options.new}")]]
    for title, changes in found:
        lines += [[("strong", f"{title}:")]] if title else []
        lines += [_marked(f"  {line}" if title else line) for line in changes]
    return Report(data, [Lines(lines)], DIFFERENT)


def _marked(line: str) -> Line:
    return [(_MARKS.get(line.lstrip()[:1], ""), line)]


COMMAND = Command("print what differs between two saved models, in structure and in weights", add_options, run, failed=2)

"""`dy2st diff`: what differs between two saved models, in structure and in weights."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..command import Command
from ..options import PAGES, add_model, offer
from ..output.progress import working
from ..output.report import Line, Lines, Report

if TYPE_CHECKING:
    from ..diff import Saved, Section

DIFFERENT = 1
_MARKS = {"-": "bad", "+": "good", "~": "changed"}


def add_options(parser: argparse.ArgumentParser) -> None:
    add_model(parser, "old", "a saved model, traced module or state dict")
    add_model(parser, "new", "the same")
    offer(parser.add_argument("--html", metavar="OUT", help="write a page, for pull requests"), PAGES)


def run(options: argparse.Namespace) -> Report:
    from ..diff import differences, read_saved

    with working(f"comparing {options.old} and {options.new}"):
        old, new = read_saved(options.old), read_saved(options.new)
        found = differences(old, new)
    if options.html:
        return _page(options, old, new, found)
    data = [section._asdict() for section in found]
    if not found:
        return Report(data)
    lines: list[Line] = [[("strong", f"--- {options.old}")], [("strong", f"+++ {options.new}")]]
    for title, changes in found:
        lines += [[("strong", f"{title}:")]] if title else []
        lines += [_marked(f"  {line}" if title else line) for line in changes]
    return Report(data, [Lines(lines)], DIFFERENT)


def _page(options: argparse.Namespace, old: Saved, new: Saved, found: list[Section]) -> Report:
    from ..diff.page import page, page_data
    from ..output.files import write_page

    data = page_data((options.old, options.new), old, new, found)
    write_page(options.html, page(data))
    return Report({"page": options.html, **data}, [Lines([data["summary"], f"wrote {options.html}"])], DIFFERENT if found else 0)


def _marked(line: str) -> Line:
    return [(_MARKS.get(line.lstrip()[:1], ""), line)]


COMMAND = Command("print what differs between two saved models, in structure and in weights", add_options, run, failed=2)

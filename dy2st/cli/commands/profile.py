"""`dy2st profile`: time and memory of a saved model, by the user's line and by part."""

from __future__ import annotations

import argparse

from ..command import Command
from ..naming.models import loadable_path
from ..options import add_inputs, add_model, arguments_for
from ..output.progress import working
from ..output.report import Figure, Lines, Report, Table
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
    tables = [
        _table("by line", "line", found.table(found.lines)),
        _table("by part, with what is in it", "part", found.table(found.parts)),
    ]
    return Report(found.as_dict(), [Lines([found.summary]), *tables])


def _table(title: str, first: str, rows: list[tuple[str, ...]]) -> Table:
    from ...jit.loading.profiling import FIGURES

    columns, has_source = [first, *FIGURES], any(row[-1] for row in rows)
    texts = [(where, *map(Figure, figures), *([source] if has_source else [])) for where, *figures, source in rows]
    return Table(title, [*columns, "source"] if has_source else columns, texts)


COMMAND = Command("run a saved model, and tell what each line and each part of it takes", add_options, run)

"""`dy2st code`: the rewritten source of an object; of a file, what is there."""

from __future__ import annotations

import argparse
from typing import Any

from ..command import Command
from ..naming.objects import FORM, find, is_object, is_source, target_callable
from ..naming.sources import module_of
from ..naming.specs import specs_for
from ..options import add_object, add_specs
from ..output.progress import working
from ..output.report import Lines, Report, Source, Table
from ..usage import UsageError


def add_options(parser: argparse.ArgumentParser) -> None:
    add_object(parser, "FILE[:OBJECT]", f"{FORM}; without OBJECT, what is there is listed")
    parser.add_argument("--unrolled", action="store_true", help="print which loops are recorded turn by turn, and why, instead")
    add_specs(parser, "with --unrolled: the type of an input, such as 'float32[?,3]'; one for each input, in order")


def run(options: argparse.Namespace) -> Report:
    if options.spec and not options.unrolled:
        raise UsageError("--spec belongs to --unrolled: the rewritten source is the same for all inputs")
    if options.unrolled:
        return _unrolled(options)
    return _code(options.target) if is_object(options.target) else _listing(options.target)


def _code(target: str) -> Report:
    from ...transformers import transpile

    found = find(target).value
    function = getattr(found, "forward", found)
    function = getattr(function, "__wrapped__", function)
    if not callable(function):
        raise UsageError(f"{target} is {type(found).__name__}, not a function, a method or a layer")
    with working(f"rewriting {target}"):
        source = transpile(getattr(function, "__func__", function)).annotated()
    return Report({"target": target, "source": source}, [Source(source)])


def _listing(source: str) -> Report:
    if not is_source(source):
        raise UsageError(f"{source!r} is not of the form {FORM}, for example net.py:Net.forward")
    module = module_of(source)
    from ..naming.listing import listing

    rows = listing(module)
    if not rows:
        raise UsageError(f"{source} makes no function and no class")
    lines = [("" if row.line is None else str(row.line)) for row in rows]
    table = [(row.name, row.kind, line, row.signature) for row, line in zip(rows, lines)]
    data: list[Any] = [{**row._asdict(), "target": f"{source}:{row.name}"} for row in rows]
    return Report(data, [Table("", ["name", "kind", "line", "called with"], table)])


def _unrolled(options: argparse.Namespace) -> Report:
    from ..naming.pytorch import concrete_program

    found = target_callable(options.target)
    specs = specs_for(found, options.spec, options.target)
    with working(f"converting {options.target}"):
        lines = concrete_program(found, specs).unrolled
    return Report(list(lines), [Lines(lines or ["no loop would be shorter if it were recorded once"])])


COMMAND = Command("print the rewritten source of a function, for review; of a file, what is there", add_options, run)

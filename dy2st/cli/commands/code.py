"""`dy2st code`: the rewritten source of an object; of a file, what is there."""

from __future__ import annotations

import argparse
from typing import Any

from ..command import Command
from ..naming.objects import FORM, find, is_object, is_source, target_callable, without_decorators
from ..naming.sources import module_of
from ..naming.specs import given_specs, spec_examples, specs_for
from ..options import PAGES, add_object, add_specs, offer
from ..output.progress import working
from ..output.report import Line, Lines, Report, Source, Table
from ..usage import UsageError


def add_options(parser: argparse.ArgumentParser) -> None:
    add_object(parser, "FILE[:OBJECT]", f"{FORM}; without OBJECT, what is there is listed")
    parser.add_argument("--unrolled", action="store_true", help="print which loops are recorded turn by turn, and why, instead")
    parser.add_argument("--diff", action="store_true", help="print how the rewritten source differs, with what it calls")
    offer(parser.add_argument("--html", metavar="OUT", help="write a page: source, rewritten, Program"), PAGES)
    add_specs(parser, "with --unrolled and --html: the type of an input, such as 'float32[?,3]'; one for each input, in order")


def run(options: argparse.Namespace) -> Report:
    asked = [name for name in ("unrolled", "diff", "html") if getattr(options, name)]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]} are two questions: ask one at a time")
    if options.spec and asked not in (["unrolled"], ["html"]):
        raise UsageError("--spec belongs to --unrolled and --html: the rewritten source is the same for all inputs")
    if asked:
        return {"unrolled": _unrolled, "diff": _diff, "html": _page}[asked[0]](options)
    return _code(options.target) if is_object(options.target) else _listing(options.target)


def _code(target: str) -> Report:
    from ...transformers import transpile

    found = find(target).value
    function = without_decorators(getattr(found, "forward", found))
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


def _diff(options: argparse.Namespace) -> Report:
    from ..review import all_reviewed, subject_of, unified

    subject = subject_of(options.target)
    with working(f"rewriting {options.target}"):
        functions = all_reviewed(subject.functions)
    diffs = [unified(function) for function in functions]
    data = {"target": options.target, "functions": [{"name": f.name, "diff": diff} for f, diff in zip(functions, diffs)]}
    return Report(data, [Lines([_marked(line) for diff in diffs for line in diff])])


def _page(options: argparse.Namespace) -> Report:
    from ..naming.pytorch import concrete_program
    from ..output.files import write_page
    from ..review import all_reviewed, page, subject_of

    subject = subject_of(options.target)
    if subject.value is None and options.spec:
        raise UsageError(subject.problem)
    specs = None if subject.value is None else given_specs(subject.value, options.spec)
    advice = _advice(options, subject.value, subject.problem) if specs is None else []
    with working(f"reviewing {options.target}"):
        functions = all_reviewed(subject.functions)
        concrete = None if specs is None else concrete_program(subject.value, specs)
        text = page(options.target, functions, concrete, advice)
    write_page(options.html, text)
    data = {"target": options.target, "page": options.html, "functions": [function.name for function in functions]}
    return Report(data, [Lines([f"wrote {options.html}", *advice])])


def _advice(options: argparse.Namespace, value: Any, problem: str) -> list[str]:
    """Why there is no Program, and how to get one: in words, and in a second line as a command."""
    if value is None:
        return [f"There is no Program: {problem}"]
    words = "There is no Program, as nobody has said of which types the inputs are. Give one --spec for each of them, such as:"
    return [words, f"dy2st code {options.target} {spec_examples(value)} --html {options.html}"]


def _marked(line: str) -> Line:
    return [("strong" if line.startswith(("---", "+++", "@@")) else {"-": "bad", "+": "good"}.get(line[:1], ""), line)]


COMMAND = Command("print the rewritten source of a function, for review; of a file, what is there", add_options, run)

"""What became of each `if` and each loop of a function, told at the line where it begins."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import NamedTuple

from ...runtime.recorder.fates import COMPREHENSION, IF, IFEXP, LOOP, MOVED, Fate
from ...transformers.source import find_function

NOT_MET = "not met"
_MOST = 3  # reasons that are told of one statement
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Told(NamedTuple):
    """What a reviewer reads at a line. how: in a word; why: a sentence without its end."""

    line: int
    how: str
    why: str


def told(function: FunctionType, fates: Sequence[Fate]) -> list[Told]:
    """What became of the statements of a function, by their lines. Those that nothing is known of were not met while staging."""
    file = function.__code__.co_filename
    known: dict[tuple[str, int], list[Fate]] = defaultdict(list)
    for fate in fates:
        if fate.loc.file == file:
            known[fate.kind, fate.loc.line].append(fate)
    found: list[Told] = []
    for kind, first, last in sorted(_statements(function), key=lambda one: one[1:]):
        met = [fate for line in range(first, last + 1) for fate in known[kind, line]]
        if met:
            found += _summed_up(first, met)
        elif kind == LOOP and known[IF, first]:
            found.append(Told(first, MOVED, "its generator is asked for one item at a time, and goes on where it was"))
        elif kind in (IF, LOOP):
            found.append(Told(first, NOT_MET, "the recording never came to this line"))
    return list(dict.fromkeys(found))


def _statements(function: FunctionType) -> Iterator[tuple[str, int, int]]:
    """The kind of each, its first line, and the last one at which its fate may be told."""
    for node in ast.walk(find_function(function).node):
        if isinstance(node, ast.If):
            yield IF, node.lineno, node.lineno
        elif isinstance(node, ast.match_case) and not _takes_all(node):
            yield IF, node.pattern.lineno, node.pattern.lineno
        elif isinstance(node, ast.For | ast.While):
            yield LOOP, node.lineno, node.lineno
        elif isinstance(node, ast.IfExp):
            yield IFEXP, node.lineno, node.end_lineno or node.lineno
        elif isinstance(node, _COMPREHENSIONS):
            yield COMPREHENSION, node.lineno, node.end_lineno or node.lineno


def _takes_all(case: ast.match_case) -> bool:
    """Whether it asks nothing: `case _`."""
    return isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None


def _summed_up(line: int, fates: list[Fate]) -> Iterator[Told]:
    """One for each way that it went; of the same way, the reasons in a row."""
    reasons: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for fate in fates:
        extra = f"; it isn't recorded once: {fate.not_once}" if fate.not_once and fate.not_once not in fate.why else ""
        general, _, value = (fate.why + extra).partition(": ")
        reasons[fate.how][general].append(value)
    for how, whys in reasons.items():
        texts = [f"{general}: {' and '.join(values)}" if all(values) else general for general, values in whys.items()]
        more = [f"{len(texts) - _MOST} more"] if len(texts) > _MOST else []
        yield Told(line, how, " · ".join([*texts[:_MOST], *more]))

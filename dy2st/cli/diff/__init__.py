"""`dy2st diff`: what differs between two saved models, in structure and in weights, as text.

Where source lines stand, how values are numbered and which version wrote the files makes no difference.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..terminal import show
from .programs import different_functions
from .saved import Saved, read_saved
from .tables import different_lines
from .weights import different_weights

DIFFERENT = 1


def diff(options: argparse.Namespace) -> int:
    """`dy2st diff`; the exit code."""
    old, new = read_saved(options.old), read_saved(options.new)
    lines = list(_differences(old, new))
    if lines:
        show([f"--- {options.old}", f"+++ {options.new}", *lines])
    return DIFFERENT if lines else 0


def _differences(old: Saved, new: Saved) -> Iterator[str]:
    yield from _section("saved", different_lines([old.kind], [new.kind]))
    for title in dict.fromkeys([*old.tables, *new.tables]):
        yield from _section(title, different_lines(old.tables.get(title, []), new.tables.get(title, [])))
    for title, lines in different_functions(old.functions, new.functions):
        yield from _section(title, lines)
    if old.graph is not None and new.graph is not None:
        yield from old.graph.diff(new.graph).lines
    yield from _section("weights", different_weights(old.arrays, new.arrays))


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)

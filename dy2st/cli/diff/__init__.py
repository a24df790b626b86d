"""What differs between two saved models, in structure and in weights, as text.

Where source lines stand, how values are numbered and which version wrote the files makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .programs import different_functions
from .saved import Saved, read_saved
from .tables import different_lines
from .weights import different_weights

__all__ = ["Section", "differences", "read_saved"]


class Section(NamedTuple):
    """What differs in one respect. title: "" where the lines have titles of their own."""

    title: str
    lines: list[str]


def differences(old: Saved, new: Saved) -> list[Section]:
    """Where two models differ; none where they don't."""
    return [section for section in _sections(old, new) if section.lines]


def _sections(old: Saved, new: Saved) -> Iterator[Section]:
    yield Section("saved", different_lines([old.kind], [new.kind]))
    for title in dict.fromkeys([*old.tables, *new.tables]):
        yield Section(title, different_lines(old.tables.get(title, []), new.tables.get(title, [])))
    for title, lines in different_functions(old.functions, new.functions):
        yield Section(title, lines)
    if old.graph is not None and new.graph is not None:
        yield Section("", list(old.graph.diff(new.graph).lines))
    yield Section("weights", different_weights(old.arrays, new.arrays))

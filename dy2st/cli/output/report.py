"""What a command has found, apart from how it is printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

Span = tuple[str, str]
"""A style and a text. Styles are the names in `coloured.STYLES`; "" is none."""
Line = str | Sequence[Span]


@dataclass(frozen=True)
class Lines:
    """Lines that stay as they are, at any width."""

    lines: Iterable[Line]


@dataclass(frozen=True)
class Source:
    """A text in a language: "python" or "program"."""

    text: str
    language: str = "python"


class Figure(str):
    """A number as text, with its unit."""


@dataclass(frozen=True)
class Table:
    """Rows under the names of their columns. Numbers and Figures stand to the right."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def texts(self) -> list[list[str]]:
        """The cells as text."""
        return [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in self.rows]

    def is_right(self, column: int) -> bool:
        """Whether a column holds numbers and Figures alone."""
        return bool(self.rows) and all(isinstance(row[column], int | Figure) for row in self.rows)


Part = Lines | Source | Table


@dataclass(frozen=True)
class Report:
    """What a command gives.

    data: for machines, as JSON takes it. parts: the same for people. code: the exit code.
    """

    data: Any
    parts: Sequence[Part] = field(default=())
    code: int = 0

"""A Report as plain lines."""

from __future__ import annotations

from collections.abc import Iterator

from .report import Line, Part, Source, Table


def plain_lines(part: Part) -> Iterator[str]:
    """The lines of one part of a Report."""
    if isinstance(part, Table):
        yield from _table_lines(part)
    elif isinstance(part, Source):
        yield from part.text.rstrip("\n").split("\n")
    else:
        yield from map(plain_line, part.lines)


def plain_line(line: Line) -> str:
    """A line without its styles."""
    return line if isinstance(line, str) else "".join(text for _, text in line)


def _table_lines(table: Table) -> Iterator[str]:
    indent = "  " if table.title else ""
    if table.title:
        yield table.title
    if not table.rows:
        return
    texts = [list(table.columns), *table.texts()]
    widths = [max(len(row[k]) for row in texts) for k in range(len(table.columns))]
    for row in texts:
        cells = (text.rjust(w) if table.is_right(k) else text.ljust(w) for k, (text, w) in enumerate(zip(row, widths)))
        yield (indent + "  ".join(cells)).rstrip()

"""A Report in colours and drawn tables: where the terminal has them, and `rich` is installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...ir.visible import visible
from .report import Line, Part, Source, Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

STYLES = {
    "strong": "bold", "dim": "dim", "place": "cyan", "good": "green", "bad": "red", "changed": "yellow", "error": "bold red",
}  # fmt: skip
_THEME = "ansi_dark"  # the sixteen colours that the user has chosen for the terminal
_PROGRAM = (
    ("place", r"%[\w.#]+"),
    ("dim", r" : \S.*$"),
    ("strong", r"^(def)\b|^\s+(\w+:)$"),
    ("good", r'"(\\.|[^"\\])*"'),
)


def coloured_text(parts: Iterable[Part], console: Console) -> str:
    """The parts of a Report with the codes that the console takes for colours."""
    with console.capture() as captured:
        for part in parts:
            if isinstance(part, Table):
                console.print(_drawn(part))
            elif isinstance(part, Source):
                console.print(_highlighted(part), soft_wrap=True)
            else:
                for line in part.lines:
                    console.print(_text(line), soft_wrap=True)
    return captured.get()


def _text(line: Line) -> Text:
    from rich.text import Text

    spans = [("", line)] if isinstance(line, str) else line
    return Text.assemble(*((visible(text), STYLES.get(style, "")) for style, text in spans))


def _highlighted(source: Source) -> Text:
    from rich.syntax import Syntax
    from rich.text import Text

    lines = [visible(line) for line in source.text.rstrip("\n").split("\n")]
    if source.language == "python":
        text = Syntax("", "python", theme=_THEME).highlight("\n".join(lines))
        text.rstrip()
        return text
    return Text("\n").join(map(_program_line, lines))


def _program_line(line: str) -> Text:
    text = _text(line)
    for style, pattern in _PROGRAM:
        text.highlight_regex(pattern, STYLES[style])
    return text


def _drawn(table: Table) -> object:
    from rich import box
    from rich.table import Table as Drawn

    drawn = Drawn(title=_text(table.title) if table.title else None, title_justify="left", title_style="", box=box.SIMPLE_HEAD)
    for k, name in enumerate(table.columns):
        drawn.add_column(name, justify="right" if table.is_right(k) else "left", overflow="fold", style="cyan" if k == 0 else "")
    for row in table.texts():
        drawn.add_row(*map(_text, row))
    return drawn

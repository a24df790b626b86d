"""Sections of the docs that commands write: each begins with a mark that names its command, and ends with `<!-- end -->`."""

from __future__ import annotations

from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
END = "<!-- end -->"


def write_section(page: str | Path, command: str, text: str) -> None:
    """Put the text into the section that `command` writes. page: a path, or a name in `docs/`."""
    path = DOCS / page
    path.write_text(with_section(path.read_text(encoding="utf-8"), command, text), encoding="utf-8")


def with_section(page: str, command: str, text: str) -> str:
    """The text of a page with that of a section. A ValueError where the page has no such section."""
    before, mark, rest = page.partition(f"<!-- written by `{command}` -->\n")
    return f"{before}{mark}\n{text.strip()}\n\n{rest[rest.index(END) :]}"


def cell(text: str) -> str:
    """A text that a cell of a table may hold."""
    return text.replace("|", "\\|").replace("<", "&lt;")

"""The sections of `docs/from-pytorch.md` that commands write."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "from-pytorch.md"


def write(command: str, lines: list[str]) -> None:
    """Put these lines between the marks of the section that `python tests/from_torch/<command>` writes."""
    start, end = f"<!-- written by `python tests/from_torch/{command}` -->\n", f"<!-- end of {command.split()[0]} -->\n"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(start)
    after = rest.partition(end)[2]
    PAGE.write_text(before + start + "\n".join(["", *lines, ""]) + end + after, encoding="utf-8")


def cell(text: str) -> str:
    """A text that a cell of a table may hold."""
    return text.replace("|", "\\|").replace("<", "&lt;")

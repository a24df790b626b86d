"""Counts what rewriting adds to the twelve functions. `python -m golden.table`, in the folder tests, writes the page's table."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from pathlib import Path

from dy2st.transformers import transpile
from golden.twelve import TWELVE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rewritten-code.md"
MARK = "<!-- written by `python -m golden.table`, in the folder tests -->\n"
HEAD = "| function | calls of the runtime | lines | characters |\n|---|---|---|---|\n"
RUNTIME = "_jst"


def counts(text: str, runtime: str) -> tuple[int, int, int]:
    """How often a text names the runtime, its lines and its characters, whatever its comments and the width of its lines."""
    plain = ast.unparse(ast.parse(textwrap.dedent(text)))
    lines = [line for line in plain.splitlines() if line]
    return len(re.findall(rf"\b{runtime}\.", plain)), len(lines), len("".join(lines))


def row(name: str, before: tuple[int, int, int], after: tuple[int, int, int]) -> str:
    return f"| {name} | {after[0]} | {before[1]} → {after[1]} | {before[2]} → {after[2]} |\n"


def table() -> str:
    """The table: a row for each function, and their sum."""
    pairs = [(f.__name__, counts(inspect.getsource(f), RUNTIME), counts(transpile(f).source, RUNTIME)) for f in TWELVE]
    before, after = ([sum(column) for column in zip(*(pair[k] for pair in pairs))] for k in (1, 2))
    return HEAD + "".join(row(f"`{name}`", *both) for name, *both in pairs) + row("all", tuple(before), tuple(after))


def page() -> str:
    """The page with the table as it is now."""
    start, _, rest = PAGE.read_text(encoding="utf-8").partition(MARK)
    return start + MARK + table() + rest[rest.index("\n\n") + 1 :]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(table())

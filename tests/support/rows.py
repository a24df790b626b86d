"""The rows of the tables in `docs/python-support.md`, and the functions that show whether they are true.

A row of the table of statements names a function of `statements.py` or `newer.py`. A row of the other tables is code that follows
the lines of the page's first block; what stands behind the last `;` is the result.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import newer, statements

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python-support.md"
ROW = re.compile(r"^\| `(.*?)` \|(?: .*? \|)? (converted|passed through|refused: `(.*)`) \|$", re.M)


@dataclass
class Row:
    """A row: its code or the name of its function, what happens, and with which message."""

    code: str
    status: str
    message: str

    @property
    def is_name(self) -> bool:
        return self.code in newer.FUNCTIONS or hasattr(statements, self.code)


def rows_of(text: str) -> list[Row]:
    """The rows of all tables of the page."""
    return [Row(m[1].replace("\\|", "|"), m[2].partition(":")[0], m[3] or "") for m in ROW.finditer(text)]


def preamble(text: str) -> str:
    """The lines of the page's first Python block, which make the values that the rows are about."""
    return re.search(r"```python\n.*?def rows\(x, n\):\n(.*?)    \.\.\.\n", text, re.S)[1]


def code_of(row: Row, rewritten: str) -> str:
    """What has become of a row, without what has become of the lines before it."""
    return rewritten if row.is_name else rewritten.rpartition("\n    t = ")[2]


def source(row: Row, text: str) -> str:
    """The function of a row, as text."""
    if row.code in newer.FUNCTIONS:
        return newer.FUNCTIONS[row.code][1]
    *before, result = row.code.split("; ")
    lines = "".join(f"    {line}\n" for line in (*before, f"return {result}"))
    return f"import dy2st as paddle\nimport numpy as np\n\n\ndef row(x, n):\n{preamble(text)}{lines}"


def function_of(row: Row, text: str, file: Path) -> Any:
    """The function of a row; None where this Python can't read it."""
    if hasattr(statements, row.code):
        return getattr(statements, row.code)
    if row.code in newer.FUNCTIONS and sys.version_info < newer.FUNCTIONS[row.code][0]:
        return None
    file.write_text(source(row, text), encoding="utf-8")
    names = {"__name__": file.stem}
    exec(compile(source(row, text), str(file), "exec"), names)
    return names[row.code if row.is_name else "row"]

"""What goes to the terminal. A file may choose any text in it: a line stays one line, and holds nothing that a terminal obeys."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TextIO

from ..ir.visible import visible

_LONGEST = 2000  # characters of an error message


def show(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        _write(line, sys.stdout)


def show_text(text: str) -> None:
    """Print a text of several lines."""
    show(text.rstrip("\n").split("\n"))


def complain(message: str) -> None:
    """Print an error message as one line on stderr."""
    text = " ".join(message.split())
    _write(f"dy2st: error: {text if len(text) <= _LONGEST else text[:_LONGEST] + '...'}", sys.stderr)


def _write(line: str, file: TextIO) -> None:
    encoding = file.encoding or "utf-8"
    print(visible(line).encode(encoding, "backslashreplace").decode(encoding), file=file)

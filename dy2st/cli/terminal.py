"""What goes to the terminal. A file may choose any text in it: a line stays one line, and holds nothing that a terminal obeys."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable

from ..ir.visible import visible

_LONGEST = 2000  # characters of an error message


class ReaderGone(Exception):
    """Who reads the output, `head` say, has seen enough. A BrokenPipeError may come from the model, too."""


def show(lines: Iterable[str]) -> None:
    """Print lines. ReaderGone: nobody reads them."""
    for line in lines:
        text = _printable(line, sys.stdout.encoding)
        _to_reader(lambda: print(text))  # noqa: B023


def flush() -> None:
    """See to it that all is printed. ReaderGone: nobody reads it."""
    _to_reader(sys.stdout.flush)


def show_text(text: str) -> None:
    """Print a text of several lines."""
    show(text.rstrip("\n").split("\n"))


class ModelOutput(io.TextIOBase):
    """Stands in for stdout while a model runs, which may print."""

    def __init__(self) -> None:
        self._terminal = sys.stdout

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        lines = [_printable(line, self._terminal.encoding) for line in text.split("\n")]
        _to_reader(lambda: self._terminal.write("\n".join(lines)))
        return len(text)


def complain(message: str) -> None:
    """Print an error message as one line on stderr."""
    text = " ".join(message.split())
    shown = f"dy2st: error: {text if len(text) <= _LONGEST else text[:_LONGEST] + '...'}"
    print(_printable(shown, sys.stderr.encoding), file=sys.stderr)


def _to_reader(write: Callable[[], object]) -> None:
    try:
        write()
    except BrokenPipeError:
        raise ReaderGone from None


def _printable(line: str, encoding: str | None) -> str:
    return visible(line).encode(encoding or "utf-8", "backslashreplace").decode(encoding or "utf-8")

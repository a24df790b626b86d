"""What goes to the terminal. A file may choose any text in it: a line stays one line, and holds nothing that a terminal obeys."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from ...ir.visible import visible
from .coloured import coloured_text
from .console import console_for
from .report import Lines

_LONGEST = 2000  # characters of an error message


class ReaderGone(Exception):
    """Who reads the output, `head` say, has seen enough. A BrokenPipeError may come from the model, too."""


def show(lines: Iterable[str]) -> None:
    """Print lines. ReaderGone: nobody reads them."""
    for line in lines:
        write(visible(line) + "\n")


def write(text: str) -> None:
    """Print text in which nothing is hidden, or the codes of colours alone. ReaderGone: nobody reads it."""
    to_reader(lambda: sys.stdout.write(writable(text, sys.stdout.encoding)))


def flush() -> None:
    """See to it that all is printed. ReaderGone: nobody reads it."""
    to_reader(sys.stdout.flush)


def complain(message: str) -> None:
    """Print an error message as one line on stderr."""
    text = " ".join(message.split())
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
    line = [("", "dy2st: "), ("error", "error:"), ("", f" {text}")]
    console = console_for(sys.stderr)
    shown = "".join(visible(part) for _, part in line) + "\n" if console is None else coloured_text([Lines([line])], console)
    sys.stderr.write(writable(shown, sys.stderr.encoding))


def to_reader(write: Callable[[], object]) -> None:
    """Write to a stream of the process. ReaderGone: nobody reads it."""
    try:
        write()
    except BrokenPipeError:
        raise ReaderGone from None


def writable(text: str, encoding: str | None) -> str:
    """A text with escapes for what an encoding doesn't have."""
    return text.encode(encoding or "utf-8", "backslashreplace").decode(encoding or "utf-8")

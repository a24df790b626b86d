"""What the user's code prints while a command runs it. Its lines hold nothing that a terminal obeys, either."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import IO, Any

from ...ir.visible import visible
from ...progress import set_aside
from .terminal import to_reader, writable

_ERRORS = "surrogatepass"


@contextmanager
def user_prints_to(stream: IO[str]) -> Iterator[None]:
    """A block whose stdout is `stream`, line by line. ReaderGone: nobody reads that."""
    forwarding: Any = _Forwarding(stream)
    try:
        with redirect_stdout(io.TextIOWrapper(forwarding, "utf-8", _ERRORS, newline="\n", write_through=True)):
            yield
    finally:
        forwarding.end()


class _Forwarding(io.RawIOBase):
    """Hands whole lines on: a line of progress beneath them would overwrite the start of one."""

    def __init__(self, stream: IO[str]):
        self._stream = stream
        self._waiting = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        *lines, self._waiting = (self._waiting + bytes(data)).split(b"\n")
        if lines:
            self._hand_on(lines, "\n")
        return len(data)

    def end(self) -> None:
        """Hand on what has no end of a line."""
        waiting, self._waiting = self._waiting, b""
        if waiting:
            self._hand_on([waiting], "")

    def _hand_on(self, lines: list[bytes], end: str) -> None:
        text = "\n".join(visible(line.decode("utf-8", _ERRORS)) for line in lines) + end
        with set_aside(self._stream):
            to_reader(lambda: self._stream.write(writable(text, getattr(self._stream, "encoding", None))))

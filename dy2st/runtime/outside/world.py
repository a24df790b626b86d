"""What a function asks of the world: clocks, files, NumPy's random numbers. The Program of one call is staged with the answers.

Staging may begin again. What was drawn is then drawn again, and a file that was made is made again; what can't be is refused.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable

from numpy.random import RandomState

from ...errors import ConversionError

WRITING = ("write_text", "write_bytes")  # of a path


class World:
    """What one function under one set of input specs has asked."""

    def __init__(self) -> None:
        self.has_asked = False
        self._generators: dict[int, Callable[[], None]] = {}  # puts a generator back to where it was at first
        self._made: list[str] = []  # the files that were not there
        self._said = ""  # why staging can't begin again

    def begin(self) -> None:
        """A new recording starts; ConversionError where the last one has done what can't be done again."""
        if self._said:
            raise ConversionError(self._said)
        self.take_back()

    def take_back(self) -> None:
        """Put generators back, and remove the files that were made."""
        for put_back in self._generators.values():
            put_back()
        for path in self._made:
            if os.path.lexists(path):
                os.remove(path)
        self._made = []

    def ask(self, function: Callable, receiver: object, args: tuple, kwargs: dict, said: str) -> None:
        """A function is about to be called. said: why it is refused where that can't be taken back."""
        self.has_asked = True
        if isinstance(receiver, RandomState):
            known = receiver.get_state()
            self._generators.setdefault(id(receiver), lambda: receiver.set_state(known))
        elif function is io.open:
            mode = args[1] if len(args) > 1 else kwargs.get("mode", "r")
            if set("wax+").intersection(mode):
                self._write(args[0] if args else kwargs.get("file"), said)
        elif getattr(function, "__name__", "") in WRITING:
            self._said = said

    def _write(self, file: object, said: str) -> None:
        """A file is about to be opened for writing."""
        if isinstance(file, str | os.PathLike) and not os.path.lexists(file):
            self._made.append(os.path.abspath(os.fsdecode(file)))
        else:
            self._said = said

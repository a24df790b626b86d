"""Where operations stand in the user's source, as a file keeps it: in steps, so that a new line changes no other operation.

    ["net.py", "forward", 84]     the line of the first operation of this function
    ["net.py", "forward", "+2"]   two lines below the operation before it of the same function and layer, or else, of the function
    ["net.py", "forward"]         the line of that operation

Folders and columns aren't kept: the bytes are the same wherever the source lies, and whichever Python has read it.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any

from ..errors import ModelFileError
from ..ir.core import Loc
from .untrusted import brief, expect

_STEP = re.compile(r"[+-][0-9]{1,9}")
_MAX_LINE = 1 << 31


class Locations:
    """The lines of the operations of one Function of a file, as far as it has been written or read."""

    def __init__(self) -> None:
        self._of_layer: dict[tuple[str, str, str], int] = {}
        self._of_function: dict[tuple[str, str], int] = {}

    def written(self, loc: Loc, path: str) -> list[str | int]:
        """The JSON of the location of an operation of the layer `path`."""
        file = PurePath(loc.file).name
        last = self._last(file, loc.function, path)
        self._note(file, loc.function, path, loc.line)
        if last is None:
            return [file, loc.function, loc.line]
        return [file, loc.function, f"{loc.line - last:+}"] if loc.line != last else [file, loc.function]

    def read(self, entry: Any, path: str, where: str) -> Loc:
        """The location that `written` gave; ModelFileError for anything else."""
        if len(expect(entry, list, where)) not in (2, 3):
            raise ModelFileError(f"{where}: a location is a file, a function and a line, not {brief(entry)}")
        file, function = (expect(part, str, where) for part in entry[:2])
        line = self._line(entry[2] if len(entry) == 3 else "+0", self._last(file, function, path), where)
        self._note(file, function, path, line)
        return Loc(file, line, function)

    def _last(self, file: str, function: str, path: str) -> int | None:
        found = self._of_layer.get((file, function, path))
        return self._of_function.get((file, function)) if found is None else found

    def _note(self, file: str, function: str, path: str, line: int) -> None:
        self._of_layer[file, function, path] = self._of_function[file, function] = line

    def _line(self, given: Any, last: int | None, where: str) -> int:
        if isinstance(given, str):
            if last is None or not _STEP.fullmatch(given):
                raise ModelFileError(f"{where}: {brief(given)} is no line: a number, or '+2' after one of the same function")
            given = last + int(given)
        if not 0 <= expect(given, int, where) < _MAX_LINE:
            raise ModelFileError(f"{where}: {brief(given)} is no line of a source file")
        return given

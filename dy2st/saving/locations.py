"""Where operations stand in the user's source, as a file keeps it: in steps, so that a new line changes no other operation.

    ["net.py", "forward", 84]     the line of the first operation of this function
    ["net.py", "forward", "+2"]   two lines below the operation before it of the same function and layer, or else, of the function
    ["net.py", "forward"]         the line of that operation

After these stand the calls that led there, the innermost first, where they aren't those of that operation:

    ["net.py", "pick", 7, [["net.py", "forward", "+1"]]]

Folders and columns aren't kept: the bytes are the same wherever the source lies, and whichever Python has read it.
"""

from __future__ import annotations

import functools
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
        self._of_layer: dict[tuple[str, str, str], Loc] = {}
        self._of_function: dict[tuple[str, str], Loc] = {}
        self._of_calls: dict[tuple[str, str], Loc] = {}  # the last place of a call in each function

    def written(self, loc: Loc, path: str) -> list:
        """The JSON of the location of an operation of the layer `path`."""
        last = self._last(file_name(loc), loc.function, path)
        entry = _in_steps(loc, last)
        if loc.caller != (last and last.caller):
            calls = [] if loc.caller is None else list(loc.caller.calls())
            entry.append([_in_steps(call, self._last_call(file_name(call), call.function)) for call in calls])
            self._of_calls.update({(file_name(call), call.function): call for call in calls})
        self._note(file_name(loc), path, loc)
        return entry

    def read(self, entry: Any, path: str, where: str) -> Loc:
        """The location that `written` gave; ModelFileError for anything else."""
        parts = list(expect(entry, list, where))
        calls = parts.pop() if parts and isinstance(parts[-1], list) else None
        file, function = _function(parts, where)
        last = self._last(file, function, path)
        loc = _located(parts, last, where)
        caller = None if last is None else last.caller
        if calls is not None:
            names = [_function(expect(call, list, where), where) for call in calls]
            located = [_located(call, self._last_call(*name), where) for call, name in zip(calls, names)]
            self._of_calls.update(zip(names, located))
            caller = functools.reduce(lambda around, call: call.called_at(around), reversed(located), None)
        loc = loc._replace(caller=caller)
        self._note(file, path, loc)
        return loc

    def _last(self, file: str, function: str, path: str) -> Loc | None:
        return self._of_layer.get((file, function, path)) or self._of_function.get((file, function))

    def _last_call(self, file: str, function: str) -> Loc | None:
        return self._of_calls.get((file, function)) or self._of_function.get((file, function))

    def _note(self, file: str, path: str, loc: Loc) -> None:
        self._of_layer[file, loc.function, path] = self._of_function[file, loc.function] = loc


def file_name(loc: Loc) -> str:
    """The file of a location, by its name alone: where it lay is nobody's business."""
    return _without_folder(loc.title)


@functools.cache
def _without_folder(file: str) -> str:
    return PurePath(file).name


def _in_steps(loc: Loc, last: Loc | None) -> list:
    """File, function and line; that counted from a line of the same function, unless it is that line."""
    if last is None:
        return [file_name(loc), loc.function, loc.line]
    return [file_name(loc), loc.function, *([f"{loc.line - last.line:+}"] if loc.line != last.line else [])]


def _function(entry: list, where: str) -> tuple[str, str]:
    """The file and the function that a location begins with."""
    if len(entry) not in (2, 3):
        raise ModelFileError(f"{where}: a location is a file, a function and a line, not {brief(entry)}")
    file, function = (expect(part, str, where) for part in entry[:2])
    return file, function


def _located(entry: list, last: Loc | None, where: str) -> Loc:
    """The location of file, function and line, where the last one of the function was at `last`."""
    given = entry[2] if len(entry) == 3 else "+0"
    if isinstance(given, str):
        if last is None or not _STEP.fullmatch(given):
            raise ModelFileError(f"{where}: {brief(given)} is no line: a number, or '+2' after one of the same function")
        given = last.line + int(given)
    if not 0 <= expect(given, int, where) < _MAX_LINE:
        raise ModelFileError(f"{where}: {brief(given)} is no line of a source file")
    return Loc(entry[0], given, entry[1])

"""Formats: one number for all files that this package writes, and what brings the tree of an older file to the present one.

A step runs before the checks: it changes what has the shape that its format gave it; the rest is for the reader to refuse.
`docs/format.md` says what is promised, and what to do when the format changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..config import VERSION
from ..errors import ModelFileError
from .untrusted import brief

FORMAT = 2
NEEDS = "0.1.0"  # the first dy2st that reads FORMAT
_VERSION = re.compile(r"(?=.{1,32}\Z)([0-9]+(?:\.[0-9]+)*)[0-9A-Za-z.+-]*")  # the release, then a mark such as rc1


def upgraded(tree: Any, key: str, what: str) -> dict[str, Any]:
    """The tree of a file in the present format; it was just read, and is changed in place.

    ModelFileError: `key` gives no format, or a newer one; `needs` names a newer dy2st.
    """
    found = tree.get(key) if isinstance(tree, dict) else None
    if type(found) is not int or found < 1:
        raise ModelFileError(f"{what} is none that dy2st wrote: {key}, its format, is {brief(found)}")
    if found > FORMAT:
        raise ModelFileError(
            f"{what} has the format {brief(found)}; dy2st {VERSION} reads formats up to {FORMAT}: "
            f"install {_needed(tree)}, or save the model again with this version"
        )
    if "needs" in tree and _release(tree["needs"], what) > _release(VERSION, what):
        raise ModelFileError(
            f"{what} says that it needs dy2st {tree['needs']}, and this is dy2st {VERSION}: install {_needed(tree)}, "
            "or save the model again with this version"
        )
    for old in range(found, FORMAT):
        if step := _STEPS.get((key, old)):
            step(tree)
    tree[key] = FORMAT
    return tree


def _needed(tree: dict[str, Any]) -> str:
    """The version of dy2st that a newer file asks for."""
    needs = tree.get("needs")
    return f"dy2st>={needs}" if isinstance(needs, str) and _VERSION.fullmatch(needs) else "a newer dy2st"


def _release(version: Any, what: str) -> list[int]:
    """The numbers of a version, without trailing zeros: they compare as versions do. ModelFileError: it is no version."""
    found = _VERSION.fullmatch(version) if isinstance(version, str) else None
    if not found:
        raise ModelFileError(f"{what}, needs: {brief(version)} is not a version of dy2st, such as {NEEDS!r}")
    numbers = [int(part) for part in found[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers


# --- from 1 to 2 ----------------------------------------------------------------------------------------------------


def _info_1(tree: dict[str, Any]) -> None:
    """Which dy2st a file needs stands in it."""
    tree["needs"] = NEEDS


def _model_1(tree: dict[str, Any]) -> None:
    """Values without a name in the source were numbered; locations held the number of a file and a column."""
    files = tree.pop("files", None)
    pending = [part for function in _objects(tree.get("functions")) for part in _objects([function.get("block")])]
    while pending:
        block = pending.pop()
        _mark_numbers(block.get("args"))
        for op in _objects(block.get("ops")):
            _mark_numbers(op.get("out"))
            if isinstance(op.get("in"), list):
                op["in"] = [_marked(name) for name in op["in"]]
            if "loc" in op:
                op["loc"] = _location(op["loc"], files)
            pending += _objects(op.get("blocks"))


def _objects(parts: Any) -> list[dict[str, Any]]:
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _mark_numbers(pairs: Any) -> None:
    for pair in pairs if isinstance(pairs, list) else ():
        if isinstance(pair, list) and pair:
            pair[0] = _marked(pair[0])


def _marked(name: Any) -> Any:
    return f"#{name}" if isinstance(name, str) and name.isdecimal() else name


def _location(entry: Any, files: Any) -> Any:
    if not (isinstance(entry, list) and len(entry) in (3, 4) and isinstance(files, list)):
        return entry
    number, line, function = entry[:3]
    return [files[number], function, line] if type(number) is int and 0 <= number < len(files) else entry


_STEPS: dict[tuple[str, int], Callable[[dict[str, Any]], None]] = {
    ("dy2st_info", 1): _info_1,
    ("dy2st_model", 1): _model_1,
}

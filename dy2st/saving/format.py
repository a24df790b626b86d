"""The format: one number for all files that this package writes. `docs/format.md` says what is promised about it."""

from __future__ import annotations

import re
from typing import Any

from ..config import VERSION
from ..errors import ModelFileError
from .untrusted import brief

FORMAT = 2
NEEDS = "0.1.0"  # the first dy2st that reads FORMAT
_VERSION = re.compile(r"(?=.{1,32}\Z)([0-9]+(?:\.[0-9]+)*)[0-9A-Za-z.+-]*")  # the release, then a mark such as rc1


def expect_format(tree: Any, key: str, what: str) -> dict[str, Any]:
    """The tree of a file whose `key` holds its format.

    ModelFileError: the format is missing, older or newer; `needs` names a newer dy2st.
    """
    found = tree.get(key) if isinstance(tree, dict) else None
    if type(found) is not int or found < 1:
        raise ModelFileError(f"{what} is none that dy2st wrote: {key}, its format, is {brief(found)}")
    if found > FORMAT:
        raise ModelFileError(
            f"{what} has the format {brief(found)}; dy2st {VERSION} reads format {FORMAT}: "
            f"install {_needed(tree)}, or save the model again with this version"
        )
    if found < FORMAT:
        raise ModelFileError(
            f"{what} has the format {found}, of a dy2st before {NEEDS}; dy2st {VERSION} reads format {FORMAT}: "
            "save the model again with this version"
        )
    if "needs" in tree and _release(tree["needs"], what) > _release(VERSION, what):
        raise ModelFileError(
            f"{what} says that it needs dy2st {tree['needs']}, and this is dy2st {VERSION}: install {_needed(tree)}, "
            "or save the model again with this version"
        )
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

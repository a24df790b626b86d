"""What to write where Python's own message doesn't say: notes on errors that leave a static function or a loaded model.

Python prints notes under the message, which stays as it is.
"""

from __future__ import annotations

import re

_HINTS: list[tuple[type[BaseException], str, str]] = [  # the class, the message, what to write with the groups of that
    (UnboundLocalError, r".*local variable '(\w+)'.*", "give {0} a value on every path, such as before the 'if' or loop"),
    (NameError, r"name '(\w+)' is not defined", "define or import {0} before the call"),
    (TypeError, r".*'NoneType'.*", "the value is None on this path: ask 'is None' first"),
    (TypeError, r"'int' object is not callable", "is it x.size(0)? x.size is a number here: write x.shape[0]"),
    (IndexError, r".* index out of range", "compare the index with len(...) first, or bound it with min(...)"),
    (ValueError, r"not enough values to unpack \(expected (?:at least )?\d+, got (\d+)\)", "write {0} names on the left"),
    (ValueError, r"too many values to unpack \(expected (\d+)\b.*\)", "write a name for each, or *rest for those after {0}"),
]


def hint_for(kind: str, message: str) -> str:
    """What to write in place of what raises this: the name of a class of Python's, and a message; "" where that says it."""
    found = ((re.fullmatch(pattern, message, re.S), text) for cls, pattern, text in _HINTS if cls.__name__ == kind)
    return next((text.format(*match.groups()) for match, text in found if match is not None), "")


def add_hint(error: BaseException) -> None:
    """Add a note of what to write to an error of Python's own, once."""
    hint = hint_for(type(error).__name__, str(error))
    if hint:
        add_note(error, hint)


def add_note(error: BaseException, note: str) -> None:
    """Add a note to an error, once, as its `add_note` does from Python 3.11 on."""
    notes = getattr(error, "__notes__", [])
    if note not in notes:
        error.__notes__ = [*notes, note]  # type: ignore[attr-defined]

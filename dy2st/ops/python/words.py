"""`py.words`: what Python says when it raises, in the words of the Python that runs the Program.

Pythons word some errors differently. A Program names such a text, so that a saved one is the same whichever Python has saved it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from ...errors import DTypeError
from ...ir.types import STR, Type
from ..registry import define


def said(ask: Callable[[], object]) -> str:
    """What this Python says about `ask`, which raises."""
    try:
        ask()
    except Exception as error:
        return str(error)
    raise AssertionError("nothing was raised")


LOCAL = (
    "cannot access local variable '{}' where it is not associated with a value"
    if sys.version_info >= (3, 11)
    else "local variable '{}' referenced before assignment"
)
FREE = (
    "cannot access free variable '{}' where it is not associated with a value in enclosing scope"
    if sys.version_info >= (3, 11)
    else "free variable '{}' referenced before assignment in enclosing scope"
)
WORDS: dict[str, tuple[type[Exception], str]] = {
    "local": (UnboundLocalError, LOCAL),
    "free": (NameError, FREE),
    "min": (ValueError, said(lambda: min(()))),
    "max": (ValueError, said(lambda: max(()))),
    "modulo": (ZeroDivisionError, said(lambda: 1 % 0)),
}
"""The exception that Python raises, and its text, with `{}` for a variable."""
_AMBIGUOUS = said(lambda: 1 / 0)  # from Python 3.14 on, the text of `1 % 0`, too: it is kept as it is
_PATTERNS = {
    name: re.compile(re.escape(text).replace(r"\{\}", r"(\w+)")) for name, (_, text) in WORDS.items() if text != _AMBIGUOUS
}


def words_of(error: BaseException) -> dict[str, str] | None:
    """The attributes of the `py.words` that is the only argument of `error`; None where it isn't one of WORDS."""
    for name, pattern in _PATTERNS.items():
        cls = WORDS[name][0]
        if type(error) is cls and len(error.args) == 1 and type(error.args[0]) is str:
            if found := pattern.fullmatch(error.args[0]):
                return {"name": name, "variable": "".join(found.groups())}
    return None


def _result(name: str, variable: str) -> Type:
    if not (isinstance(name, str) and name in WORDS and isinstance(variable, str)):
        raise DTypeError(f"py.words takes the name of a text, {', '.join(WORDS)}, and that of a variable")
    return STR


def _words(name: str, variable: str) -> str:
    _result(name, variable)
    return WORDS[name][1].format(variable)


words = define("py.words", kernel=_words, infer=_result, onnx=lambda g, name, variable: g.const(_words(name, variable)))

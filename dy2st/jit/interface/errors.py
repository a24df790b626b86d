"""What `script` refuses: when it compiles, and when a compiled function is called."""

from __future__ import annotations

from ...errors import ConversionError, Dy2stError
from ...ir.core import Loc
from ...runtime.where.lines import source_line


class ScriptError(ConversionError, RuntimeError):
    """A function that can't be compiled: names the user's line and shows it."""


class ScriptTypeError(Dy2stError, TypeError, RuntimeError):
    """An argument of another type than the compiled function takes."""


def shown(loc: Loc | None) -> str:
    """A line of the user's, as it stands in the file."""
    line = source_line(loc)
    return f"\n    {line}" if line else ""


def script_error(message: str, loc: Loc | None) -> ScriptError:
    """A ScriptError at a line of the user's, with the line."""
    return ScriptError(f"{loc}: {message}{shown(loc)}" if loc is not None else message)

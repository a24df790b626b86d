"""What a running Program says: `io.print` prints, `io.log` and `io.warn` give a text to `logging` and to `warnings`."""

from __future__ import annotations

import logging
import sys
import warnings
from typing import Any

from ...ir.core import Loc
from ...tables import Table
from ..registry import define
from .text import native_str

_SILENT = "a graph prints nothing; return the values and print them outside"
STREAMS = Table("stream", {"stdout": lambda: sys.stdout, "stderr": lambda: sys.stderr})


def _print(*values: Any, sep: str | None = " ", end: str | None = "\n", to: str = "stdout") -> tuple:
    print(*map(native_str, values), sep=sep, end=end, file=STREAMS[to]())
    return ()


print_ = define("io.print", kernel=_print, infer=lambda *types, sep=" ", end="\n", to="stdout": (), io=True, onnx=_SILENT)

_KINDS: list[Any] = [cls for cls in (Warning, *Warning.__subclasses__()) if cls.__module__ == "builtins"]
CATEGORIES = Table("category of warnings", {cls.__name__: cls for cls in _KINDS})


def _log(text: str, logger: str, level: int) -> tuple:
    logging.getLogger(logger).log(level, "%s", native_str(text))
    return ()


_shown: dict[str, dict] = {}  # by file, what Python keeps of the warnings shown, as in a module's `__warningregistry__`


def _warn(text: str, category: str, stacklevel: int = 1, module: str = "") -> tuple:
    warnings.warn(native_str(text), CATEGORIES[category], stacklevel=stacklevel + 1)
    return ()


def _warn_at(loc: Loc, text: str, category: str, stacklevel: int = 1, module: str = "") -> tuple:
    """The same, shown at the line of the user's: of the call that `stacklevel` counts, or the outermost one of the Program."""
    calls = list(loc.calls())
    at = calls[min(max(stacklevel, 1), len(calls)) - 1]
    file = f"<{at.file}>" if type(at) is Loc else at.file  # a file that is loaded has names alone, of sources that aren't here
    registry = _shown.setdefault(file, {})
    warnings.warn_explicit(native_str(text), CATEGORIES[category], file, at.line, module or None, registry)
    return ()


log = define("io.log", kernel=_log, infer=lambda text, logger, level: (), io=True, onnx=_SILENT)
warn = define(
    "io.warn", kernel=_warn, located=_warn_at, infer=lambda text, category, stacklevel=1, module="": (), io=True, onnx=_SILENT
)

"""What a running Program says: `io.print` prints, `io.log` and `io.warn` give a text to `logging` and to `warnings`."""

from __future__ import annotations

import logging
import sys
import warnings
from typing import Any

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


def _warn(text: str, category: str) -> tuple:
    warnings.warn(native_str(text), CATEGORIES[category], stacklevel=2)
    return ()


log = define("io.log", kernel=_log, infer=lambda text, logger, level: (), io=True, onnx=_SILENT)
warn = define("io.warn", kernel=_warn, infer=lambda text, category: (), io=True, onnx=_SILENT)

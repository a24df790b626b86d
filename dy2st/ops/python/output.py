"""`io.print`: Python's print, in a running Program."""

from __future__ import annotations

import sys
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

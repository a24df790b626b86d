"""`io.print`: Python's print, in a running Program."""

from __future__ import annotations

from typing import Any

from ..registry import define
from .text import native_str


def _print(*values: Any, sep: str | None = " ", end: str | None = "\n") -> tuple:
    print(*map(native_str, values), sep=sep, end=end)
    return ()


print_ = define("io.print", kernel=_print, infer=lambda *types, sep=" ", end="\n": (), io=True)

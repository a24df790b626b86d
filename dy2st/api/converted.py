"""Calling, from a function of this package, code that is converted while recording."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops import dispatch


def converted(function: Callable) -> Any:
    """`function`, converted where a Program is being recorded."""
    rec = dispatch.current_mode().rec
    return function if rec is None else rec.convert_call(function)

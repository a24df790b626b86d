"""Calling, from a function of this package, code that is converted while recording."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops import dispatch


def converted(function: Callable) -> Any:
    """`function`, converted where a Program is being recorded."""
    convert = getattr(dispatch.current_mode(), "convert_call", None)
    return function if convert is None else convert(function)

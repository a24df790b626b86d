"""Functions whose loops the user wants recorded turn by turn: `unroll` has marked them."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

MARK = "__dy2st_unroll__"


def keep_unrolled(function: Any) -> Any:
    """Mark a function or method, which is given back. A method is marked in its class. TypeError: anything else."""
    marked = function.__func__ if isinstance(function, types.MethodType) else function
    if not isinstance(marked, types.FunctionType):
        kind = type(function).__name__
        raise TypeError(f"unroll takes a function or a method, not a {kind}: write @unroll right above `def`, below @to_static")
    setattr(marked, MARK, True)
    return function


def is_kept_unrolled(function: Callable) -> bool:
    """Whether the loops in a function's body are recorded turn by turn."""
    return getattr(function, MARK, False) is True

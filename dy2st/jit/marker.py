"""`dy2st.jit.marker`: marks for functions that are not to be converted."""

from __future__ import annotations

from typing import Any

from .conversion import not_to_static

__all__ = ["not_to_static", "unified"]


def unified(fn: Any = None, *, for_sot: bool = True, for_ast: bool = True) -> Any:
    """Decorator: the function does the same while staging as it does without, so it runs as it is (`for_ast`)."""
    if fn is None:
        return lambda function: unified(function, for_sot=for_sot, for_ast=for_ast)
    return not_to_static(fn) if for_ast else fn

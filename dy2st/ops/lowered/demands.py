"""What a graph checks of elements."""

from __future__ import annotations

from typing import Any

from .solving import every


def demand(g: Any, x: Any, holds: Any, says: str, exception: str = "RuntimeError") -> Any:
    """`x`; a check that all of `holds` does."""
    g.check(every(g, holds), exception, says)
    return x

"""Warnings that point at the user's line."""

from __future__ import annotations

import warnings
from typing import Any

from ...errors import Dy2stWarning, UnconvertedCallWarning


def warn_at(loc: Any, text: str, category: type[Dy2stWarning]) -> None:
    """Warn as if the user's line had."""
    warnings.warn_explicit(text, category, loc.file if loc else "?", loc.line if loc else 0)


def warn_unconverted(loc: Any, function: Any) -> None:
    name = function if isinstance(function, str) else getattr(function, "__qualname__", repr(function))
    warn_at(
        loc,
        f"{name} can't be converted: it was called once, while staging, and what it returned is part of the Program",
        UnconvertedCallWarning,
    )

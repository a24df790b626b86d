"""The switch that turns static functions on and off, all at once."""

from __future__ import annotations

import os

_enabled = os.environ.get("DY2ST_JIT", "1") not in ("0", "")


def enabled() -> bool:
    """Whether static functions are staged."""
    return _enabled


def enable_to_static(enable: bool) -> None:
    """Turn staging on or off everywhere: off (`enable` is False), every StaticFunction runs as the plain Python it came from.

    TypeError: no bool.
    """
    global _enabled
    if not isinstance(enable, bool):
        raise TypeError(f"enable_to_static takes a bool, not {type(enable).__name__}")
    _enabled = enable

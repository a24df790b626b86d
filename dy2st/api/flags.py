"""`set_flags` and `get_flags`: settings of Paddle's by name, kept for who asks for them. None has an effect here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ("get_flags", "set_flags")
PREFIX = "FLAGS_"
_flags: dict[str, Any] = {}


def _checked(name: Any) -> str:
    if not isinstance(name, str) or not name.startswith(PREFIX):
        raise ValueError(f"{name!r} is no flag: their names begin with {PREFIX}")
    return name


def set_flags(flags: Mapping[str, Any]) -> None:
    """Keep the values of flags, such as {"FLAGS_cudnn_deterministic": True}: results are the same on any run without them.

    flags: a dict, TypeError otherwise. ValueError: a name that doesn't begin with FLAGS_.
    """
    if not isinstance(flags, Mapping):
        raise TypeError(f"set_flags takes a dict, not {type(flags).__name__}")
    _flags.update({_checked(name): value for name, value in flags.items()})


def get_flags(flags: str | Iterable[str]) -> dict[str, Any]:
    """The values of flags, by name; ValueError for one that nobody has set."""
    names = [flags] if isinstance(flags, str) else list(flags)
    for name in map(_checked, names):
        if name not in _flags:
            raise ValueError(f"nobody has set the flag {name}")
    return {name: _flags[name] for name in names}

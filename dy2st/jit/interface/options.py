"""What `jit.save` and `jit.load` are given, checked: the path, and the names of the options."""

from __future__ import annotations

import os
from typing import Any


def check_path(path: Any) -> None:
    """A prefix, a path or a binary file object; TypeError or ValueError in words otherwise."""
    if hasattr(path, "read") or hasattr(path, "write"):
        return
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path is a str, a path or a binary file object, not {type(path).__name__}")
    if not os.path.basename(os.fspath(path)):
        raise ValueError(f"path {os.fspath(path)!r} has no file name: give a prefix such as 'out/net'")


def named(path: Any) -> str:
    """What a message calls a path that `check_path` has seen."""
    return os.fspath(path) if isinstance(path, str | os.PathLike) else "a file object"


def check_names(function: str, configs: dict[str, Any], known: list[str]) -> None:
    """ValueError for an option that the function doesn't have."""
    for name in configs:
        if name not in known:
            import difflib  # which only a wrong name needs

            near = difflib.get_close_matches(name, known, 1)
            meant = f"did you mean {near[0]}? " if near else ""
            raise ValueError(f"jit.{function} has no option {name}; {meant}it has {', '.join(known)}")

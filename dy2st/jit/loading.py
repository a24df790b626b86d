"""`jit.load`: from files to a Layer. Imports nothing that stages or rewrites source."""

from __future__ import annotations

import os
from typing import Any

from ..saving import read_files
from .translated_layer import TranslatedLayer


def check_path(path: Any) -> None:
    """A prefix, a path or a binary file object; TypeError or ValueError in words otherwise."""
    if hasattr(path, "read") or hasattr(path, "write"):
        return
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path is a str, a path or a binary file object, not {type(path).__name__}")
    if not os.path.basename(os.fspath(path)):
        raise ValueError(f"path {os.fspath(path)!r} has no file name: give a prefix such as 'out/net'")


def load(path: Any, **configs: Any) -> TranslatedLayer:
    """Load what `save` wrote: a Layer that runs the Program. Weights are mapped from the file, not copied.

    ModelFileError says what is wrong with a file that is missing, damaged or mixed.
    """
    if configs:
        raise ValueError(f"jit.load knows no option {', '.join(configs)}")
    check_path(path)
    program, info = read_files(path)
    return TranslatedLayer(program, info)

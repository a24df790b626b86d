"""What belongs to Python's own library, and not to a module or file of the user's that has the same name."""

from __future__ import annotations

import functools
import sys
import sysconfig

LIBRARY = sysconfig.get_path("stdlib")


@functools.cache
def is_library_file(filename: str) -> bool:
    """Whether this file is one of Python's library."""
    return filename.startswith("<frozen ") or (filename.startswith(LIBRARY) and "-packages" not in filename[len(LIBRARY) :])


@functools.cache
def is_library_module(module: str) -> bool:
    """Whether a module of this name is one of Python's library: the user may have a `token.py`, which is found first."""
    root = module.partition(".")[0]
    if root not in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(root), "__file__", None)
    return file is None or is_library_file(file)

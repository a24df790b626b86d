"""What belongs to Python's own library, or to an installed package, and not to a module of the user's of the same name."""

from __future__ import annotations

import _thread
import functools
import os
import sys
import sysconfig

LIBRARY = sysconfig.get_path("stdlib")
MEASURES_TUPLES = sys.version_info < (3, 14)  # whether tuple(x), and f(*x), ask how long x is
LOCKS = (_thread.LockType, _thread.RLock)
INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))


@functools.cache
def is_library_file(filename: str) -> bool:
    """Whether this file is one of Python's library."""
    return filename.startswith("<frozen ") or (filename.startswith(LIBRARY) and "-packages" not in filename[len(LIBRARY) :])


@functools.cache
def is_installed_file(filename: str) -> bool:
    """Whether this file is one of a package that is installed, in this environment or another."""
    return any(folder in filename for folder in INSTALLED)


@functools.cache
def is_library_module(module: str) -> bool:
    """Whether a module of this name is one of Python's library: the user may have a `token.py`, which is found first."""
    root = module.partition(".")[0]
    if root not in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(root), "__file__", None)
    return file is None or is_library_file(file)

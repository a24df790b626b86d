"""Calls that a Program can't hold, by name: refused with what to write instead, or known to act on the world outside."""

from __future__ import annotations

import io
import types
from collections.abc import Callable
from typing import Any

from ...errors import ConversionError
from .. import refusals
from ..blocks import user_loc
from ..static import current_recorder

MODULES = {
    "random": "draw from dy2st.rand, dy2st.randint or dy2st.randperm, which are drawn anew at each run",
    "numpy.random": "draw from dy2st.rand, dy2st.randn or dy2st.randint, which are drawn anew at each run",
    "time": "measure outside the function, or pass the time in",
    "datetime": "pass the time in as an argument",
    "secrets": "draw from dy2st.randint, which is drawn anew at each run",
    "uuid": "pass the identifier in as an argument",
}
FILES = "read the file outside the function and pass what it holds in"
SETTINGS = "read the variable outside the function and pass it in"
SOURCE = "write the code itself, or pass the result in as an argument"
NAMES = "name the variables themselves"
BUILTINS = {
    "input": "pass the text in as an argument",
    "open": FILES,
    "eval": SOURCE,
    "exec": SOURCE,
    "breakpoint": "stop in the plain function, dy2st.jit.enable_to_static(False) turns staging off",
    "locals": NAMES,
}
OF_MODULE = {
    "pathlib": {"open": FILES, "read_text": FILES, "read_bytes": FILES, "write_text": FILES, "write_bytes": FILES},
    "os": {"urandom": "draw from dy2st.randint", "getenv": SETTINGS, "listdir": FILES},
}
# Modules whose functions do something that is seen from outside: once, while staging, and never when the Program runs.
ACTING = set(
    "asyncio concurrent ctypes gc http logging multiprocessing os posix nt shutil signal socket subprocess sys tempfile thread "
    "threading urllib warnings".split()
)


def refusal(module: str | None, name: str) -> str | None:
    """What to write instead of the function `name` of a module; None where it may be called."""
    if module in (None, "builtins", "io", "_io"):
        return BUILTINS.get(name)
    if module.lstrip("_") in OF_MODULE or module in ("posix", "pathlib._local"):
        return OF_MODULE["os" if module == "posix" else module.partition(".")[0]].get(name)
    return next((text for prefix, text in MODULES.items() if module == prefix or module.startswith(prefix + ".")), None)  # type: ignore[union-attr]


def acts(module: str, receiver: Any) -> bool:
    """Whether a function of Python's library does something outside of the function that calls it."""
    home = type(receiver).__module__ if receiver is not None and not isinstance(receiver, types.ModuleType) else module
    return home.lstrip("_").partition(".")[0] in ACTING or isinstance(receiver, io.TextIOWrapper | io.BufferedWriter)


def of_object(function: Callable) -> Callable:
    """`vars` and `dir`: without an argument they look at the names of the function that calls them."""

    def call(*args: Any) -> Any:
        if not args and current_recorder() is not None:
            raise ConversionError(refusals.unconvertible(user_loc(), f"a call of {function.__name__} without an argument", NAMES))
        return function(*args)

    return call

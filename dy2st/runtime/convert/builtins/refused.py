"""Calls that a Program can't hold, by name: refused with what to write instead, or known to act on the world outside."""

from __future__ import annotations

import io
import os
import types
from collections.abc import Callable
from typing import Any

from ....errors import ConversionError
from ....pytree import module_of
from ...outside.files import CHANGED
from ...outside.world import REGISTERING
from ...recorder import refusals
from ...recorder.recorder import current_recorder
from ...where.faults import as_the_user
from ...where.user_code import is_foreign, user_loc

FILES = "read the file outside the function and pass what it holds in"
SOURCE = "write the code itself, or pass the result in as an argument"
CAUGHT = "name the exception, 'except ValueError as error', and use str(error) or its attributes"
NAMES = "name the variables themselves"
RECORDED = "call it outside of the function, which it makes a note of"
MODULES = {
    "random": "draw from dy2st.rand, dy2st.randint or dy2st.randperm, which are drawn anew at each run",
    "numpy.random": "draw from dy2st.rand, dy2st.randn or dy2st.randint, which are drawn anew at each run",
    "time": "measure outside the function, or pass the time in",
    "secrets": "draw from dy2st.randint, which is drawn anew at each run",
    "traceback": CAUGHT,
}
BUILTINS = {
    "input": "pass the text in as an argument",
    "open": FILES,
    "eval": SOURCE,
    "exec": SOURCE,
    "breakpoint": "stop in the plain function, dy2st.jit.enable_to_static(False) turns staging off",
    "locals": NAMES,
}
ASKED = "ask outside of the function, and pass the answer in as an argument"
TIME = "pass the time in as an argument"
FRAMES = "other functions stand between those that you have written; pass in what would be looked for"
OF_MODULE = {
    "datetime": dict.fromkeys(("now", "today", "utcnow"), TIME),
    "uuid": dict.fromkeys(("uuid1", "uuid4", "getnode"), "pass the identifier in as an argument"),
    "sys": {
        **dict.fromkeys(("exc_info", "exception"), CAUGHT),
        **dict.fromkeys(("_getframe", "_getframemodulename", "_current_frames"), FRAMES),
    },
    "inspect": dict.fromkeys(("currentframe", "stack", "trace", "getouterframes", "getinnerframes"), FRAMES),
    "unittest": {"__call__": RECORDED},  # of a mock
    "pathlib": {
        **dict.fromkeys(("iterdir", "glob", "rglob", "walk", "stat", "lstat"), FILES),
        "open": FILES, "read_text": FILES, "read_bytes": FILES, "write_text": FILES, "write_bytes": FILES,
    },
    "thread": dict.fromkeys(("locked", "get_ident", "get_native_id", "__repr__"), ASKED),
    "threading": dict.fromkeys(("current_thread", "currentThread", "active_count", "activeCount", "enumerate"), ASKED),
    "functools": {"cache_info": ASKED},
    "sqlite3": dict.fromkeys(("execute", "executemany", "executescript", "fetchone", "fetchmany", "fetchall"), ASKED),
    "os": {"urandom": "draw from dy2st.randint", **dict.fromkeys(("listdir", "scandir", "walk", "fwalk"), FILES)},
    "glob": dict.fromkeys(("glob", "iglob"), FILES),
}
# Functions of `time` that look at the clock only where they are given fewer arguments.
OF_A_TIME = {"asctime": 1, "ctime": 1, "gmtime": 1, "localtime": 1, "mktime": 1, "strftime": 2, "strptime": 1}
READERS_OF_SETTINGS = "get keys items values __getitem__ __contains__ __iter__ __len__".split()
# What fails, or leaves something else, when it is done again. (`World` puts back what most of these have done.)
ONCE = {*CHANGED, "removedirs", "renames"}
# Modules whose functions do something that is seen from outside: once, while staging, and never when the Program runs.
ACTING = set(
    "asyncio concurrent ctypes gc http logging multiprocessing os posix nt shutil signal socket subprocess sys tempfile thread "
    "threading urllib warnings".split()
)
# Their functions that only look at what they are given.
LOOKING = {"fspath", "intern", "getsizeof", "getdefaultencoding", "getfilesystemencoding", "getfilesystemencodeerrors"}
# Functions that act on nothing, whatever their module, or only on what they make: they can be asked again.
ASKING = set(
    "stat lstat getcwd getpid access readlink getuid geteuid getenv listdir scandir monotonic eval exec audit walk which "
    "cpu_count get_terminal_size fsencode fsdecode isatty isenabled collect is_tracked main_thread "
    "gettempdir getrecursionlimit getrefcount getLogger getLevelName getsignal exit _count".split()
)
# Methods of what a function makes itself that let something else run, such as a thread.
STARTING = {"start", "submit"}
# Functions whose results nobody else knows: what their methods do ends with them.
MAKERS = set("RLock Lock allocate_lock mkdtemp mkstemp TemporaryFile NamedTemporaryFile SpooledTemporaryFile".split())


def refusal(module: str | None, name: str, count: int) -> str | None:
    """What to write instead of the function `name` of a module, given `count` arguments besides None; None: it may be called."""
    if module == "time" and count >= OF_A_TIME.get(name, count + 1):
        return None
    if module in (None, "builtins", "io", "_io"):
        return BUILTINS.get(name)
    home = "os" if module == "posix" else module.lstrip("_").partition(".")[0]
    if home in OF_MODULE:
        return OF_MODULE[home].get(name)
    return next((text for prefix, text in MODULES.items() if module == prefix or module.startswith(prefix + ".")), None)  # type: ignore[union-attr]


def is_of_world(instead: str) -> bool:
    """Whether a function that is refused with these words asks the world outside, and an answer is good for one call."""
    return instead not in (SOURCE, CAUGHT, NAMES, BUILTINS["input"], BUILTINS["breakpoint"])


def acts(module: str, name: str, receiver: Any) -> bool:
    """Whether a function of Python's library does something outside of the function that calls it."""
    if name in LOOKING and is_foreign(module):
        return False
    if receiver is None or isinstance(receiver, types.ModuleType):
        if not is_foreign(module):
            return True  # for all that is known of a function of C from elsewhere
        home = module
    else:
        home = module_of(type(receiver))
    package = home.lstrip("_").partition(".")[0]
    if (package in ACTING and home != "urllib.parse") or name in REGISTERING.get(module, ()):  # urllib.parse looks at texts
        return True
    return (package == "pathlib" and name in CHANGED) or isinstance(receiver, io.TextIOWrapper | io.BufferedWriter)


def reads_settings(function: Any, receiver: Any) -> bool:
    """Whether a function only reads the environment's variables: it may be called again, or in a trial."""
    return function is os.getenv or (isinstance(receiver, type(os.environ)) and function.__name__ in READERS_OF_SETTINGS)


def is_once(module: str, receiver: Any, name: str) -> bool:
    """Whether a function changes files or the environment so that staging can't start anew behind it."""
    of_files = module.partition(".")[0] in ("os", "posix", "nt", "shutil", "pathlib") and name in ONCE
    return of_files or (isinstance(receiver, type(os.environ)) and name not in READERS_OF_SETTINGS)


def of_object(function: Callable, converted: Callable) -> Callable:
    """`vars` and `dir`: without an argument they look at the names of the function that calls them."""

    def call(*args: Any) -> Any:
        if not args and current_recorder() is not None:
            raise ConversionError(refusals.unconvertible(user_loc(), f"a call of {function.__name__} without an argument", NAMES))
        return as_the_user(converted if len(args) == 1 else function, *args)

    return call

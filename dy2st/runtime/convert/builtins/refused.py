"""Calls that a Program can't hold, by name: refused with what to write instead, or known to act on the world outside."""

from __future__ import annotations

import io
import os
import types
from collections.abc import Callable
from typing import Any

from ....errors import ConversionError
from ....pytree import module_of
from ...recorder import refusals
from ...recorder.recorder import current_recorder
from ...where.faults import as_the_user
from ...where.user_code import is_foreign, user_loc

FILES = "read the file outside the function and pass what it holds in"
SOURCE = "write the code itself, or pass the result in as an argument"
CAUGHT = "name the exception, 'except ValueError as error', and use str(error) or its attributes"
NAMES = "name the variables themselves"
RECORDED = "call it outside of the function, which it makes a note of"
CHANGED_OUTSIDE = "do that outside of the function, once or at each call"
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
    "subprocess": {"Popen": CHANGED_OUTSIDE},
    "socket": {"socket": CHANGED_OUTSIDE},
    "tempfile": dict.fromkeys(
        ("mkdtemp", "mkstemp", "TemporaryFile", "NamedTemporaryFile", "SpooledTemporaryFile", "TemporaryDirectory"), FILES
    ),
}
# Functions of `time` that look at the clock only where they are given fewer arguments.
OF_A_TIME = {"asctime": 1, "ctime": 1, "gmtime": 1, "localtime": 1, "mktime": 1, "strftime": 2, "strptime": 1}
READERS_OF_SETTINGS = "get keys items values __getitem__ __contains__ __iter__ __len__".split()
# Functions of `os`, `shutil` and `pathlib` that change files and folders.
FILE_CHANGES = set(
    "open makedirs remove rmtree truncate utime mkdir rmdir unlink touch chmod write_text write_bytes symlink_to hardlink_to "
    "rename replace move link symlink copy copy2 copyfile copymode copystat copytree removedirs renames chdir putenv "
    "unsetenv".split()
)
# Modules whose functions start processes or connections, and such functions of `os`.
STARTING_PROCESSES = set("subprocess socket http smtplib ftplib multiprocessing".split())
PROCESSES = set("system popen kill killpg fork spawnl spawnv execv posix_spawn write".split())
# Functions that change a table of their module.
REGISTERING = {
    "copyreg": {"pickle", "add_extension", "remove_extension", "clear_extension_cache"},
    "_csv": {"register_dialect", "unregister_dialect", "field_size_limit"},
    "locale": {"setlocale"},
}
# Modules whose functions do something that is seen from outside: once, while staging, and never when the Program runs.
ACTING = set(
    "asyncio concurrent ctypes gc http logging multiprocessing os posix nt shutil signal socket subprocess sys tempfile thread "
    "threading urllib warnings".split()
)
# Their functions that only look at what they are given.
LOOKING = {"fspath", "intern", "getsizeof", "getdefaultencoding", "getfilesystemencoding", "getfilesystemencodeerrors"}
# Methods of what a function makes itself that let something else run, such as a thread.
STARTING = {"start", "submit"}
# Functions whose results nobody else knows: what their methods do ends with them.
MAKERS = {"RLock", "Lock", "allocate_lock"}


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
    return (package == "pathlib" and name in FILE_CHANGES) or isinstance(receiver, io.TextIOWrapper | io.BufferedWriter)


def reads_settings(function: Any, receiver: Any) -> bool:
    """Whether a function only reads the environment's variables: it may be called again, or in a trial."""
    return function is os.getenv or (isinstance(receiver, type(os.environ)) and function.__name__ in READERS_OF_SETTINGS)


def refuse_outside_changes(loc: Any, module: str, name: str, receiver: Any) -> None:
    """ConversionError for a function that changes files, the environment or a table of its module, or starts a process."""
    package = module.lstrip("_").partition(".")[0]
    of_files = package in ("os", "posix", "nt", "shutil", "pathlib") and name in FILE_CHANGES | PROCESSES
    of_settings = isinstance(receiver, type(os.environ)) and name not in READERS_OF_SETTINGS
    if of_files or of_settings or package in STARTING_PROCESSES or name in REGISTERING.get(module, ()):
        raise ConversionError(refusals.unconvertible(loc, f"a call of {name}", CHANGED_OUTSIDE))


def of_object(function: Callable, converted: Callable) -> Callable:
    """`vars` and `dir`: without an argument they look at the names of the function that calls them."""

    def call(*args: Any) -> Any:
        if not args and current_recorder() is not None:
            raise ConversionError(refusals.unconvertible(user_loc(), f"a call of {function.__name__} without an argument", NAMES))
        return as_the_user(converted if len(args) == 1 else function, *args)

    return call

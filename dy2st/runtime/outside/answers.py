"""Answers of functions that ask the world or an object outside, such as `os.path.exists(p)` or `optimizer.get_lr()`.

Only looking is asked again at each call, and must say the same: what acts or draws is refused, or staged for each call.
"""

from __future__ import annotations

import os
from abc import ABCMeta, get_cache_token
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import numpy as np

from ..heap.identity import SCALARS, identity, same_constant

LOOKING = {
    "path": set(
        "exists lexists isfile isdir islink ismount isjunction getsize getmtime getatime getctime samefile realpath abspath "
        "relpath expanduser expandvars".split()
    ),
    "pathlib": set(
        "exists is_file is_dir is_symlink is_mount is_socket is_fifo is_block_device is_char_device samefile owner group "
        "resolve absolute expanduser cwd home readlink".split()
    ),
    "os": set("access stat lstat getcwd getcwdb readlink getpid getppid getuid geteuid getgid getegid".split()),
    "shutil": {"which"},
    "tempfile": {"gettempdir", "gettempdirb"},
    "logging": {"getLogger", "getEffectiveLevel", "isEnabledFor", "hasHandlers"},
}
HOMES = {"genericpath": "path", "posixpath": "path", "ntpath": "path", "posix": "os", "nt": "os"}
Answer = tuple[Callable, tuple, dict, Any]


class Answers:
    """Calls that were made while staging, and what they say outside of it."""

    def __init__(self) -> None:
        self._asked: dict[tuple, tuple[Callable, tuple, dict]] = {}
        self._answers: list[Answer] = []
        self._abstract: dict[tuple[int, int], tuple[type, ABCMeta]] = {}  # classes of which it was asked, by their ids
        self._registered: list[tuple[type, ABCMeta, Any]] = []
        self._token: object = None  # of Python's, another one after each registration of a class anywhere

    def note(self, function: Callable, args: tuple, kwargs: dict | None = None) -> None:
        """A function was asked while staging."""
        named = kwargs or {}
        key = (id(function), tuple(map(identity, args)), *((name, identity(value)) for name, value in named.items()))
        self._asked[key] = function, args, named

    def note_settings(self, function: Callable, args: tuple, kwargs: dict) -> None:
        """The environment was read: one variable of it, or all, by an iterator or a view, of which no two are alike."""
        if function.__name__ in ("__iter__", "keys", "values", "items"):
            self.note(dict, (os.environ,))
        else:
            self.note(function, args, kwargs)

    def note_abstract(self, cls: type, abstract: ABCMeta) -> None:
        """Whether a class is a subclass of an abstract one was asked, with which it may be registered later."""
        self._abstract[id(cls), id(abstract)] = cls, abstract

    def were_asked(self, function: Callable) -> bool:
        """Whether a function was asked that takes no arguments."""
        return (id(function), ()) in self._asked

    def settle(self) -> None:
        """Ask again, outside of the recording: the answers are to stay these."""
        self._answers = [(*asked, _said(*asked)) for asked in self._asked.values()]
        self._registered = [(*asked, _said(issubclass, asked, {})) for asked in self._abstract.values()]
        self._token = get_cache_token()

    def are_any(self) -> bool:
        """Whether any was asked."""
        return bool(self._answers or self._registered)

    def hold(self) -> bool:
        """Whether each function says what it said."""
        told = all(_alike(answer, _said(function, args, kwargs)) for function, args, kwargs, answer in self._answers)
        return told and self._registrations_hold()

    def _registrations_hold(self) -> bool:
        """Whether no class has been registered that was asked about; an import may register many others."""
        token = get_cache_token()
        if token != self._token:
            if any(_said(issubclass, (cls, abstract), {}) is not answer for cls, abstract, answer in self._registered):
                return False
            self._token = token
        return True


def looks(module: str | None, name: str) -> bool:
    """Whether a function of Python's library only looks at files, folders and levels of loggers."""
    return name in LOOKING.get(HOMES.get(module or "", module or ""), ())


def can_tell(value: Any) -> bool:
    """Whether an answer can be told from another one."""
    if type(value) in (list, tuple):
        return all(map(can_tell, value))
    if type(value) is dict:
        return can_tell([*value, *value.values()])
    return type(value) in SCALARS or isinstance(value, np.generic | PurePath)


def _said(function: Callable, args: tuple, kwargs: dict) -> Any:
    """What a function gives now, or the class of what it raises."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return type(error)


def _alike(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if type(a) in (list, tuple):
        return len(a) == len(b) and all(map(_alike, a, b))
    if type(a) is dict:
        return _alike([*a.items()], [*b.items()])
    if isinstance(a, os.stat_result):
        return a.__reduce__() == b.__reduce__()  # as a tuple, it has the times in whole seconds
    if isinstance(a, np.generic):
        return a.tobytes() == b.tobytes()
    return a is b or same_constant(a, b) or (isinstance(a, PurePath) and a == b)

"""Frames for code that isn't converted and looks at those of its callers: the user's only, as plain Python has them.

    user -> dy2st -> user -> dy2st -> [user -> user ->] function

Rewritten code asks `frames_behind`. Other code follows `f_back`, or has Python do so. So what may look at frames is called by
copies of those of the user: each has the file, the line, the name and the globals of one.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import sys
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import islice
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from ...converted_code import FUTURE_FLAGS, note_copy
from .per_code import Notes, mentioned
from .profiling import unwatched
from .user_frames import frames_behind

LOOKING = {"_getframe", "currentframe", "stack", "extract_stack", "format_stack", "print_stack", "warn"}
DEPTH = 20  # how many callers a function finds
RUNNING = (exec, eval, __import__, importlib.import_module)  # any code
_looking = Notes()


@unwatched
def may_look(function: Any) -> bool:
    """Whether what isn't converted may look at the frames of its callers, by the names in it and in what it may call."""
    return any(function is known for known in RUNNING) or any(map(_may_look, _entries(function)))


def finding_the_user(function: Any) -> Callable:
    """What to call in place of a function that isn't converted: where it looks at frames, it finds the user's."""
    return (lambda *args, **kwargs: called_by_copies(function, args, kwargs)) if may_look(function) else function


def called_by_copies(function: Callable, args: tuple, kwargs: dict) -> Any:
    """What a function gives that is called by copies of the user's frames."""
    return _on_copies(partial(function, *args, **kwargs))()


@unwatched
def _on_copies(call: Callable) -> Callable:
    for frame in islice(frames_behind(sys._getframe()), DEPTH):
        users = frame.f_code
        code = _copy(users.co_filename, frame.f_lineno, users.co_name, users.co_flags & FUTURE_FLAGS)
        call = partial(eval, code, frame.f_globals, {"call": call})  # neither of them has a frame
    return call


@lru_cache(maxsize=1024)
def _copy(file: str, line: int, name: str, future: int) -> CodeType:
    tree = ast.parse("call()", mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.lineno = node.end_lineno = line
    code = compile(tree, file, "eval", future, dont_inherit=True).replace(co_name=name)
    note_copy(code)
    return code


def _entries(function: Any) -> list[FunctionType]:
    """The functions in Python that a call begins with."""
    is_class = isinstance(function, type)
    calls = (type(function).__call__, *(getattr(function, name) for name in ("__new__", "__init__"))) if is_class else (function,)
    inner = (one.__func__ if isinstance(one, MethodType) else one for one in calls)
    return [one for one in inner if isinstance(one, FunctionType)]


def _may_look(function: FunctionType) -> bool:
    known = _looking.get(function.__code__)
    return _looking.note(function.__code__, _reaches_one(function)) if known is None else known


def _reaches_one(function: FunctionType) -> bool:
    pending, seen, modules = [function], set(), _Modules()
    while pending:
        one = pending.pop()
        if id(one.__code__) not in seen:
            seen.add(id(one.__code__))
            names = mentioned(one.__code__)
            if not LOOKING.isdisjoint(names):
                return True
            pending += modules.called_by(one.__globals__, names)
    return False


class _Modules:
    """The functions and methods of modules, by name."""

    def __init__(self) -> None:
        self._known: dict[int, dict[str, list[FunctionType]]] = {}

    def called_by(self, namespace: dict[str, Any], names: tuple[str, ...]) -> list[FunctionType]:
        """What code of a module may call which mentions these names: functions there, and where the objects come from."""
        reached = [namespace, *(_home(namespace[name]) for name in names if name in namespace)]
        return [function for module in reached for name in names for function in self._functions(module).get(name, ())]

    def _functions(self, namespace: dict[str, Any]) -> dict[str, list[FunctionType]]:
        found = self._known.get(id(namespace))
        if found is None:
            found = self._known[id(namespace)] = {}
            classes = [value for value in namespace.values() if isinstance(value, type) and _home(value) is namespace]
            for name, value in [item for owner in (namespace, *map(vars, classes)) for item in owner.items()]:
                if isinstance(value, FunctionType):
                    found.setdefault(name, []).append(value)
        return found


def _home(value: Any) -> dict[str, Any]:
    """The names of the module that an object or its class comes from; of a module, its own."""
    name = getattr(value if isinstance(value, type | FunctionType) else type(value), "__module__", None)
    module = value if isinstance(value, ModuleType) else sys.modules.get(str(name), builtins)
    return getattr(module, "__dict__", {})

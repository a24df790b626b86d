"""The name of an object of the user's: `FILE.py:OBJECT` or `package.module:OBJECT`."""

from __future__ import annotations

import re
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from ...annotations import signature_of
from ...python_library import is_installed_file
from ...runtime.where.user_code import is_users_function
from ..usage import UsageError
from .sources import module_of

_OBJECT = re.compile(r"(?P<source>.+):(?P<names>\w+(\.\w+)*)")
_SOURCE = re.compile(r".+\.py|\w+(\.\w+)*")
FORM = "FILE.py:OBJECT or package.module:OBJECT"


class Found(NamedTuple):
    """An object, and what it is an attribute of."""

    owner: Any
    value: Any


def is_object(target: str) -> bool:
    """Whether a target is written as FILE.py:OBJECT or package.module:OBJECT."""
    match = _OBJECT.fullmatch(target)
    return match is not None and _SOURCE.fullmatch(match["source"]) is not None


def is_source(target: str) -> bool:
    """Whether a target is written as a file or a module, without an object."""
    return _SOURCE.fullmatch(target) is not None


def target_object(target: str) -> Any:
    """What a target names; in place of a class, or of a method of one, that of an object that the class makes."""
    return object_of(find(target), target)


def target_callable(target: str) -> Any:
    """The same, which a call runs. UsageError: none does."""
    return callable_of(find(target), target)


def callable_of(found: Found, target: str) -> Any:
    """The same of what has been found."""
    value = object_of(found, target)
    if not callable(value):
        raise UsageError(f"{target} is {type(value).__name__}, not a function, a method or a layer")
    return value


def object_of(found: Found, target: str) -> Any:
    """What is found; in place of a class, or of a method of one, that of an object that the class makes."""
    owner, value = found
    if isinstance(value, type):
        return _instance(value, target)
    return getattr(_instance(owner, target), target.rpartition(".")[2]) if isinstance(owner, type) else value


def find(target: str) -> Found:
    """The object that `FILE.py:A.b` names. UsageError: there is none."""
    match = _OBJECT.fullmatch(target)
    if is_source(target):
        raise UsageError(f"{target} is a file or a module: name an object in it, {target}:OBJECT; dy2st code {target} lists them")
    if match is None or not is_object(target):
        raise UsageError(f"{target!r} is not of the form {FORM}, for example net.py:Net.forward")
    owner: Any = None
    found: Any = module_of(match["source"])
    where = match["source"]
    for name in match["names"].split("."):
        if not hasattr(found, name):
            raise UsageError(f"there is no {name!r} in {where}, which has {', '.join(own_names(found)) or 'nothing public'}")
        owner, found = found, getattr(found, name)
        where += f":{name}" if where == match["source"] else f".{name}"
    return Found(owner, found)


def without_decorators(function: Any) -> Any:
    """A function without the decorators of Python, this package and others: those of the user's own run as part of it."""
    while hasattr(function, "__wrapped__") and not _is_written_by_user(function):
        function = function.__wrapped__
    return function


def _is_written_by_user(function: Any) -> bool:
    return is_users_function(function) and not is_installed_file(function.__code__.co_filename)


def own_names(found: Any) -> list[str]:
    """What a user may name in a module, a class or an object: what was made there, not what it has imported or inherited."""
    home = getattr(found, "__name__" if isinstance(found, ModuleType) else "__module__", None)

    def is_own(value: Any) -> bool:
        if isinstance(value, type | FunctionType):
            return value.__module__ == home
        return not isinstance(value, ModuleType)

    return [name for name, value in getattr(found, "__dict__", {}).items() if not name.startswith("_") and is_own(value)]


def _instance(cls: type, target: str) -> Any:
    try:
        signature_of(cls).bind()
    except TypeError as error:
        advice = f"name an object of the file instead, for example net = {cls.__name__}(...)"
        raise UsageError(f"{target}: {cls.__name__}() is {error}; {advice}") from error
    return cls()

"""Operations as they stand in a file: what they name is the file's own, and nothing of the process that loads it.

Exceptions are below Exception: a file that raised SystemExit would end whoever calls the model, and one that caught
KeyboardInterrupt could not be stopped. Python functions that a process knows by name stay there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..ir.core import Operation
from ..ir.names import TEXT
from ..ops.registry import OPERATORS

_NOT_BELOW_EXCEPTION = {"BaseException", "BaseExceptionGroup", "GeneratorExit", "KeyboardInterrupt", "SystemExit"}
_NAME = re.compile(r"(?!\d)\w+(\.((?!\d)\w+|<locals>))*")  # a class's `__qualname__`
_LONGEST = 200
_TAKEN = {"add_note", "args", "dy2st_loc", "with_traceback"}  # what Python and this package use on every exception


def filed_attrs(op: Operation) -> dict[str, Any]:
    """The attributes of an Operation as they stand in a file; ValueError says what of it no file can hold.

    `except:` stands there as `except Exception:`, which is all that a saved model can raise. The backward of a PyLayer is named
    without its number, by which the process finds it.
    """
    if op.name in OPERATORS and OPERATORS[op.name].calls_python:
        raise ValueError(f"no model file can hold {op.name}: it calls a Python function of the process")
    if op.name == "custom_gradient":
        return {**op.attrs, "gradients": str(op.attrs.get("gradients")).partition("#")[0]}
    if op.name in ("raise", "exception.new") and op.attrs.get("exception") is not None:
        check_raised([op.attrs["exception"], *op.attrs.get("bases", ())])
        _check_fields(op.attrs.get("fields", ()))
    elif op.name == "try":
        return {**op.attrs, "handlers": [_caught(names) for names in op.attrs["handlers"]]}
    elif op.name == "caught.is":
        return {**op.attrs, "exceptions": _caught(op.attrs["exceptions"])}
    return op.attrs


def check_raised(names: Iterable[str]) -> None:
    """ValueError where one of these, a class and its bases, is no class that a file may raise."""
    for name in names:
        if name in _NOT_BELOW_EXCEPTION:
            raise ValueError(
                f"a model file can't raise {name}, which acts on the process that calls the model; raise an exception that "
                "derives from Exception, and let the caller act on it"
            )
        _check_name(name)


def _caught(names: Iterable[str]) -> list[str]:
    """The exception classes that a handler in a file catches."""
    found = ["Exception" if name == "BaseException" else name for name in names]
    for name in found:
        if name in _NOT_BELOW_EXCEPTION:
            raise ValueError(f"a model file can't catch {name}, which is for the process that calls the model: catch it there")
        _check_name(name)
    return found


def _check_name(name: str) -> None:
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        raise ValueError(f"{name[:40]!r} is no name of an exception class")


def _check_fields(names: Iterable[str]) -> None:
    for name in names:
        if name != TEXT and (not name.isidentifier() or name.startswith("__") or name in _TAKEN):
            raise ValueError(f"an exception in a model file can't have an attribute called {name[:40]!r}: choose another name")

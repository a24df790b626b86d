"""Functions that the user wants run as they are: `not_to_static` has marked them, or `ignore_module` their module.

They run once, while staging; what they do to tensors is recorded. Inside staged control flow nothing can take back what they
store: only functions that store nothing are called there. What they call in turn is watched (`recorder/watch.py`).
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ...recorder.recorder import Recorder
from ...recorder.watch import may_store
from ...where.copied_frames import finding_the_user
from ...where.faults import speaks_for_the_user

MARK = "__dy2st_skip__"
_modules: set[str] = set()


def skip(function: Any) -> Any:
    """Mark a function, method or class, which is given back. A method is marked in its class, for all objects."""
    setattr(function.__func__ if isinstance(function, types.MethodType) else function, MARK, True)
    return function


def ignore_module(modules: list[types.ModuleType]) -> None:
    """Functions of these `modules`, and of modules inside them, are no longer converted: they run as they are while staging.

    TypeError: a list of something else.
    """
    for module in modules:
        if not isinstance(module, types.ModuleType):
            raise TypeError(f"ignore_module takes a list of modules; {module!r} is a {type(module).__name__}")
        _modules.add(module.__name__)


def is_skipped(function: Any) -> bool:
    """Whether a function or a class runs as it is."""
    if getattr(function, MARK, False):
        return True
    module = getattr(function, "__module__", None) or ""
    return bool(_modules) and any(module == name or module.startswith(name + ".") for name in _modules)


def skipped(rec: Recorder, function: types.FunctionType) -> Callable:
    """What calls the function itself; ConversionError where what it stores could not be taken back."""
    if len(rec.frames) > 1 and may_store(function.__code__):
        rec.act(
            f"{rec.here()}: {function.__qualname__} runs as it is, since not_to_static or ignore_module says so, and changes "
            "something, which inside staged control flow can't be taken back: call it before, or let it be converted"
        )
    called = finding_the_user(function)

    @speaks_for_the_user
    def call(*args: Any, **kwargs: Any) -> Any:
        with rec.told_to_act(function):
            return called(*args, **kwargs)

    return call

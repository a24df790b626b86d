"""What the user's code says to `script`: decorators, and functions that mean something while it compiles."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any, Final

from ...runtime.recorder.recorder import current_recorder

__all__ = ["Final", "annotate", "enabled", "export", "how", "ignore", "is_scripting", "unused"]

_HOW = "__dy2st_script__"


def enabled() -> bool:
    """Whether `script` and `trace` compile; `DY2ST_JIT=0` in the environment lets them give plain Python back."""
    return os.environ.get("DY2ST_JIT", "1") not in ("0", "")


def how(function: Any) -> str:
    """What a decorator said of a function: "export", "ignore", "drop" or nothing."""
    return getattr(function, _HOW, "")


def export(function: Callable) -> Callable:
    """Decorator of a method, `function`, which it gives back: it is compiled though no compiled method calls it."""
    setattr(function, _HOW, "export")
    return function


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """Decorator: calls of the function stay calls of Python, so what calls it can't be saved. Gives the function back.

    `ignore(drop=True)` is `unused`. TypeError: another argument.
    """
    if callable(drop):
        setattr(drop, _HOW, "ignore")
        return drop
    if kwargs:
        raise TypeError(f"ignore takes no {', '.join(kwargs)}")
    if drop:
        warnings.warn("ignore(drop=True) is deprecated: write @unused", DeprecationWarning, stacklevel=2)
        return unused
    return ignore


def unused(function: Callable) -> Callable:
    """Decorator: the function isn't compiled; a compiled function that gets to its call raises. Gives the function back."""
    setattr(function, _HOW, "drop")
    return function


def is_scripting() -> bool:
    """True in a compiled function, False in plain Python."""
    rec = current_recorder()
    return rec is not None and rec.facts.policy.typed


def annotate(the_type: Any, the_value: Any) -> Any:
    """`the_value` as it is; in a compiled function it has the type `the_type`."""
    rec = current_recorder()
    return the_value if rec is None else rec.facts.policy.declared(rec, the_value, the_type)

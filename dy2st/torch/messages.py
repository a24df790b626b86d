"""Messages of PyTorch code on paths of staged control flow: the Program gives them to `logging` and `warnings` when it runs.

Outside of such a path, a message of a level that its logger doesn't take is nothing; the level is guarded.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from functools import partial
from itertools import islice
from types import MethodType
from typing import Any

from ..errors import ConversionError, Dy2stWarning
from ..ops.dispatch import recorder_of_mode
from ..ops.python.output import CATEGORIES
from ..ops.registry import lookup
from ..runtime.convert.builtins.text import convert_percent, convert_str
from ..runtime.where.user_code import user_frame
from ..runtime.where.user_frames import frames_behind
from ..runtime.where.warn import warn_at

LEVELS = {name: logging.getLevelName(name.upper()) for name in ("debug", "info", "warning", "error", "critical")}


def told(function: Any, is_on_path: bool) -> Callable | None:
    """The function that replaces `warnings.warn` or a method of a logger; None where the original is called."""
    if function is warnings.warn:
        return _warn if is_on_path else None
    if type(function) is not MethodType or not isinstance(function.__self__, logging.Logger):
        return None
    name, logger = function.__name__, function.__self__
    if not is_on_path:
        return _say_nothing if name in LEVELS and not _takes(logger, LEVELS[name]) else None
    if name.removesuffix("_once") in LEVELS and name not in LEVELS:
        return _leave_out
    if name in LEVELS:
        return partial(_log, logger, LEVELS[name])
    return partial(_log, logger) if name == "log" else None


def _takes(logger: logging.Logger, level: int) -> bool:
    """Whether a logger takes messages of a level; the call is staged anew where that changes."""
    recorder_of_mode().facts.guards.answers.note(logger.isEnabledFor, (level,), {})
    return logger.isEnabledFor(level)


def _say_nothing(*args: Any, **kwargs: Any) -> None:
    """Stands for a message that nobody gets."""


def _log(logger: logging.Logger, level: int, msg: Any, *args: Any, stacklevel: int = 1, **more: Any) -> None:
    if any(more.values()) or logging.getLogger(logger.name) is not logger:
        said = "a message on a path of staged control flow is a text for logging.getLogger(name), without exc_info and extra"
        raise ConversionError(f"{recorder_of_mode().here()}: {said}")
    lookup("io.log")(convert_percent(msg, args) if args else convert_str(msg), logger=logger.name, level=level)


def _leave_out(*args: Any, **kwargs: Any) -> None:
    said = "this message is given once in a process, on a path of staged control flow, and a Program doesn't count: left out"
    warn_at(recorder_of_mode().here(), said, Dy2stWarning)


def _warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None) -> None:
    kind: type = type(message) if isinstance(message, Warning) else category or UserWarning
    name = next(cls.__name__ for cls in kind.__mro__ if CATEGORIES.get(cls.__name__) is cls)
    lookup("io.warn")(convert_str(message), category=name, stacklevel=stacklevel, module=_module_at(stacklevel))


def _module_at(stacklevel: int) -> str:
    """The name of the module of the user's code that called so many levels up: filters of warnings ask for it."""
    innermost = user_frame()
    frames = [] if innermost is None else [innermost, *islice(frames_behind(innermost), max(stacklevel, 1) - 1)]
    return str(frames[-1].f_globals.get("__name__", "")) if frames else ""

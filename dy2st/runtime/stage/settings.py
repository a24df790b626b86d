"""The settings of the interpreter and of this package that staging changes for its time."""

from __future__ import annotations

import gc
import sys
from contextvars import ContextVar
from functools import partial
from typing import Any

from ...ops import dispatch
from ...undo import Undo
from ..recorder import watch
from ..tensors import grad_mode
from ..where import profiling, stack, warn

VARIABLES: tuple[ContextVar[Any], ...] = (dispatch._stack, dispatch._recorder, grad_mode._enabled, warn._held)


def settings() -> list[Undo]:
    """Steps that restore all of them, for the end of an interrupted staging."""
    return [
        *(partial(variable.set, variable.get()) for variable in VARIABLES),
        gc.enable if gc.isenabled() else gc.disable,
        *([] if watch.is_monitored() else [watch.stop_monitoring]),
        profiling.restore_hook(),
        partial(sys.setprofile, sys.getprofile()),
        partial(stack.leave, stack.depth()),
    ]

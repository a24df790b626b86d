"""Calls of which a backward Program keeps the tensors that go in and come out, and computes the others again."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from ..ops.dispatch import recorder_of_mode
from ..ops.views import checkpoint
from ..runtime.tensors.tensor import Tensor

_depth: ContextVar[int] = ContextVar("depth of checkpoints", default=0)


def between_checkpoints(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """function(*args, **kwargs), converted and between two checkpoints where a Program is being recorded.

    The checkpoints are the tensors among the arguments, and in the result, a tensor or a tuple.
    """
    rec = recorder_of_mode()
    if rec is None:
        return function(*args, **kwargs)
    depth = _depth.get()
    token = _depth.set(depth + 1)
    try:
        given = {name: _marked(x, "start", depth) for name, x in kwargs.items()}
        result = rec.convert_call(function)(*_marked(args, "start", depth), **given)
    finally:
        _depth.reset(token)
    return _marked(result, "end", depth)


def _marked(value: Any, at: str, depth: int) -> Any:
    """The value with checkpoints of the tensors in it; a container that may be changed stays as it is."""
    if type(value) is tuple:
        return tuple(_marked(part, at, depth) for part in value)
    return checkpoint(value, at=at, depth=depth) if isinstance(value, Tensor) else value

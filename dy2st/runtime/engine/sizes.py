"""Whether a call computes arrays so large that the pooled source pays.

Known shapes decide that at once. Where dims are open, the Program's arrays are as long as its inputs make them. The limit is the
length of an open dim of the inputs from which on some result may have `LARGE` bytes. Each call compares its inputs with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...dtypes import DTYPES
from ...ir.core import Function
from ...ir.types import TensorType
from ...ops.registry import OPERATORS
from .buffers import LARGE


def is_large(function: Function) -> Callable[[tuple], bool] | bool:
    """Whether calls of `function` compute large arrays: always, never, or a question to the inputs of a call."""
    limit = math.inf
    for op in function.block.walk():
        if op.name in OPERATORS and OPERATORS[op.name].out and isinstance(op.results[0].type, TensorType):
            limit = min(limit, _limit(op.results[0].type))
    if limit <= 1 or limit == math.inf:
        return limit <= 1
    inputs = [(i, _open_axes(a.type)) for i, a in enumerate(function.block.args) if isinstance(a.type, TensorType)]
    return _question([(i, axes) for i, axes in inputs if axes is None or axes], int(limit))


def _limit(type_: TensorType) -> float:
    """The length of the open dims from which on an array of this type is large; at most 1: it is so anyway."""
    if type_.shape is None:
        return LARGE
    size = DTYPES[type_.dtype].numpy.itemsize * math.prod(d for d in type_.shape if isinstance(d, int))
    n_open = sum(not isinstance(d, int) for d in type_.shape)
    if size == 0 or (n_open == 0 and size < LARGE):
        return math.inf
    return math.ceil((LARGE / size) ** (1 / n_open)) if n_open else 1


def _open_axes(type_: TensorType) -> tuple[int, ...] | None:
    """The axes of unknown length; None where the rank is unknown too."""
    return None if type_.shape is None else tuple(i for i, d in enumerate(type_.shape) if not isinstance(d, int))


def _question(inputs: list[tuple[int, tuple[int, ...] | None]], limit: int) -> Callable[[tuple], bool] | bool:
    if not inputs:
        return False
    first, axes = inputs[0]
    if len(inputs) == 1 and axes is not None and len(axes) == 1:
        axis = axes[0]
        return lambda given: given[first].shape[axis] >= limit

    def asked(given: tuple[Any, ...]) -> bool:
        return any(
            length >= limit
            for index, axes in inputs
            for length in (given[index].shape if axes is None else [given[index].shape[axis] for axis in axes])
        )

    return asked

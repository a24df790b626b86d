"""The arrays in what a Program gives, in order, and a structure of gradients like it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..ir.native import SHARED, Record, parts
from ..ops.python.adjoints import zeros
from ..runtime.tensor import Tensor


def arrays(value: Any) -> Iterator[Any]:
    """The arrays, or Tensors, of a native value; a container counts once."""
    return _arrays(value, set())


def floating(value: Any) -> list:
    """Those of floating point."""
    return [x for x in arrays(value) if (x._data if isinstance(x, Tensor) else x).dtype.kind in "fc"]


def _arrays(value: Any, seen: set[int]) -> Iterator[Any]:
    if isinstance(value, np.ndarray | Tensor):
        yield value
        return
    if isinstance(value, SHARED):
        if id(value) in seen:
            return
        seen.add(id(value))
    for part in parts(value):
        yield from _arrays(part, seen)


def gradient_of_result(value: Any, gradients: Iterator[np.ndarray], seen: set[int] | None = None) -> Any:
    """A value of the structure of `value` with the next gradient in the place of each array that `floating` finds."""
    seen = set() if seen is None else seen
    if isinstance(value, np.ndarray):
        return next(gradients) if value.dtype.kind in "fc" else value
    if isinstance(value, list | dict):
        if id(value) in seen:
            return zeros.kernel(value)
        seen.add(id(value))
    if isinstance(value, dict):
        return {key: gradient_of_result(x, gradients, seen) for key, x in value.items()}
    if not isinstance(value, list | tuple):
        return value
    made = [gradient_of_result(x, gradients, seen) for x in value]
    return Record.of(value.name, value.fields, made) if isinstance(value, Record) else type(value)(made)

"""The arrays in what a Program gives, in order, and a structure of gradients like it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from ...dtypes import FLOWING
from ...ir.native import leaves, mapped, parts, rebuilt
from ...runtime.tensors.tensor import Tensor

Flow = Any  # which gradients flow to a result: an int, 0 for none, for all that it holds; or a native value of its structure


def arrays(value: Any) -> Iterator[Any]:
    """The arrays, or Tensors, of a native value; a container counts once."""
    return leaves(value, _is_array)


def is_somewhere(flow: Flow, mask: int) -> bool:
    """Whether one of the gradients that `mask` has the bits of flows to some part of a result."""
    if isinstance(flow, int):
        return flow & mask != 0
    return any(is_somewhere(part, mask) for part in parts(flow))


def floating(value: Any, flow: Flow, mask: int) -> list:
    """The arrays of floating point that those gradients flow to."""
    if type(value) is np.ndarray:
        return [value] if value.dtype.kind in FLOWING and flow & mask else []
    return [x for x, _ in floating_with_flags(value, flow, mask)]


def floating_with_flags(value: Any, flow: Flow, mask: int) -> Iterator[tuple[Any, int]]:
    """The same with the flags of each."""
    for x, flags in _arrays(value, flow, mask, set()):
        if (x._data if isinstance(x, Tensor) else x).dtype.kind in FLOWING:
            yield x, flags


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | Tensor)


def _arrays(value: Any, flow: Flow, mask: int, seen: set[int]) -> Iterator[tuple[Any, int]]:
    if isinstance(flow, int):
        found = leaves(value, _is_array, seen=seen) if flow & mask else iter(())
        return ((x, flow) for x in found)
    if not isinstance(value, tuple):
        if id(value) in seen:
            return iter(())
        seen.add(id(value))
    return chain.from_iterable(_arrays(part, inner, mask, seen) for part, inner in zip(parts(value), parts(flow)))


def gradient_of_result(value: Any, flow: Flow, mask: int, gradients: Iterator[np.ndarray]) -> Any:
    """A value of the structure of `value` with the next gradient in the place of each array that `floating` finds."""
    return _GradientOfResult(mask, gradients).made(value, flow)


class _GradientOfResult:
    """Methods, since functions that call themselves would keep the arrays until a garbage collection."""

    def __init__(self, mask: int, gradients: Iterator[np.ndarray]):
        from ...ops.python.adjoints import deep_zeros  # only who trains needs it: loading is quick without

        self._mask, self._gradients, self._zeros = mask, gradients, deep_zeros
        self._seen: set[int] = set()

    def made(self, part: Any, flow: Flow) -> Any:
        if isinstance(flow, int):
            return mapped(self._gradient, self._is_new, part) if flow & self._mask else self._zeros(part)
        pairs = list(zip(parts(part), parts(flow)))
        if not self._is_new(part) or len(pairs) < len(parts(part)):  # flags don't follow what a container without tensors gets
            return self._zeros(part)
        return rebuilt(part, [self.made(*pair) for pair in pairs])

    def _is_new(self, part: Any) -> bool:
        if isinstance(part, list | dict) and id(part) not in self._seen:
            self._seen.add(id(part))
            return True
        return isinstance(part, tuple)

    def _gradient(self, part: Any) -> Any:
        has_one = isinstance(part, np.ndarray) and part.dtype.kind in FLOWING
        return next(self._gradients) if has_one else self._zeros(part) if isinstance(part, list | dict) else part

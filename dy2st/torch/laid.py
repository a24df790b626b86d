"""How one tensor lies in memory, as torch counts it, and tensors that lie so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..dtypes import DTYPES
from .dtypes import of_name
from .packages import torch


class Laid(NamedTuple):
    """How a tensor lies in memory: its lengths, the steps between elements, its dtype, where it begins.

    stride: None where a path decides that. number: its only element; None where that isn't known, or there are others.
    """

    shape: tuple[int, ...]
    stride: Any
    dtype: str
    offset: int = 0
    number: Any = None

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements lie one after the other; axes of length 1 don't matter."""
        return 0 in self.shape or all(n == 1 or a == b for n, a, b in zip(self.shape, self.stride, row_major(self.shape)))

    @property
    def order(self) -> tuple[int, ...] | None:
        """The axes in whose order the elements lie one after the other; None: there is no such order."""
        axes = tuple(sorted(range(len(self.shape)), key=lambda axis: -self.stride[axis]))
        permuted = self._replace(shape=tuple(self.shape[k] for k in axes), stride=tuple(self.stride[k] for k in axes))
        return tuple(range(len(self.shape))) if self.is_contiguous else axes if permuted.is_contiguous else None

    @property
    def reach(self) -> int:
        """How many elements its memory has at least."""
        return self.offset + _reach(self)

    def in_torch(self, device: str) -> Any:
        """A tensor of torch's that lies so; a number is on the CPU in any case."""
        if self.number is not None:
            return torch().tensor(self.number, dtype=of_name(self.dtype))
        found = torch().zeros(self.reach, dtype=of_name(self.dtype), device=device)
        return found.as_strided(self.shape, self.stride, self.offset)

    def in_numpy(self) -> np.ndarray:
        """An array that lies so in memory of its own."""
        if self.number is not None:
            return np.asarray(self.number, DTYPES[self.dtype].numpy)
        memory = np.zeros(_reach(self), DTYPES[self.dtype].numpy)
        return np.lib.stride_tricks.as_strided(memory, self.shape, [n * memory.itemsize for n in self.stride])


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """The steps between elements that lie one after the other, as torch counts them."""
    return steps_of(shape, range(len(shape)))


def steps_of(shape: Sequence[Any], order: Sequence[int]) -> tuple[Any, ...]:
    """The same, where the axes lie in another order. Some lengths may be known to the Program only."""
    steps, step = [1] * len(shape), 1
    for axis in reversed(order):
        steps[axis] = step
        step = step * (max(shape[axis], 1) if isinstance(shape[axis], int) else shape[axis])
    return tuple(steps)


def in_order(shape: Sequence[int], dtype: str) -> Laid:
    return Laid(tuple(shape), row_major(shape), dtype)


def in_some_order(laid: Laid, is_reversed: bool) -> Laid:
    axes = range(len(laid.shape))
    return laid if laid.stride is not None else laid._replace(stride=steps_of(laid.shape, axes[::-1] if is_reversed else axes))


def joined(laid: Any, other: Any) -> Any:
    """What is known where a path, or nobody knows what, decides between two."""
    if is_parts(laid) and is_parts(other) and len(laid) == len(other):
        return tuple(joined(x, y) for x, y in zip(laid, other))
    laid, other = (laid, other) if isinstance(laid, Laid) else (other, laid)
    if laid == other or not isinstance(laid, Laid):
        return laid if laid == other else None
    is_near = isinstance(other, Laid) and other.shape == laid.shape
    return Laid(laid.shape, None, laid.dtype) if is_near else None


def is_parts(x: Any) -> bool:
    return type(x) is tuple


def is_open(given: Iterable[Any]) -> bool:
    return any(isinstance(x, Laid) and x.stride is None for x in given)


def laid_of(tensor: Any) -> Laid:
    dtype = str(tensor.dtype).removeprefix("torch.")
    return Laid(tuple(tensor.shape), tuple(tensor.stride()), dtype, tensor.storage_offset())


def laid_of_view(array: np.ndarray, base: np.ndarray, laid: Laid) -> Laid | None:
    """How a view in NumPy of a stand-in lies in the memory of that."""
    steps = [n // array.itemsize for n in array.strides]
    ahead = (array.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // array.itemsize
    is_other = min(steps, default=0) < 0 or not np.may_share_memory(array, base)
    return None if is_other else Laid(array.shape, tuple(steps), laid.dtype, laid.offset + ahead)


def _reach(laid: Laid) -> int:
    return 0 if 0 in laid.shape else 1 + sum((n - 1) * step for n, step in zip(laid.shape, laid.stride))

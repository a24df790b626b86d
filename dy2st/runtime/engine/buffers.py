"""Memory of large temporaries, kept from call to call.

Fresh memory of this size comes from the operating system page by page, which costs more than the arithmetic on it. A function of
the pooled source takes a set of buffers where it begins and gives it back where it ends:

    def f0(a0):
        b = buffers_0.take()
        d0 = a0.shape[0]
        v0 = np.matmul(a0, v1, out=b[0]((d0, 512)))
        v2 = np.matmul(v4, v5, out=b[1])
        ...
        buffers_0.give(b)
        return v3

An array of known shape has a Segment of one arena. Segments that are never in use at once may overlap. One with open
lengths has a Buffer.

Calls at the same time, in threads or by recursion, have a set each. One set is kept, where all functions of the Program together
keep no more than `limits.pooled_bytes`. A set that an exception keeps from coming back is dropped.
What leaves the function, in a result, a container, a parameter or state, never lies in a buffer (`slots.py`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...config import limits

LARGE = 1 << 17  # bytes; from here on the C library asks the operating system, so fresh memory is slower than reused memory


class Buffer:
    """Memory for one array at a time, of one dtype and of any shape."""

    def __init__(self, dtype: str):
        self._memory: np.ndarray = np.empty(0, dtype)
        self._array: np.ndarray = self._memory

    def __call__(self, shape: tuple[int, ...]) -> np.ndarray:
        """An array of this shape, with anything in it."""
        array = self._array
        return array if array.shape == shape else self._shaped(shape)

    @property
    def nbytes(self) -> int:
        return self._memory.nbytes

    def _shaped(self, shape: tuple[int, ...]) -> np.ndarray:
        size = math.prod(shape)
        if not self._memory.size // 4 <= size <= self._memory.size:  # one large call doesn't hold its memory forever
            dtype = self._memory.dtype
            self._memory = self._array = np.empty(0, dtype)  # before there are two of them
            self._memory = np.empty(size, dtype)
        self._array = self._memory[:size].reshape(shape)
        return self._array


class Segment(NamedTuple):
    """The bytes of the arena, from `start` on, that an array of this shape and dtype takes."""

    dtype: str
    shape: tuple[int, ...]
    start: int

    def of(self, arena: np.ndarray) -> np.ndarray:
        """The array, with anything in it."""
        return np.ndarray(self.shape, self.dtype, arena, self.start)

    @property
    def end(self) -> int:
        return self.start + np.dtype(self.dtype).itemsize * math.prod(self.shape)


class Pool:
    """The set of memory of one function that no call is using.

    parts: a Segment, or the dtype of a Buffer, for each item of a set. pools: those of all functions of the Program.
    """

    def __init__(self, parts: list[str | Segment], pools: list[Pool]):
        self._parts, self._pools = parts, pools
        self._free: list[list] = []  # at most one, and a list because taking the last item is one step for threads
        pools.append(self)

    def take(self) -> list:
        """A set that nobody else has until it is given back."""
        try:
            return self._free.pop()
        except IndexError:
            return self._made()

    def give(self, taken: list) -> None:
        """Keep the set for the next call, where none is kept and the limit allows it."""
        if not self._free and self._size(taken) + sum(pool.nbytes for pool in self._pools) <= limits.pooled_bytes:
            self._free.append(taken)

    @property
    def nbytes(self) -> int:
        """How much memory is kept."""
        return sum(map(self._size, tuple(self._free)))

    def release(self) -> None:
        """Keep nothing."""
        self._free.clear()

    @property
    def _arena_bytes(self) -> int:
        return max((part.end for part in self._parts if isinstance(part, Segment)), default=0)

    def _made(self) -> list:
        arena = np.empty(self._arena_bytes, np.uint8)
        return [Buffer(part) if isinstance(part, str) else part.of(arena) for part in self._parts]

    def _size(self, taken: list) -> int:
        return self._arena_bytes + sum(part.nbytes for part in taken if isinstance(part, Buffer))

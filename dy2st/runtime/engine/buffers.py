"""Memory of large temporaries, kept from call to call.

Fresh memory of this size comes from the operating system page by page, which costs more than the arithmetic on it. A function of
the pooled source takes a set of buffers where it begins and gives it back where it ends:

    def f0(a0):
        b = buffers_0.take()
        d0 = a0.shape[0]
        v0 = np.matmul(a0, v1, out=b[0]((d0, 512)))
        ...
        buffers_0.give(b)
        return v3

Calls at the same time, in threads or by recursion, have a set each. One set is kept, where all functions of the Program together
keep no more than `limits.pooled_bytes`. A set that an exception keeps from coming back is dropped.
What leaves the function, in a result, a container, a parameter or state, never lies in a buffer (`slots.py`).
"""

from __future__ import annotations

import math

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
            self._memory = np.empty(size, self._memory.dtype)
        self._array = self._memory[:size].reshape(shape)
        return self._array


class Pool:
    """The set of buffers of one function that no call is using; `dtypes` has one entry per buffer of a set.

    pools: those of all functions of the Program, this one among them.
    """

    def __init__(self, dtypes: list[str], pools: list[Pool]):
        self._dtypes, self._pools = dtypes, pools
        self._free: list[list[Buffer]] = []  # at most one, and a list because taking the last item is one step for threads
        pools.append(self)

    def take(self) -> list[Buffer]:
        """A set that nobody else has until it is given back."""
        try:
            return self._free.pop()
        except IndexError:
            return [Buffer(dtype) for dtype in self._dtypes]

    def give(self, buffers: list[Buffer]) -> None:
        """Keep the set for the next call, where none is kept and the limit allows it."""
        if not self._free and _size(buffers) + sum(pool.nbytes for pool in self._pools) <= limits.pooled_bytes:
            self._free.append(buffers)

    @property
    def nbytes(self) -> int:
        """How much memory is kept."""
        return sum(map(_size, tuple(self._free)))

    def release(self) -> None:
        """Keep nothing."""
        self._free.clear()


def _size(buffers: list[Buffer]) -> int:
    return sum(buffer.nbytes for buffer in buffers)

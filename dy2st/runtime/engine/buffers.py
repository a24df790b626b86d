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

Calls at the same time, in threads or by recursion, have a set each. One set is kept, where all Programs together keep no more
than `limits.pooled_bytes`. A set that an exception keeps from coming back is dropped. So is one that no call has taken for a
while: the process counts the calls of its Programs, and a set stays for `LEAST_CALLS` of them, or for twice as many as lay
between its last two uses, but no more than `MOST_CALLS`. The kept memory thus follows the recent calls.

What leaves the function, in a result, a container, a parameter or state, never lies in a buffer (`slots.py`).
"""

from __future__ import annotations

import math
from functools import cached_property
from threading import RLock
from typing import NamedTuple
from weakref import ReferenceType, ref

import numpy as np

from ...config import limits

LARGE = 1 << 17  # bytes; from here on the C library asks the operating system, so fresh memory is slower than reused memory
LEAST_CALLS, MOST_CALLS = 8, 256  # of the process, after which memory that none of them took is given back
SWEEP = 4  # calls between two searches for such memory
TRIM = 16  # uses of a set after which its buffers are as long as their longest array among these


class Buffer:
    """Memory for one array at a time, of one dtype and of any shape."""

    def __init__(self, dtype: str):
        self._memory: np.ndarray = np.empty(0, dtype)
        self._array: np.ndarray = self._memory
        self._longest = 0  # elements, since the last `trim`

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
        self._longest = max(self._longest, size)
        return self._array

    def trim(self) -> None:
        """Give back the memory that no array has needed since the last time."""
        if self._longest < self._memory.size:
            shape = self._array.shape
            self._memory = np.empty(self._longest, self._memory.dtype)
            self._array = self._memory[: math.prod(shape)].reshape(shape)
        self._longest = self._array.size


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
        self._parts = parts
        self._free: list[list] = []  # at most one
        self._uses = 0
        self._last_use: int | None = None  # the number of the call
        self._stays = LEAST_CALLS  # for so many calls
        self.reference = ref(self, POOLED.forget)
        hash(self.reference)  # which it keeps: of a Pool that is gone, none can be computed
        pools.append(self)

    def take(self) -> list:
        """A set that nobody else has until it is given back."""
        return POOLED.take(self, self._free) or self._made()

    def give(self, taken: list) -> None:
        """Keep the set for the next call, where none is kept and the limit allows it."""
        self._uses += 1
        if self._uses % TRIM == 0:
            for part in taken:
                if isinstance(part, Buffer):
                    part.trim()
        POOLED.keep(self, self._free, taken, self._size(taken))

    @property
    def nbytes(self) -> int:
        """How much memory is kept."""
        return POOLED.sizes.get(self.reference, 0)

    def release(self) -> None:
        """Keep nothing."""
        POOLED.take(self, self._free)

    def note_use(self, call: int) -> None:
        """It was used by the call of this number."""
        if self._last_use is not None:
            self._stays = min(max(2 * (call - self._last_use), LEAST_CALLS), MOST_CALLS)
        self._last_use = call

    def is_unused(self, call: int) -> bool:
        """Whether so many calls didn't use it that it is to be given back at the call of this number."""
        return self._last_use is None or call - self._last_use > self._stays

    @cached_property
    def _arena_bytes(self) -> int:
        return max((part.end for part in self._parts if isinstance(part, Segment)), default=0)

    def _made(self) -> list:
        arena = np.empty(self._arena_bytes, np.uint8)
        return [Buffer(part) if isinstance(part, str) else part.of(arena) for part in self._parts]

    def _size(self, taken: list) -> int:
        return self._arena_bytes + sum(part.nbytes for part in taken if isinstance(part, Buffer))


class PooledMemory:
    """The Pools of the process that keep a set. Their sum is bounded, and what the recent calls didn't use is given back.

    The lock is reentrant: Python's collector may run code in the middle of a method, and that code may call a Program.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self.sizes: dict[ReferenceType[Pool], int] = {}  # bytes of each Pool that keeps a set
        self._calls = 0  # those while some memory was kept

    def count_call(self) -> None:
        """A call of a Program begins."""
        self._calls += 1
        if self._calls % SWEEP == 0:
            self.release_unused()

    def release_unused(self) -> None:
        """Give back the memory of Pools that the recent calls didn't use."""
        with self._lock:
            for reference in tuple(self.sizes):
                pool = reference()
                if pool is not None and pool.is_unused(self._calls):
                    pool.release()

    def take(self, pool: Pool, free: list[list]) -> list | None:
        """The set that a Pool keeps, which it then keeps no more; None if there is none."""
        with self._lock:
            self.sizes.pop(pool.reference, None)
            return free.pop() if free else None

    def keep(self, pool: Pool, free: list[list], taken: list, size: int) -> None:
        """Let a Pool keep a set of so many bytes, where it keeps none and the limit allows it."""
        with self._lock:
            pool.note_use(self._calls)
            if not free and size + sum(self.sizes.values()) <= limits.pooled_bytes:
                free.append(taken)
                self.sizes[pool.reference] = size

    def release(self) -> None:
        """Give back all."""
        with self._lock:
            for reference in tuple(self.sizes):
                pool = reference()
                if pool is not None:
                    pool.release()

    def forget(self, reference: ReferenceType[Pool]) -> None:
        """A Pool is gone, and its memory with it."""
        self.sizes.pop(reference, None)


POOLED = PooledMemory()

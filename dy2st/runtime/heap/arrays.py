"""NumPy arrays in converted code are Python values: staging reads them as constants, and what changes them happens once.

So their contents are watched: those that the code reads from outside by the guards, at each call; those that it can get at from
outside, while it is recorded; those that a branch or a loop body can get at by name for as long as that is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from types import CellType, FunctionType

import numpy as np

from ...errors import ConversionError
from ...ir.core import Loc
from ...pytree import nodes
from ..tensors.value_types import Array
from ..where.profiling import unwatched

_EMPTY = CellType()


class Held:
    """What a NumPy array held. Staging may have read any of it, so all of it counts: about 0.2 ms per MB and call.

    An array of its own memory that can't be written isn't looked at.
    """

    def __init__(self, array: Array):
        self.array, self.is_fixed = array, _is_fixed(array)
        self.held = None if self.is_fixed else self._contents()

    def still(self, new: object) -> bool:
        """Whether the same array holds the same."""
        if new is not self.array:
            return False
        return _is_fixed(self.array) if self.is_fixed else self._contents() == self.held

    def put_back(self) -> None:
        """Let the array hold again what it held; one that holds objects, or has another size by now, stays as it is."""
        if self.held is None or self.array.dtype.hasobject or self.array.dtype != self.held[0]:
            return
        dtype, shape, contents = self.held
        before = np.frombuffer(contents, dtype)
        if before.size == self.array.size:
            self.array[...] = before.reshape(self.array.shape)

    def _contents(self) -> tuple:
        return self.array.dtype, self.array.shape, self.array.tobytes()


class Outside:
    """The arrays from outside that a function can get at, with what they held before it was staged."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[str, Held]] = {}

    def add(self, found: Iterable[tuple[str, Array]]) -> None:
        """Further arrays, with the paths that lead to them."""
        for path, array in found:
            self._held.setdefault(id(array), (path, Held(array)))

    @unwatched
    def put_back(self) -> list[str]:
        """Let them hold again what they held; the paths of those that had changed."""
        changed_ = [(path, held) for path, held in self._held.values() if not held.still(held.array)]
        for _, held in changed_:
            held.put_back()
        return [path for path, _ in changed_]


@unwatched
def held_by(function: Callable, args: Iterable[object]) -> list[Held]:
    """The arrays that a generated function can get at by name, itself or in a function that it can call by name."""

    def inside(value: object) -> list[object]:
        cells = (value.__closure__ or ()) if isinstance(value, FunctionType) else ()
        return [cell.cell_contents for cell in cells if cell != _EMPTY]

    found = chain.from_iterable(nodes(value, inside) for value in (function, *args))
    return [Held(value) for value in {id(value): value for value in found if type(value) is np.ndarray}.values()]


def changed(where: Loc | None, name: str = "") -> ConversionError:
    """What is said of code that changes an array at a place that staging runs once."""
    what = f"the NumPy array {name}" if name else "a NumPy array"
    instead = "keep it as a tensor, dy2st.to_tensor(...)"
    return ConversionError(f"{where}: {what} is changed here, which happens while staging only; {instead}")


def _is_fixed(array: Array) -> bool:
    return array.base is None and not array.flags.writeable

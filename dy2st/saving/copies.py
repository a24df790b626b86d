"""Arrays of a file as tensors hold them: with memory of their own."""

from __future__ import annotations

import numpy as np

from ..dtypes import BY_NUMPY
from ..errors import ModelFileError


class Copies:
    """Copies of arrays, one of each: those who ask for the same array share the copy, read-only, until they write to it.

    So a file can't ask for more memory than it has arrays, however often it names one.
    """

    def __init__(self) -> None:
        self._made: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # with the array itself, so that its id stays its own

    def of(self, array: np.ndarray) -> np.ndarray:
        """The copy of an array. A tensor that is about to write to read-only memory takes a copy first."""
        if array.dtype not in BY_NUMPY:
            raise ModelFileError(f"the file has an array of {array.dtype.name}, which a tensor can't be")
        if id(array) not in self._made:
            self._made[id(array)] = (array, array.copy())
            return self._made[id(array)][1]
        copy = self._made[id(array)][1]
        copy.flags.writeable = False
        return copy

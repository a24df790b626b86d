"""What the arrays of a value will be, before they are there; and the value once they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np

from ...graphs.lowering.arrays import rebuilt
from ...graphs.lowering.leaves import leaves_of
from ...ir.types import Type
from .codes import coded

if TYPE_CHECKING:
    from .texts import Spelling
    from .value import JaxValue


def laid_out(x: JaxValue) -> Any:
    """The array with its axes in order."""
    return coded(x.data) if x.count is None else jnp.moveaxis(coded(x.data), 0, x.axis)


@dataclass(frozen=True)
class Form:
    """What is known of an array before it is there.

    axis: along which rows lie, of which `is_open` tells that their number comes beside them. text: what its texts are made by,
    None where it holds none.
    """

    shape: tuple[int, ...]
    dtype: Any
    axis: int
    is_open: bool
    text: Spelling | None

    @classmethod
    def of(cls, x: JaxValue) -> Form:
        """That of a value."""
        data = laid_out(x)
        return cls(data.shape, np.dtype(data.dtype), x.axis, x.count is not None, x.spelling)

    @property
    def size(self) -> int:
        """The numbers that it is."""
        return math.prod(self.shape) + self.is_open

    def array(self, data: Any, count: Any) -> np.ndarray:
        """The array itself: texts, and the rows that are there."""
        found = np.asarray(data)
        if count is not None:
            found = np.moveaxis(np.moveaxis(found, self.axis, 0)[: int(count)], 0, self.axis)
        return found if self.text is None else self.text.texts(found)

    def of_numbers(self, numbers: np.ndarray) -> np.ndarray:
        """The array of what `numbers` gives."""
        count, rest = (int(numbers[0]), numbers[1:]) if self.is_open else (None, numbers)
        if self.text is None:
            wide = rest.view(f"float{8 * rest.dtype.itemsize}") if self.dtype.kind not in "biu" else rest
            rest = wide.astype(self.dtype)
        return self.array(rest.reshape(self.shape), count)


def natives(types: Sequence[Type], arrays: Sequence[np.ndarray]) -> list[Any]:
    """The values of types that these arrays stand for."""
    rest = iter(arrays)
    return [rebuilt(type_, [next(rest) for _ in leaves_of(type_)]) for type_ in types]

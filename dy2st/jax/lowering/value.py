"""What lowerings handle in place of arrays while JAX traces: a value of the graph that holds its array."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dtypes import BY_NUMPY
from ...graphs.lowering.values import Array, GraphValue
from .texts import Codes, Either, Recipe, Spelling


class JaxValue(GraphValue):
    """A value of the graph.

    data: a NumPy array, which is known, or a JAX array, which a run may tell.
    count: where that is a number, int64[], only so many rows of `data` are there, and one length of `type` is None.
    axis: which one that is; `data` has it in front.
    is_text: `data` holds the numbers of texts (`texts.py`); of known texts it holds these themselves.
    is_blank: no path reads it, and it has any shape.
    recipe: of a text that the run makes, how; `data` is int64[n] then.
    below: where that is a number, the elements are ints from 0 up to it, without it.
    """

    __slots__ = ("data", "count", "axis", "is_blank", "recipe", "below")

    def __init__(self, name: str, data: Any, is_number: bool = False, count: Any = None, is_text: bool = False, axis: int = 0):
        dtype = "string" if is_text or data.dtype == object else BY_NUMPY[np.dtype(data.dtype)].name
        shape = data.shape if count is None else (*data.shape[1 : axis + 1], None, *data.shape[axis + 1 :])
        known = data if isinstance(data, np.ndarray) and count is None else None
        super().__init__(name, Array(dtype, tuple(shape)), known, is_number)
        self.data, self.count, self.axis, self.is_blank = data, count, axis, False
        self.recipe: Recipe | Either | None = None
        self.below: int | None = None

    @property
    def is_text(self) -> bool:
        """Whether the elements are texts."""
        return self.dtype == "string"

    @property
    def spelling(self) -> Spelling | None:
        """What its texts are made by; None where it holds none."""
        return self.recipe or Codes() if self.is_text else None

    def as_number(self) -> JaxValue:
        """The same value, as a Python number."""
        return self if self.is_number else self._as(True)

    def as_tensor(self) -> JaxValue:
        """The same value, as a tensor that keeps its dtype."""
        return self._as(False) if self.is_number else self

    def of(self, data: Any) -> JaxValue:
        """The same value of another array."""
        return self._as(self.is_number, data)

    def _as(self, is_number: bool, data: Any = None) -> JaxValue:
        made = JaxValue(self.name, self.data if data is None else data, is_number, self.count, self.is_text, self.axis)
        made.is_blank, made.recipe, made.below = self.is_blank, self.recipe, self.below
        return made

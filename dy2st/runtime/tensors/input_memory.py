"""Assumptions of a Program without writes about the memory of its inputs, and their check at each call."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from .tensor import Tensor


class InputMemory(NamedTuple):
    """apart: no input shares memory with another or with a parameter; nor do parameters, where they are `lifted`.

    ordered: inputs and parameters lie in row-major order, so that a reshape of one is a view.
    """

    apart: bool = False
    ordered: bool = False
    lifted: bool = False

    @classmethod
    def of_text(cls, text: str) -> InputMemory:
        """As `text` has put it. ValueError: the text is of something else."""
        words = text.split()
        if unknown := set(words) - set(cls._fields):
            raise ValueError(f"{sorted(unknown)} is none of {list(cls._fields)}")
        return cls(**dict.fromkeys(words, True))

    @property
    def text(self) -> str:
        """The names of what is taken for granted."""
        return " ".join(name for name, granted in self._asdict().items() if granted)

    def check(self, inputs: Iterable[Any], parameters: Iterable[Any]) -> None:
        """Tensors or arrays. ValueError: their memory isn't as it has to be."""
        given, held = list(map(_array, inputs)), list(map(_array, parameters))
        if self.ordered and not all(array.flags.c_contiguous for array in given + held):
            raise ValueError(
                "functionalize: an input doesn't lie in memory in row-major order, so that a reshape of it would be a copy; pass "
                "x.clone()"
            )
        pairs = [*combinations(given, 2), *product(given, held), *(combinations(held, 2) if self.lifted else ())]
        if self.apart and any(np.shares_memory(a, b) for a, b in pairs):
            raise ValueError("functionalize: two inputs share memory, and the function writes in place; pass x.clone() for one")


def _array(x: Any) -> np.ndarray:
    return x._data if isinstance(x, Tensor) else np.asarray(x)

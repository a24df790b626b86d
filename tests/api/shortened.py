"""The sample calls with one tensor shortened along one axis, to be broadcast or refused, while lengths are open or known."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import dy2st
from dy2st.static import InputSpec

from .staged_ints import arrays_of, plain_texts


@dataclass(frozen=True)
class Case:
    """A call as text; the tensors it takes, by name; which of them is how long along which axis; and whose lengths are open."""

    text: str
    names: tuple[str, ...]
    is_whole: bool
    shorter: str
    axis: int
    length: int
    open_ones: tuple[str, ...]

    def __str__(self) -> str:
        are_open = f"lengths of {', '.join(self.open_ones) or 'none'} open"
        return f"{self.text} with {self.length} of {self.shorter} along {self.axis}, {are_open}"

    def source(self, name: str) -> str:
        """The call as a function of its tensors."""
        return f"def {name}({', '.join(self.names)}):\n    return {self.text}\n"

    def _array(self, name: str) -> Any:
        array = arrays_of(self.is_whole)[name]
        return array.take(range(self.length), self.axis) if name == self.shorter else array.copy()

    def given(self) -> list[Any]:
        """What it is called with, made anew."""
        return [dy2st.to_tensor(self._array(name)) for name in self.names]

    def specs(self) -> list[InputSpec]:
        arrays = {name: self._array(name) for name in self.names}
        return [InputSpec([None] * a.ndim if k in self.open_ones else list(a.shape), str(a.dtype)) for k, a in arrays.items()]


def cases() -> Iterator[Case]:
    """All of them."""
    for text, used, is_whole in plain_texts():
        for name, axis, length in _shorter(used, is_whole):
            for open_ones in dict.fromkeys((used, (name,), tuple(k for k in used if k != name), ())):
                yield Case(text, used, is_whole, name, axis, length, open_ones)


def _shorter(used: tuple[str, ...], is_whole: bool) -> Iterator[tuple[str, int, int]]:
    for name in used:
        array = arrays_of(is_whole)[name]
        yield from ((name, a, k) for a, k in itertools.product(range(array.ndim), (0, 1)) if array.shape[a] > k)

"""Axes and lengths as torch takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from .rows import refused


def listed(values: Sequence) -> list:
    """Ints given one by one (`*values`), or as one sequence."""
    return list(values[0]) if len(values) == 1 and isinstance(values[0], tuple | list) else list(values)


def lengths_of(x: Tensor) -> list:
    """The lengths of the axes: ints, and names or None where only the Program knows them."""
    shape = x.static_shape
    if shape is None:
        raise refused("a tensor whose number of axes only the Program knows; give it one shape on each path")
    return list(shape)


def rank_of(x: Tensor) -> int:
    """The number of axes, which is always known."""
    return len(lengths_of(x))


def axis_of(dim: Any, rank: int) -> int:
    """An axis counted from the front; a tensor without axes has one to name. IndexError: out of range, as in torch."""
    dim, count = known(dim, "dim"), max(rank, 1)
    if not -count <= dim < count:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-count}, {count - 1}], but got {dim})")
    return dim % count


def axes_of(dims: Any, rank: int) -> list[int]:
    """Some axes, each once. RuntimeError: one appears twice, as in torch."""
    found = [axis_of(d, rank) for d in (dims if isinstance(dims, tuple | list) else [dims])]
    if len({*found}) != len(found):
        raise RuntimeError(f"dim {dims} appears multiple times in the list of dims")
    return found


def known(value: Any, name: str) -> Any:
    """A Python number that staging knows."""
    if isinstance(value, Tensor):
        value = value.item()
    if not isinstance(value, int | float):
        raise refused(f"{name} is known only when the Program runs; pass it in as a Python number, or write an if for each value")
    return value


def lined(x: Tensor) -> Tensor:
    """x, of at least one axis."""
    return api.unsqueeze(x, 0) if rank_of(x) == 0 else x


def is_known(lengths: Sequence) -> bool:
    """Whether staging knows all of them."""
    return all(type(n) is int for n in lengths)

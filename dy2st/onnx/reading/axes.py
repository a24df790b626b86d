"""Axes: those that a node names, counted from the front, and those that only the Program knows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from ...errors import ShapeError
from ...ops.views import reshape
from ...runtime.convert.operations.ifelse import convert_ifelse, convert_raise
from ...runtime.tensors.tensor import Tensor
from .values import MOST_AXES, few

MOST_CHOICES = 256  # of axes that only the Program knows


def normal(axes: Iterable[int], rank: int) -> list[int]:
    """Known axes, counted from the front. ShapeError: one that isn't there."""
    found = list(axes)
    if max(rank, len(found)) > MOST_AXES:
        raise ShapeError(f"{max(rank, len(found))} axes are more than the {MOST_AXES} that a tensor has at most")
    for axis in found:
        if not -rank <= axis < rank:
            raise ShapeError(f"axis {axis} is outside a tensor of {rank} axes")
    return [axis % rank for axis in found]


def for_axes(
    axes: Sequence[Any], rank: int, function: Callable[[list[int]], Tensor], among: Sequence[int] | None = None
) -> Tensor:
    """`function(axes)`, with known axes in rising order; where only the Program knows them, an `if` for each choice of them.

    among: those that can be chosen, where not all can.
    """
    if all(isinstance(axis, int) for axis in axes):
        return function(sorted(normal(axes, rank)))
    among = range(rank) if among is None else among
    few(math.comb(len(among), len(axes)), "the number of choices of axes", MOST_CHOICES)
    chosen = sum(1 << ((axis + rank) % rank) for axis in axes)
    return _tried(chosen, list(combinations(among, len(axes))), function)


def _tried(chosen: Any, choices: list[tuple[int, ...]], function: Callable[[list[int]], Tensor]) -> Any:
    if not choices:
        return convert_raise(ShapeError("the axes are outside of the tensor, or one is named twice"))
    first, *others = choices
    bits = sum(1 << axis for axis in first)
    return convert_ifelse(chosen == bits, lambda: function(list(first)), lambda: _tried(chosen, others, function))


def size_of(lengths: Sequence[Any]) -> Any:
    """The product of lengths, ints or staged ints."""
    return math.prod(lengths)


def flat_at(x: Tensor, axis: int) -> Tensor:
    """x as a matrix: the axes before `axis` together, and those from it on."""
    shape = x.shape
    axis = axis + len(shape) if axis < 0 else axis
    return reshape(x, shape=[size_of(shape[:axis]), size_of(shape[axis:])])

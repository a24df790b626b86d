"""Walks through a tensor in ONNX: the places that they take, in the row-major order that a graph's tensors have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .embedding import from_front
from .subscripts import together
from .views import inverse
from .writes import along


def as_strided(g: Any, x: Any, shape: Sequence, stride: Sequence, offset: Any = 0) -> Any:
    """Gather of the flattened tensor."""
    return g.Gather(g.Reshape(x, [-1]), _places(g, shape, stride, offset), axis=0)


def as_strided_scatter(g: Any, base: Any, view: Any, shape: Sequence, stride: Sequence, offset: Any = 0) -> Any:
    """The base with `view` at these places."""
    places = g.Reshape(_places(g, shape, stride, offset), [-1])
    found = along(g, g.Reshape(base, [-1]), places, g.Reshape(view, [-1]), 0, None)
    return g.reshaped(found, g.dims(base))


def strided_add(g: Any, like: Any, value: Any, shape: Sequence, stride: Sequence, offset: Any = 0) -> Any:
    """Zeros like `like`, to which `value` is added at these places."""
    dims = g.dims(like)
    places = g.Reshape(_places(g, shape, stride, offset), [-1])
    return g.reshaped(along(g, g.zeros(value.dtype, [g.product(dims)]), places, g.Reshape(value, [-1]), 0, "add"), dims)


def _places(g: Any, shape: Sequence, stride: Sequence, offset: Any) -> Any:
    """Where each element lies; where a step is below 0, which only the run knows, so is its place, and the run fails."""
    found = g.scalar(offset)
    for at, (length, step) in enumerate(zip(shape, stride)):
        along_axis = g.Mul(g.counting(g.whole(length)), g.scalar(step))
        found = g.Add(found, g.Unsqueeze(along_axis, [*range(1, len(shape) - at)]) if at + 1 < len(shape) else along_axis)
    return found if found.array is not None else from_front(g, found)


# --- diagonal --------------------------------------------------------------------------------------------------------


def diagonal(g: Any, x: Any, offset: Any = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """GatherND along the two axes, which are put in front."""
    perm = _in_front(g.rank_of(x), axis1, axis2)
    found = g.GatherND(g.Transpose(x, perm=perm), _on_diagonal(g, x, offset, axis1, axis2))
    return g.Transpose(found, perm=[*range(1, len(perm) - 1), 0])


def diagonal_scatter(g: Any, base: Any, view: Any, offset: Any = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """ScatterND along the two axes."""
    perm = _in_front(g.rank_of(base), axis1, axis2)
    rows = g.Transpose(view, perm=[len(perm) - 2, *range(len(perm) - 2)])
    found = g.ScatterND(g.Transpose(base, perm=perm), _on_diagonal(g, base, offset, axis1, axis2), rows)
    return g.Transpose(found, perm=inverse(perm))


def _in_front(rank: int, axis1: int, axis2: int) -> list[int]:
    first, second = axis1 % rank, axis2 % rank
    return [first, second, *(axis for axis in range(rank) if axis not in (first, second))]


def _on_diagonal(g: Any, x: Any, offset: Any, axis1: int, axis2: int) -> Any:
    """[n, 2]: row and column of each element."""
    rows, columns, offset = g.dim(x, axis1), g.dim(x, axis2), g.whole(offset)
    above, below = g.most(offset, 0), g.most(-offset, 0)
    steps = g.counting(g.most(g.least(rows - below, columns - above), 0))
    return together(g, [g.Add(steps, g.scalar(below)), g.Add(steps, g.scalar(above))])

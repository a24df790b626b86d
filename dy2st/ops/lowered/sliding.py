"""Windows along an axis in ONNX: the places of their elements there."""

from __future__ import annotations

from typing import Any

from .writes import along


def windows(g: Any, x: Any, axis: int, size: int, step: int) -> Any:
    """Gather, and the place in the window comes last."""
    found, rank = g.Gather(x, _places(g, x, axis, size, step), axis=axis), g.rank_of(x)
    return g.Transpose(found, perm=[*range(axis + 1), *range(axis + 2, rank + 1), axis + 1])


def windows_scatter(g: Any, base: Any, view: Any, axis: int, size: int, step: int) -> Any:
    """The base with the elements of `view` at their places."""
    return along(g, base, *_spread(g, base, view, axis, size, step), axis, None)


def windows_add(g: Any, like: Any, value: Any, axis: int, size: int, step: int) -> Any:
    """Zeros like `like`, to which `value` is added at these places."""
    zeros = g.zeros(value.dtype, g.dims(like))
    return along(g, zeros, *_spread(g, like, value, axis, size, step), axis, "add")


def _places(g: Any, x: Any, axis: int, size: int, step: int) -> Any:
    """[windows, size]: where along the axis each element lies."""
    starts = g.Mul(g.counting((g.dim(x, axis) - size) // step + 1), step)
    return g.Add(g.Unsqueeze(starts, [1]), g.counting(g.whole(size)))


def _spread(g: Any, x: Any, view: Any, axis: int, size: int, step: int) -> tuple[Any, Any]:
    """For each element its place along the axis, and the elements in that shape."""
    rank, dims = g.rank_of(x), list(g.dims(x))
    dims[axis] = ((dims[axis] - size) // step + 1) * size
    value = g.reshaped(g.Transpose(view, perm=[*range(axis + 1), rank, *range(axis + 1, rank)]), dims)
    places = g.Reshape(_places(g, x, axis, size, step), [-1, *[1] * (rank - axis - 1)])
    return g.Expand(places, g.shape_of(value)), value

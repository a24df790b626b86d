"""x[index] = value where the run tells the bounds of a slice: each element of x is asked whether the slice takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np

from ...graphs.lowering.lengths import Length
from ...ops.subscript import FULL
from .forms import laid_out
from .operators.indexing import taken
from .value import JaxValue

if TYPE_CHECKING:
    from .writer import JaxWriter


def is_told_by_run(g: JaxWriter, index: Sequence) -> bool:
    """Whether a slice of a subscript has a bound that only the run knows, and a known step forward."""
    slices = [item["slice"] for item in index if isinstance(item, dict) and "slice" in item]
    bounds = [g.whole(x) for start, stop, _ in slices for x in (start, stop) if x is not None]
    steps = [1 if step is None else g.whole(step) for _, _, step in slices]
    is_plain = "newaxis" not in index and all(isinstance(step, int) and step > 0 for step in steps)
    return is_plain and any(isinstance(bound, Length) for bound in bounds)


def put(g: JaxWriter, x: JaxValue, value: JaxValue, index: Sequence, adds: bool) -> JaxValue:
    """`x` with the value put, or added, at a subscript of ints, slices and an ellipsis.

    A check fails where an int is no place, and where the value isn't as long as the slice.
    """
    data, dims = jnp.asarray(x.data), x.data.shape
    axes = _Axes(index, len(dims))
    part = jnp.asarray(laid_out(value))
    part = part.reshape((1,) * (len(axes.kept) - part.ndim) + part.shape[max(part.ndim - len(axes.kept), 0) :])
    is_taken = jnp.asarray(True)
    for axis, item in enumerate(axes.items):
        places = np.arange(dims[axis]).reshape([-1 if k == axis else 1 for k in range(len(dims))])
        if "int" in item:
            place = jnp.asarray(g.scalar(item["int"]).data)  # type: ignore[attr-defined]
            g.places((place < -dims[axis]) | (place >= dims[axis]), "Gather")
            is_taken &= places == jnp.where(place < 0, place + dims[axis], place)
            continue
        own = axes.kept.index(axis)
        is_open = value.count is not None and value.axis == own - len(axes.kept) + value.data.ndim
        if item != FULL or is_open:
            part, along = _spread(g, part, own, item["slice"], dims[axis], value.count if is_open else None)
            is_taken &= along.reshape(places.shape)
    part = jnp.expand_dims(part, [axis for axis in range(len(dims)) if axis not in axes.kept])
    return g.made(jnp.where(is_taken, data + part if adds else part, data))


def _spread(g: JaxWriter, part: Any, axis: int, bounds: Sequence, length: int, count: Any) -> tuple[Any, Any]:
    """A value along an axis as long as that of x, each element where it goes, and which of them are taken, bool[length].

    count: how many of its elements are there, where the run tells that.
    """
    start, stop, step = bounds
    by = 1 if step is None else g.whole(step)
    numbers = _number(g, start, 0), _number(g, stop, length)
    begin, end = (jnp.clip(jnp.where(x < 0, x + length, x), 0, length) for x in numbers)
    number = jnp.maximum((end - begin + by - 1) // by, 0)
    have = part.shape[axis] if count is None else count
    if not (count is None and have == 1):
        g.fails_unless(g.made(jnp.asarray((number == have) | (have == 1))), "Expand", "the value isn't as long as the slice")
    apart = np.arange(length) - begin
    is_taken = (apart >= 0) & (np.arange(length) < end) & (apart % by == 0)
    if part.shape[axis] == 0:
        return jnp.zeros((*part.shape[:axis], length, *part.shape[axis + 1 :]), part.dtype), is_taken
    return taken(part, jnp.where(jnp.asarray(have) == 1, 0, apart // by), axis), is_taken


def _number(g: JaxWriter, bound: Any, default: int) -> Any:
    return jnp.asarray(default, "int64") if bound is None else jnp.asarray(g.scalar(bound).data)  # type: ignore[attr-defined]


class _Axes:
    """What a subscript says of each axis. kept: the axes that the part has, too."""

    def __init__(self, index: Sequence, rank: int):
        at = index.index("ellipsis") if "ellipsis" in index else len(index)
        front, back = [*index[:at]], [*index[at + 1 :]]
        self.items = [*front, *[FULL] * (rank - len(front) - len(back)), *back]
        self.kept = [axis for axis, item in enumerate(self.items) if "int" not in item]

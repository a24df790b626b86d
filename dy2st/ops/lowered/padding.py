"""Padding in ONNX: Pad; where an element stands for another, Gather of the places that it is copied from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .writes import along


def pad(g: Any, x: Any, pads: Sequence[Sequence], mode: str = "constant", value: float = 0.0) -> Any:
    """x with more elements around it."""
    if mode == "constant":
        befores, afters = zip(*pads) if pads else ((), ())
        return g.Pad(x, g.ints([*befores, *afters]), g.cast(g.value(value, x.dtype), x.dtype)) if pads else x
    for axis, (before, after) in enumerate(pads):
        if g.known(before) != 0 or g.known(after) != 0:
            x = g.Gather(x, _sources(g, g.dim(x, axis), g.whole(before), g.whole(after), mode), axis=axis)
    return x


def _sources(g: Any, length: Any, before: Any, after: Any, mode: str) -> Any:
    """For each element along a padded axis, the place that it is copied from."""
    place = g.Sub(g.counting(length + before + after), g.scalar(before))
    last = length - 1
    if mode == "replicate":
        return g.Max(g.Min(place, g.scalar(last)), 0)
    if mode == "circular":
        return g.Mod(place, g.scalar(length))
    folded = g.Mod(place, g.scalar(g.most(last * 2, 1)))  # reflect: there and back, without either end twice
    return g.Sub(g.scalar(last), g.Abs(g.Sub(folded, g.scalar(last))))


def pad_fold(g: Any, slope: Any, pads: Sequence[Sequence], mode: str) -> Any:
    """Each element added to the place that `pad` copied it from."""
    for axis, (before, after) in enumerate(pads):
        if g.known(before) == 0 and g.known(after) == 0:
            continue
        before, after, dims = g.whole(before), g.whole(after), g.dims(slope)
        length = dims[axis] - before - after
        sources = _sources(g, length, before, after, mode)
        index = g.Expand(g.Unsqueeze(sources, [*range(1, len(dims) - axis)]), g.ints(dims))
        zeros = g.zeros(slope.dtype, [*dims[:axis], length, *dims[axis + 1 :]])
        slope = along(g, zeros, index, slope, axis, "add")
    return slope


def fit_length(g: Any, x: Any, axis: int, length: Any) -> Any:
    """Zeros behind it, or as many elements less, which Pad takes for a negative number."""
    more = g.whole(length) - g.dim(x, axis)
    before = g.rank_of(x) + axis % g.rank_of(x)
    return g.Pad(x, g.ints([*[0] * before, more, *[0] * (2 * g.rank_of(x) - before - 1)]))

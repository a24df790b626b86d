"""Images sampled at places that tensors tell: nearest, linear or cubic, in any number of spatial axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from ...ops import compare, elementwise, select, unary
from ...ops.cast import cast
from ...ops.creation import full_like
from ...ops.index import take_along_axis
from ...ops.views import broadcast_to, reshape
from ...runtime.tensors.tensor import Tensor
from .axes import size_of
from .interpolation import within
from .values import few

Padding = Callable[[Tensor, Any], tuple[Tensor, Tensor | None]]  # a place and a length: an index, and whether it is inside


def zeros(place: Tensor, length: Any) -> tuple[Tensor, Tensor | None]:
    """What lies outside is 0."""
    return within(place, length), compare.logical_and(place >= 0, place < length)


def border(place: Tensor, length: Any) -> tuple[Tensor, Tensor | None]:
    """What lies outside is the nearest element at the border."""
    return within(place, length), None


def reflection(align_corners: bool) -> Padding:
    """What lies outside is seen in a mirror at the border."""

    def padding(place: Tensor, length: Any) -> tuple[Tensor, Tensor | None]:
        return within(reflected(place, length, align_corners), length), None

    return padding


def reflected(x: Tensor, length: Any, align_corners: bool) -> Tensor:
    """Coordinates in a mirror at the centres of the outermost elements, or at their edges."""
    low = 0.0 if align_corners else -0.5
    span = length - 1 if align_corners else length
    span = span + (span == 0) * 1  # an axis of one element, whose mirrors would stand on each other
    away = unary.absolute(x - low)
    turns = unary.floor(away / span)
    rest = away - turns * span
    is_odd = elementwise.remainder(turns, 2.0) == 1
    return select.where(is_odd, span - rest, rest) + low


def sampled(
    x: Tensor, places: Sequence[Tensor], weight: Callable[[Tensor], Tensor] | None, neighbours: int, padding: Padding
) -> Tensor:
    """x [N, C, *lengths] at places, for each spatial axis a tensor [N, P] of float coordinates: [N, C, P].

    weight: of a neighbour by its distance, for each of `neighbours` along each axis; None takes the places as they are.
    """
    few(neighbours ** len(places), "the number of neighbours of a place")
    lengths, flat = x.shape[2:], reshape(x, shape=[*x.shape[:2], size_of(x.shape[2:])])
    around = [_around(place, length, weight, neighbours, padding) for place, length in zip(places, lengths)]
    found: Any = None
    for corner in product(*around):
        index: Any = 0
        for (at, _), length in zip(corner, lengths):
            index = index * length + at
        term = _taken(flat, index)
        for _, share in corner:
            term = term if share is None else term * _per_channel(share, x)
        found = term if found is None else found + term
    return found


def _around(place: Tensor, length: Any, weight: Callable | None, count: int, padding: Padding) -> list[tuple]:
    """The neighbours of places along an axis: their indices, and what they weigh."""
    if weight is None:
        at, inside = padding(place, length)
        return [(at, None if inside is None else cast(inside, dtype=place.dtype.name))]
    base, found = unary.floor(place), []
    for k in range(count):
        neighbour = base + float(k - count // 2 + 1)
        at, inside = padding(neighbour, length)
        share = weight(place - neighbour)
        found.append((at, share if inside is None else select.where(inside, share, full_like(share, fill_value=0))))
    return found


def _taken(flat: Tensor, index: Tensor) -> Tensor:
    """flat [N, C, all] at [N, P]: [N, C, P]."""
    n, points = index.shape
    wide = broadcast_to(reshape(index, shape=[n, 1, points]), shape=[n, flat.shape[1], points])
    return take_along_axis(flat, wide, axis=2)


def _per_channel(share: Tensor, x: Tensor) -> Tensor:
    n, points = share.shape
    return cast(reshape(share, shape=[n, 1, points]), dtype=x.dtype.name)

"""Interpolation along one axis: where each element of the result lies in the input, and what its neighbours weigh.

Coordinates and weights are float64: constants where the lengths are known and the result is small, else computed by the Program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import ConversionError
from ...ops import compare, elementwise, select, unary
from ...ops.cast import cast
from ...ops.creation import arange, full_like
from ...ops.index import gather
from ...ops.linalg import matmul
from ...ops.reduce import reduce_sum
from ...ops.views import reshape, transpose, unsqueeze
from ...runtime.convert import convert_ifelse
from ...runtime.tensors.tensor import Tensor
from .folding import coordinates_at_once


def steps(count: Any, start: Any = 0) -> Tensor:
    """start, start + 1, ... as float64."""
    return cast(arange(start=start, end=start + count, step=1, dtype="int64"), dtype="float64")


def coordinates(mode: str, length: Any, result: Any, scale: Any, roi: tuple[Any, Any] | None) -> Tensor:
    """Where the elements of a result of some length lie in the input, by the name of a transformation."""
    y, wide = steps(result), scale * length
    if mode == "asymmetric":
        return y / scale
    if mode == "align_corners":
        return _unless_one(wide, lambda: y * 0.0, lambda: y * (length - 1) / (wide - 1))
    if mode == "tf_crop_and_resize" and roi is not None:
        start, end = roi
        spread = (end - start) * (length - 1)
        inside = _unless_one(wide, lambda: y * 0.0 + spread / 2, lambda: y * spread / (wide - 1))
        return inside + start * (length - 1)
    half = (y + 0.5) / scale - 0.5
    if mode == "pytorch_half_pixel":
        return _unless_one(wide, lambda: y * 0.0 - 0.5, lambda: half)
    if mode == "half_pixel_symmetric":
        return half + length / 2 * (1 - result / wide)
    if mode == "half_pixel":
        return half
    raise ConversionError(f"the coordinate transformation {mode!r} isn't known, or lacks its region")


def _unless_one(wide: Any, if_one: Callable[[], Tensor], otherwise: Callable[[], Tensor]) -> Tensor:
    return convert_ifelse(wide == 1, if_one, otherwise)


ROUNDINGS: dict[str, Callable[[Tensor], Tensor]] = {
    "round_prefer_floor": lambda x: unary.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: unary.floor(x + 0.5),
    "floor": unary.floor,
    "ceil": unary.ceil,
}


def triangle(distance: Tensor) -> Tensor:
    """The weight of a neighbour in linear interpolation."""
    return select.clip(1.0 - unary.absolute(distance), min=0.0)


def cubic(a: float) -> Callable[[Tensor], Tensor]:
    """The weight of a neighbour in cubic interpolation."""

    def weight(distance: Tensor) -> Tensor:
        d = unary.absolute(distance)
        near = ((a + 2) * d - (a + 3)) * d * d + 1
        far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
        return select.where(d <= 1, near, select.where(d < 2, far, full_like(d, fill_value=0)))

    return weight


def bounded(places: Tensor, length: Any) -> Tensor:
    """Places along an axis; those beyond an end are that end."""
    found = elementwise.maximum(places, full_like(places, fill_value=0))
    return elementwise.minimum(found, full_like(places, fill_value=length - 1))


def within(places: Tensor, length: Any) -> Tensor:
    """The same as indices."""
    return cast(bounded(places, length), dtype="int64")


def nearest(x: Tensor, axis: int, at: Tensor, rounding: str) -> Tensor:
    """The nearest element for each coordinate."""
    length = x.shape[axis]
    is_known = not at.is_staged and isinstance(length, int)
    places = coordinates_at_once(is_known, lambda: within(ROUNDINGS[rounding](at), length))
    return gather(x, places, axis=axis)


def interpolated(
    x: Tensor, axis: int, at: Tensor, weight: Callable[[Tensor], Tensor], neighbours: int, exclude_outside: bool
) -> Tensor:
    """The weighted sum of so many neighbours for each coordinate; those beyond an end are that end, or count nothing."""
    length = x.shape[axis]
    is_known = not at.is_staged and isinstance(length, int)
    places, weights = coordinates_at_once(is_known, lambda: _neighbours(at, length, weight, neighbours, exclude_outside))
    found: Any = None
    for place, one in zip(places, weights):
        term = gather(x, place, axis=axis) * reshape(one, shape=[-1 if k == axis else 1 for k in range(x.ndim)])
        found = term if found is None else found + term
    return found


def _neighbours(at: Tensor, length: Any, weight: Callable, count: int, exclude_outside: bool) -> tuple[list, list]:
    base = unary.floor(at)
    places = [base + (k - count // 2 + 1) for k in range(count)]
    weights = [weight(at - place) for place in places]
    if exclude_outside:
        inside = [cast(compare.logical_and(place >= 0, place < length), dtype="float64") for place in places]
        weights = [one * flag for one, flag in zip(weights, inside)]
        total = sum(weights[1:], start=weights[0])
        weights = [one / total for one in weights]
    return [within(place, length) for place in places], weights


def smoothed(
    x: Tensor, axis: int, at: Tensor, weight: Callable[[Tensor], Tensor], scale: Any, neighbours: int, exclude_outside: bool
) -> Tensor:
    """As `interpolated`, with as many neighbours as become one element: the product with a matrix of weights."""
    length = x.shape[axis]
    is_known = not at.is_staged and isinstance(length, int) and isinstance(scale, float)
    places, weights = coordinates_at_once(
        is_known, lambda: _matrix(at, length, weight, scale, neighbours, exclude_outside)
    )
    rank = x.ndim
    last = transpose(gather(x, places, axis=axis), perm=[*(k for k in range(rank) if k != axis), axis])
    found = matmul(last, transpose(weights, perm=[1, 0]))
    return transpose(found, perm=[*range(axis), rank - 1, *range(axis, rank - 1)])


def _matrix(at: Tensor, length: Any, weight: Callable, scale: Any, count: int, exclude_outside: bool) -> tuple[Tensor, Tensor]:
    """The columns of the input that rows of weights meet, and these, which add up to 1."""
    shrink = convert_ifelse(scale < 1, lambda: scale, lambda: 1.0)
    border = convert_ifelse(scale < 1, lambda: count // 2 * length + 1, lambda: count + 1)
    places = steps(length + 2 * border, -border)
    weights = weight((unsqueeze(at, axis=[1]) - unsqueeze(places, axis=[0])) * shrink)
    if exclude_outside:
        weights = weights * cast(compare.logical_and(places >= 0, places < length), dtype="float64")
    return within(places, length), weights / reduce_sum(weights, axis=1, keepdim=True)

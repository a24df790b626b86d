"""Images of another size: Resize and what it was called before."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from ....errors import ConversionError
from ....ops import compare, select, unary
from ....ops.cast import cast
from ....ops.registry import lookup
from ....ops.views import reshape
from ....runtime.convert.calls.calls import convert_call
from ....runtime.tensors.tensor import Tensor
from ..axes import normal
from ..folding import coordinates_at_once
from ..interpolation import coordinates, cubic, interpolated, nearest, smoothed, triangle
from ..registry import Value, node
from ..values import as_ints, is_known


def _floats(value: Any, count: int) -> list[Any] | None:
    """A tensor of so many elements as floats, staged ones where only the Program knows them; None where there is none."""
    if value is None or (is_known(value) and not value.size) or (isinstance(value, Tensor) and value.static_shape == (0,)):
        return None
    if is_known(value):
        return [float(n) for n in value]
    if not value.is_staged:
        return [float(n) for n in value._data]
    return [lookup("py.item")(value[k]) for k in range(count)]


@node("Resize", since=11, folds=False)
def resize(
    x: Tensor, roi: Value = None, scales: Value = None, sizes: Value = None, *, antialias: int = 0, axes: Any = None,
    coordinate_transformation_mode: str = "half_pixel", cubic_coeff_a: float = -0.75, exclude_outside: int = 0,
    extrapolation_value: float = 0.0, keep_aspect_ratio_policy: str = "stretch", mode: str = "nearest",
    nearest_mode: str = "round_prefer_floor",
) -> Tensor:  # fmt: skip
    """x with its axes scaled, one after the other."""
    chosen = normal(range(x.ndim) if axes is None else axes, x.ndim)
    count, is_cropped = len(chosen), coordinate_transformation_mode == "tf_crop_and_resize"
    wanted = None if sizes is None else as_ints(sizes, "the sizes", count) or None
    lengths, factors = _sizes(x, chosen, _floats(scales, count), wanted, keep_aspect_ratio_policy)
    regions = _floats(roi, 2 * count) if is_cropped else None
    kind = _Kind(mode, nearest_mode, cubic_coeff_a, bool(antialias), bool(exclude_outside))
    found = x if mode == "nearest" else cast(x, dtype="float64")
    for k, axis in enumerate(chosen):
        region = None if regions is None else (regions[k], regions[k + count])
        if not is_cropped and isinstance(factors[k], float) and factors[k] == 1.0:
            continue
        given = x.shape[axis], lengths[k], factors[k], region
        is_known = _are_known(*given[:3], *(region or ()))
        at = coordinates_at_once(is_known, partial(coordinates, coordinate_transformation_mode, *given))
        found = kind.along(found, axis, at, factors[k])
        if is_cropped:
            found = _cropped(found, x, axis, at, extrapolation_value)
    return _as(found, x)


def _are_known(*numbers: Any) -> bool:
    return all(isinstance(n, int | float) for n in numbers)


def _sizes(x: Tensor, axes: list[int], factors: Any, lengths: Any, policy: str) -> tuple[list[Any], list[Any]]:
    """The lengths of the result and the factors along the axes. ConversionError: neither is given."""
    own = [x.shape[axis] for axis in axes]
    if lengths is None and factors is None:
        raise ConversionError("Resize has neither scales nor sizes")
    if lengths is None:
        return [_whole(n * factor) for n, factor in zip(own, factors)], factors
    factors = [wanted / n for n, wanted in zip(own, lengths)]
    if policy == "stretch":
        return lengths, factors
    factor = convert_call(min if policy == "not_larger" else max)(*factors) if len(factors) > 1 else factors[0]
    return [_whole(n * factor + 0.5) for n in own], [factor] * len(own)


def _whole(length: Any) -> Any:
    return math.floor(length) if isinstance(length, float) else convert_call(int)(length)


class _Kind:
    """A way to interpolate along an axis."""

    def __init__(self, mode: str, rounding: str, a: float, is_smooth: bool, excludes_outside: bool):
        if mode not in ("nearest", "linear", "cubic"):
            raise ConversionError(f"the mode {mode!r} of Resize isn't known")
        self.mode, self.rounding, self.is_smooth, self.excludes_outside = mode, rounding, is_smooth, excludes_outside
        self.weight, self.neighbours = (triangle, 2) if mode == "linear" else (cubic(a), 4)

    def along(self, x: Tensor, axis: int, at: Tensor, factor: Any) -> Tensor:
        if self.mode == "nearest":
            return nearest(x, axis, at, self.rounding)
        if self.is_smooth:
            return smoothed(x, axis, at, self.weight, factor, self.neighbours, self.excludes_outside)
        return interpolated(x, axis, at, self.weight, self.neighbours, self.excludes_outside)


def _cropped(found: Tensor, x: Tensor, axis: int, at: Tensor, value: float) -> Tensor:
    """What lies outside of x is a number."""
    outside = compare.logical_or(at < 0, at > x.shape[axis] - 1)
    return select.where(reshape(outside, shape=[-1 if k == axis else 1 for k in range(x.ndim)]), value, found)


def _as(found: Tensor, x: Tensor) -> Tensor:
    """In the dtype of x; of integers, the nearest that there is."""
    if found.dtype == x.dtype:
        return found
    if not x.dtype.is_integer:
        return cast(found, dtype=x.dtype.name)
    bounds = np.iinfo(x.dtype.numpy)
    return cast(select.clip(unary.round_(found), min=int(bounds.min), max=int(bounds.max)), dtype=x.dtype.name)


@node("Resize", since=10, folds=False)
def resize_by_scales(x: Tensor, scales: Value, *, mode: str = "nearest") -> Tensor:
    return resize(x, None, scales, coordinate_transformation_mode="asymmetric", mode=mode, nearest_mode="floor")


@node("Upsample", since=9, folds=False)
def upsample(x: Tensor, scales: Value, *, mode: str = "nearest") -> Tensor:
    return resize_by_scales(x, scales, mode=mode)


@node("Upsample", since=7, folds=False)
def upsample_by_attribute(x: Tensor, *, scales: list[float], mode: str = "nearest") -> Tensor:
    return resize_by_scales(x, np.array(scales), mode=mode)

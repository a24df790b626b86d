"""Order statistics along an axis: quantiles, medians, the k-th and the commonest value; under Paddle's names."""

from __future__ import annotations

import math
from typing import Any

from ..errors import ShapeError
from ..ops import compare, elementwise, reduce, running, select, unary
from ..ops import index as reading
from ..ops import sort as sorting
from ..ops.cast import cast
from ..runtime.tensors.tensor import Tensor
from .checks import axes_of, check_axis, describe, floating, known_rank, need_tensor, plain_number, plain_scalar, scalar_kind
from .joining import roll, stack
from .manipulation import moveaxis, squeeze, unsqueeze
from .reduce import cumsum
from .shape_args import at_axis, axis_leaf
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "kthvalue",
    "median",
    "mode",
    "msort",
    "nanmedian",
    "nanquantile",
    "quantile",
)


def _line(op: str, x: Tensor, axis: Any) -> tuple[Tensor, int, list[int]]:
    """`x` with the axes `axis` (None for all of them) made one; which one that is; and where lengths of 1 keep the rank."""
    rank = known_rank(op, x)
    axes = axes_of(op, x, axis)
    if isinstance(axis, (list, tuple)) and not axis:
        raise ValueError(f"{op}: axis is an empty list; None stands for all axes")
    if axes is None:
        return x.flatten(), 0, list(range(rank))
    if not isinstance(axes, tuple):
        return x, axes, [axes % rank if rank else 0]
    places = sorted(a % rank for a in axes)
    moved = moveaxis(x, places, list(range(rank - len(places), rank)))
    return moved.flatten(rank - len(places), -1), -1, places


def _pick(ordered: Tensor, axis: int, places: Any) -> Tensor:
    """The elements of ordered lines at whole places that each line has of its own."""
    return squeeze(reading.take_along_axis(ordered, unsqueeze(places, axis), axis=axis), axis)


def _shaped(x: Tensor, places: list[int], keepdim: bool) -> Tensor:
    return unsqueeze(x, places) if keepdim and places else x


def _counts(x: Tensor, axis: int, leave_nan: bool) -> Tensor:
    """How many values each line has, as int64; without nan where `leave_nan`."""
    counted = cast(compare.logical_not(compare.isnan(x)), dtype="int64") if leave_nan else x.ones_like(dtype="int64")
    return reduce.reduce_sum(counted, axis=axis, keepdim=False)


_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(op: str, x: Tensor, q: Any, axis: Any, keepdim: bool, interpolation: str, leave_nan: bool) -> Tensor:
    if interpolation not in _INTERPOLATIONS:
        raise ValueError(f"{op}: interpolation is one of {', '.join(_INTERPOLATIONS)}, not {interpolation!r}")
    line, at, places = _line(op, floating(op, x), axis)
    ordered, counts = sorting.sort(line, axis=at)[0], _counts(line, at, leave_nan)
    empty = compare.equal(counts, 0) if leave_nan else reduce.reduce_any(compare.isnan(line), axis=at, keepdim=False)
    last = cast(select.clip(elementwise.subtract(counts, 1), min=0), dtype="float64")
    fractions = q if isinstance(q, (list, tuple)) else _listed(op, q)
    found = []
    for fraction in fractions:
        if isinstance(fraction, (int, float)) and not 0 <= fraction <= 1:
            raise ValueError(f"{op}: q must lie in [0, 1], not {fraction}")
        value = _between(ordered, at, elementwise.multiply(last, fraction), interpolation)
        found.append(_shaped(select.where(empty, math.nan, value), places, keepdim))
    return stack(found) if isinstance(q, (list, tuple)) or (isinstance(q, Tensor) and q.type.rank == 1) else found[0]


def _listed(op: str, q: Any) -> list:
    if isinstance(q, Tensor):
        return list(q) if q.type.rank == 1 else [q]
    if scalar_kind(q) is None:
        raise TypeError(f"{op}: q must be a number, a list of numbers or a Tensor, not {describe(q)}")
    return [plain_scalar(q)]


def _between(ordered: Tensor, axis: int, place: Tensor, interpolation: str) -> Tensor:
    """The value at a place that may lie between two elements."""
    low, high = cast(unary.floor(place), dtype="int64"), cast(unary.ceil(place), dtype="int64")
    if interpolation == "nearest":
        low = high = cast(unary.round_(place), dtype="int64")
    if interpolation in ("lower", "nearest"):
        return _pick(ordered, axis, low)
    if interpolation == "higher":
        return _pick(ordered, axis, high)
    share = elementwise.subtract(place, unary.floor(place)) if interpolation == "linear" else 0.5
    below, above = _pick(ordered, axis, low), _pick(ordered, axis, high)
    weight = share if isinstance(share, float) else cast(share, dtype=ordered.dtype.name)
    return elementwise.add(below, elementwise.multiply(elementwise.subtract(above, below), weight))


@tensor_method()
def quantile(
    x: Tensor, q: Any, axis: Any = None, keepdim: bool = False, interpolation: str = "linear", name: str | None = None
) -> Tensor:
    """The value below which the part `q` of the values along `axis` lies; nan where there is a nan.

    x: a tensor of any shape, of floats (integers are cast to the default dtype). q: a number in [0, 1], a list of them or a 1-d
    Tensor, ValueError where outside; several come along a new first axis. axis: None for all, an int or a list of ints, which the
    result lacks; with `keepdim` they have length 1. interpolation, where the place lies between two elements: linear, lower,
    higher, midpoint or nearest; ValueError for another. TypeError: another kind of q. ShapeError: the number of axes is unknown.

    >>> dy2st.quantile(dy2st.to_tensor([1.0, 2.0, 3.0]), [0.0, 0.5]).tolist()
    [1.0, 2.0]
    """
    return _quantile("quantile", x, q, axis, keepdim, interpolation, leave_nan=False)


@tensor_method()
def nanquantile(x: Tensor, q: Any, axis: Any = None, keepdim: bool = False, interpolation: str = "linear") -> Tensor:
    """`quantile` of the values that aren't nan; nan where all are. As `quantile`: x, q, axis, keepdim, interpolation."""
    return _quantile("nanquantile", x, q, axis, keepdim, interpolation, leave_nan=True)


def _median(op: str, x: Tensor, axis: Any, keepdim: bool, mode: str, leave_nan: bool) -> Any:
    if mode not in ("avg", "min"):
        raise ValueError(f'{op}: mode must be "avg" or "min", not {mode!r}')
    if mode == "avg":
        return _quantile(op, x, 0.5, axis, keepdim, "midpoint", leave_nan)
    line, at, places = _line(op, need_tensor(op, x), axis)
    ordered, order = sorting.sort(line, axis=at)
    middle = elementwise.floor_divide(elementwise.subtract(_counts(line, at, leave_nan and x.dtype.is_floating), 1), 2)
    middle = select.clip(middle, min=0)
    value = _pick(ordered, at, middle)
    if not leave_nan and x.dtype.is_floating:
        value = select.where(reduce.reduce_any(compare.isnan(line), axis=at, keepdim=False), math.nan, value)
    value = _shaped(value, places, keepdim)
    return value if axis is None else (value, _shaped(_pick(order, at, middle), places, keepdim))


@tensor_method()
def median(x: Tensor, axis: Any = None, keepdim: bool = False, mode: str = "avg", name: str | None = None) -> Any:
    """The middle value along `axis`, of all elements where None; nan where there is a nan. Of two middle values the mean.

    x: a tensor of any shape; mode "avg" casts integers to the default dtype, smaller floats to float32. axis: an int or a list of
    ints, which the result lacks; with `keepdim` they have length 1; TypeError for others. With mode "min", the lower of the two,
    in the dtype of x, and where an axis is given also the int64 index that it has. ValueError: another mode.
    ShapeError: the number of axes is unknown.

    >>> dy2st.median(dy2st.to_tensor([1, 2, 3, 4])).item()
    2.5
    """
    if mode == "avg" and need_tensor("median", x).dtype.name in ("float16", "bfloat16"):
        x = cast(x, dtype="float32")
    return _median("median", x, axis, keepdim, mode, leave_nan=False)


@tensor_method()
def nanmedian(x: Tensor, axis: Any = None, keepdim: bool = False, mode: str = "avg", name: str | None = None) -> Any:
    """The middle value of those that aren't nan. Arguments and result as in `median`: x, axis, keepdim, mode."""
    return _median("nanmedian", x, axis, keepdim, mode, leave_nan=True)


@tensor_method()
def kthvalue(x: Tensor, k: int, axis: int | None = None, keepdim: bool = False, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The k-th smallest value along `axis` (the last where None), and its int64 index.

    x: a tensor of any shape and dtype. Both results lack the axis; with `keepdim` it has length 1. ShapeError: k outside [1,
    length].

    >>> [found.item() for found in dy2st.kthvalue(dy2st.to_tensor([3, 1, 2]), 2)]
    [2, 2]
    """
    axis = -1 if axis is None else axis
    check_axis("kthvalue", need_tensor("kthvalue", x), axis)
    length = x.shape[axis] if x.type.rank else 1
    if isinstance(k, int) and isinstance(length, int) and not 1 <= k <= length:
        raise ShapeError(f"kthvalue: k={k} is out of range for axis {axis} of {x.type}")
    values, indices = sorting.topk(x, k=plain_number(k), axis=plain_scalar(axis), largest=False)
    last = at_axis(axis, {"slice": [-1, None, None]} if keepdim else {"int": -1})
    return reading.getitem(values, index=last), reading.getitem(indices, index=last)


@tensor_method()
def mode(x: Tensor, axis: int = -1, keepdim: bool = False, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The commonest value along `axis`, the smallest of several such, and the last int64 index that it has.

    x: a tensor of any shape and dtype. Both results lack the axis; with `keepdim` it has length 1.

    >>> [found.item() for found in dy2st.mode(dy2st.to_tensor([1, 2, 2]))]
    [2, 2]
    """
    rank = known_rank("mode", x)
    axis = axis_leaf("mode", axis, rank)
    if rank == 0:
        return x.clone(), x.zeros_like(dtype="int64")
    ordered = sorting.sort(x, axis=axis)[0]
    places = _places(x, axis)
    starts = compare.not_equal(ordered, roll(ordered, 1, axis))
    start = running.cummax(select.where(starts, places, 0), axis=axis)[0]
    longest = elementwise.subtract(places, start).argmax(axis, keepdim=True)  # the end of the first longest run
    value = reading.take_along_axis(ordered, longest, axis=axis)
    index = select.where(compare.equal(x, value), places, -1).max(axis, keepdim=True)
    return (value, index) if keepdim else (squeeze(value, axis), squeeze(index, axis))


def _places(x: Tensor, axis: int) -> Tensor:
    """In the shape of x, where each element is along an axis."""
    return elementwise.subtract(cumsum(x.ones_like(dtype="int64"), axis), 1)


@tensor_method()
def msort(input: Tensor) -> Tensor:
    """The values of `input` in order along the first axis: a tensor of its shape and dtype."""
    return sorting.sort(need_tensor("msort", input, "input"), axis=0)[0]

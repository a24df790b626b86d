"""Elements in order, and how many there are of each."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import dy2st as api

from ..dtypes import kind_of
from .axes import axis_of, known, lengths_of, lined, rank_of
from .pointwise import as_dtype, kind, met
from .rows import both, demanded, row
from .views import reshaped, slice_

Sorted = namedtuple("Sorted", "values indices")


def _flat(x: Any, like: Any) -> Any:
    """Without the axis that `lined` has given."""
    return reshaped(x, []) if rank_of(like) == 0 else x


@row("sort", "Tensor.sort")
def sort(input: Any, dim: Any = -1, descending: bool = False, stable: Any = None) -> Any:
    """The elements in order and where they were; equal ones stay in their order."""
    axis = axis_of(dim, rank_of(input))
    places = argsort(input, axis, descending)
    return Sorted(_flat(api.take_along_axis(lined(input), lined(places), axis), input), places)


@row("argsort", "Tensor.argsort")
def argsort(input: Any, dim: int = -1, descending: bool = False, stable: Any = None) -> Any:
    """Where the elements in order were."""
    axis = axis_of(dim, rank_of(input))
    return _flat(api.argsort(lined(input), axis=axis, descending=descending, stable=True), input)


both("msort", lambda input: sort(input, 0)[0])


@row("topk", "Tensor.topk")
def topk(input: Any, k: Any, dim: Any = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The greatest elements and where they are."""
    axis = axis_of(dim, rank_of(input))
    if type(k) is int and k == 0:
        none = slice_(lined(input), axis, 0, 0)
        return Sorted(none, api.zeros_like(none, dtype="int64"))
    values, places = api.topk(lined(input), k, axis=axis, largest=largest)
    one = rank_of(input) == 0 and isinstance(k, int)
    return Sorted(*((reshaped(x, []) if k == 1 else x[0:0]) if one else x for x in (values, places)))


@row("kthvalue", "Tensor.kthvalue")
def kthvalue(input: Any, k: Any, dim: Any = -1, keepdim: bool = False) -> Any:
    """The k-th smallest element and where it is."""
    axis = axis_of(dim, rank_of(input))
    values, places = api.kthvalue(lined(input), k, axis, keepdim)
    return Sorted(*(_flat(x, input) if keepdim else x for x in (values, places)))


@row("unique", "Tensor.unique", "_unique2")
def unique(input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: Any = None) -> Any:
    """The different elements in order; or slices."""
    axis = None if dim is None else axis_of(dim, rank_of(input))
    if kind(input) == "float":
        return _unique_floats(input, return_inverse, return_counts, axis)
    found = api.unique(input, return_inverse=return_inverse, return_counts=return_counts, axis=axis)
    return _shaped(found, input, axis, return_inverse)


def _unique_floats(x: Any, has_inverse: bool, has_counts: bool, axis: Any) -> Any:
    """As `unique`; each NaN is another one."""
    if axis is not None:
        x = demanded(x, ~api.isnan(x), "torch.unique(x, dim=...) of NaN isn't mapped; write torch.nan_to_num(x) first")
        return _shaped(api.unique(x, return_inverse=has_inverse, return_counts=has_counts, axis=axis), x, axis, has_inverse)
    row_, order = sort(reshaped(x, [-1]))
    is_new = api.concat([api.ones_like(row_[:1], dtype="bool"), row_[1:] != row_[:-1]])
    found = [row_[is_new]]
    number = api.cumsum(is_new.astype("int64"), axis=0) - 1
    if has_inverse:
        found.append(reshaped(api.take_along_axis(number, api.argsort(order, stable=True), 0), x.shape))
    if has_counts:
        found.append(api.bincount(number))
    return tuple(found) if len(found) > 1 else found[0]


@row("unique_consecutive", "Tensor.unique_consecutive")
def unique_consecutive(input: Any, return_inverse: bool = False, return_counts: bool = False, dim: Any = None) -> Any:
    """The elements that differ from the one before; or slices."""
    axis = None if dim is None else axis_of(dim, rank_of(input))
    if axis is not None and lengths_of(input)[axis] == 0:
        found = (input.clone(), *[api.zeros([0], dtype="int64")] * (return_inverse + return_counts))
        return found if len(found) > 1 else found[0]
    found = api.unique_consecutive(input, return_inverse=return_inverse, return_counts=return_counts, axis=axis)
    return _shaped(found, input, axis, return_inverse)


def _shaped(found: Any, input: Any, axis: Any, has_inverse: bool) -> Any:
    """The inverse in the shape of the tensor."""
    if not has_inverse or axis is not None:
        return found
    values, inverse, *rest = found
    return (values, reshaped(inverse, input.shape), *rest)


@row("searchsorted")
def searchsorted(
    sorted_sequence: Any, input: Any, *, out_int32: bool = False, right: bool = False, side: Any = None, sorter: Any = None
) -> Any:
    """Where each element belongs in an ordered row."""
    if side not in (None, "left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if sorter is not None:
        sorted_sequence = api.take_along_axis(sorted_sequence, sorter, rank_of(sorted_sequence) - 1)
    row_, wanted = met(sorted_sequence, input)
    return api.searchsorted(row_, wanted, out_int32, right or side == "right")


@row("bucketize")
def bucketize(input: Any, boundaries: Any, *, out_int32: bool = False, right: bool = False) -> Any:
    """Where each element belongs between boundaries."""
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


@row("bincount", "Tensor.bincount")
def bincount(input: Any, weights: Any = None, minlength: int = 0) -> Any:
    """How often each of 0, 1, 2 ... is there; or the sum of their weights."""
    if weights is not None and kind_of(weights.type.dtype) != "float":
        weights = as_dtype(weights, "float64")
    return api.bincount(input, weights, minlength)


@row("histc", "Tensor.histc")
def histc(input: Any, bins: int = 100, min: Any = 0, max: Any = 0) -> Any:
    """How many elements lie in each of equal parts of a range."""
    if kind_of(input.type.dtype) == "bool":
        raise RuntimeError('"histogram_cpu" not implemented for \'Bool\'')
    return api.histogram(input, known(bins, "bins"), known(min, "min"), known(max, "max")).astype(input.type.dtype)


@row("nonzero_static", "Tensor.nonzero_static")
def nonzero_static(input: Any, *, size: Any, fill_value: int = -1) -> Any:
    """The places of the first elements other than 0, filled up to `size` rows."""
    found = api.nonzero(input)
    rest = api.full([size, rank_of(input)], fill_value, dtype="int64")
    return api.concat([found, rest], axis=0)[:size].clone()

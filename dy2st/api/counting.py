"""Which values there are, how often, and where one belongs in an ordered row; under Paddle's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype import dtype_name
from ..errors import DTypeError
from ..ops import compare, elementwise
from ..ops import counting as ops
from ..ops.cast import cast
from ..ops.compare import not_equal
from ..ops.index import gather, getitem, nonzero
from ..runtime.tensors.tensor import Tensor
from .checks import need_tensor, operands, plain_scalar, to_dtype
from .joining import concat
from .manipulation import moveaxis
from .reduce import cumsum, sort
from .running import diff
from .shape_args import axis_leaf
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "bincount",
    "bucketize",
    "histogram",
    "histogram_bin_edges",
    "isin",
    "searchsorted",
    "unique",
    "unique_consecutive",
)


def _chosen(first: Tensor, others: list, dtype: Any) -> Any:
    """The values alone, or with those of the index tensors that were asked for."""
    kind = dtype_name(dtype)
    if kind not in ("int32", "int64"):
        raise DTypeError(f"unique: dtype, of the indices, must be int32 or int64, not {kind}")
    found = [to_dtype(tensor, kind) for wanted, tensor in others if wanted]
    return (first, *found) if found else first


@tensor_method()
def unique(
    x: Tensor,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
    sorted: bool = True,
    name: str | None = None,
) -> Any:
    """The different values of x, or slices along `axis`, in order; what else is asked for: where each occurs first, which of
    them each element is, and how often each occurs."""
    axis = None if axis is None else axis_leaf("unique", axis, need_tensor("unique", x).type.rank)
    values, index, inverse, counts = ops.unique(need_tensor("unique", x), axis=axis)
    return _chosen(values, [(return_index, index), (return_inverse, inverse), (return_counts, counts)], dtype)


@tensor_method()
def unique_consecutive(
    x: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
    name: str | None = None,
) -> Any:
    """x, flattened or along `axis`, without what equals the element before; which run each element is in; their lengths."""
    if axis is None:
        x, axis = need_tensor("unique_consecutive", x).flatten(), 0
    axis = axis_leaf("unique_consecutive", axis, need_tensor("unique_consecutive", x).type.rank)
    rows = moveaxis(x, axis, 0)
    changed = not_equal(getitem(rows, index=[{"slice": [1, None, None]}]), getitem(rows, index=[{"slice": [None, -1, None]}]))
    if x.type.rank != 1:
        changed = changed.flatten(1).any(1)
    starts = concat([Tensor(np.ones(1, bool)), changed])
    begins = nonzero(starts).flatten()
    ends = concat([begins, rows.shape[0] + Tensor(np.zeros(1, np.int64))])
    inverse = elementwise.subtract(cumsum(starts.astype("int64"), 0), 1)
    return _chosen(gather(x, begins, axis=axis), [(return_inverse, inverse), (return_counts, diff(ends))], dtype)


@tensor_method()
def bincount(x: Tensor, weights: Tensor | None = None, minlength: int = 0, name: str | None = None) -> Tensor:
    """How often each of 0, 1, 2 ... (up to the largest, at least `minlength` of them) is in the vector x, or its weights' sum."""
    if not need_tensor("bincount", x).dtype.is_integer:
        raise DTypeError(f"bincount takes a vector of integers, not of {x.dtype.name}")
    return ops.bincount(x, weights, minlength=plain_scalar(minlength))


@tensor_method()
def searchsorted(
    sorted_sequence: Tensor, values: Tensor, out_int32: bool = False, right: bool = False, name: str | None = None
) -> Tensor:
    """Where each value belongs in the ordered last axis of `sorted_sequence`: in front of equal ones, or with `right` behind."""
    row, wanted = operands("searchsorted", need_tensor("searchsorted", sorted_sequence), need_tensor("searchsorted", values))
    found = ops.searchsorted(row, wanted, right=bool(right))
    return cast(found, dtype="int32") if out_int32 else found


@tensor_method()
def bucketize(
    x: Tensor, sorted_sequence: Tensor, out_int32: bool = False, right: bool = False, name: str | None = None
) -> Tensor:
    """`searchsorted` of x in one ordered vector."""
    return searchsorted(sorted_sequence, x, out_int32, right)


@tensor_method()
def isin(x: Tensor, test_x: Tensor, assume_unique: bool = False, invert: bool = False, name: str | None = None) -> Tensor:
    """Whether each element of x is one of `test_x`; with `invert`, whether it isn't."""
    x, test = operands("isin", need_tensor("isin", x), need_tensor("isin", test_x, "test_x"))
    row = sort(test.flatten())
    before, behind = ops.searchsorted(row, x), ops.searchsorted(row, x, right=True)
    return compare.equal(before, behind) if invert else compare.not_equal(before, behind)


@tensor_method()
def histogram(
    input: Tensor,
    bins: int = 100,
    min: float = 0.0,
    max: float = 0.0,
    weight: Tensor | None = None,
    density: bool = False,
    name: str | None = None,
) -> Tensor:
    """How many values lie in each of `bins` equal parts of [min, max] (of the range of the values where both are 0).

    With `weight`, the sum of the weights there; with `density`, divided so that the area under the histogram is 1.
    """
    counts, edges = ops.histogram(need_tensor("histogram", input), weight, bins=bins, low=min, high=max)
    if not density:
        return counts
    width = elementwise.subtract(edges[1], edges[0])
    counts = to_dtype(counts, "float32")
    return elementwise.divide(counts, elementwise.multiply(counts.sum(), width))


@tensor_method()
def histogram_bin_edges(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0, name: str | None = None) -> Tensor:
    """Where the parts begin and end that `histogram` counts."""
    return ops.histogram(need_tensor("histogram_bin_edges", input), bins=bins, low=min, high=max)[1]

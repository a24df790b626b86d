"""Which values there are, how often, and where one belongs in an ordered row; under Paddle's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import dtype_name
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
    """The different values of x, a vector in order, or slices along `axis`; with what else is asked for, as a tuple.

    x: a tensor of any shape and dtype. return_index: where each occurs first. return_inverse: which of them each element is.
    return_counts: how often each occurs. These are vectors in `dtype`, int64 or int32, DTypeError for another. `sorted` has no
    effect.

    >>> values, counts = dy2st.unique(dy2st.to_tensor([2, 1, 2]), return_counts=True)
    >>> values.tolist(), counts.tolist()
    ([1, 2], [1, 2])
    """
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
    """x without what equals the element before, flattened or along `axis`; with what else is asked for, as a tuple.

    x: a tensor of any shape; the values are in its dtype. return_inverse: which run each element is in. return_counts: how long
    they are. These are vectors in `dtype`, int64 or int32, DTypeError for another.

    >>> dy2st.unique_consecutive(dy2st.to_tensor([1, 1, 2, 1])).tolist()
    [1, 2, 1]
    """
    if axis is None:
        x, axis = need_tensor("unique_consecutive", x).flatten(), 0
    axis = axis_leaf("unique_consecutive", axis, need_tensor("unique_consecutive", x).type.rank)
    rows = moveaxis(x, axis, 0)
    changed = not_equal(getitem(rows, index=[{"slice": [1, None, None]}]), getitem(rows, index=[{"slice": [None, -1, None]}]))
    if x.type.rank != 1:
        changed = changed.flatten(1).any(1)
    starts = getitem(concat([Tensor(np.ones(1, bool)), changed]), index=[{"slice": [None, rows.shape[0], None]}])
    begins = nonzero(starts).flatten()
    ends = concat([begins, rows.shape[0] + Tensor(np.zeros(1, np.int64))])
    inverse = elementwise.subtract(cumsum(starts.astype("int64"), 0), 1)
    return _chosen(gather(x, begins, axis=axis), [(return_inverse, inverse), (return_counts, diff(ends))], dtype)


@tensor_method()
def bincount(x: Tensor, weights: Tensor | None = None, minlength: int = 0, name: str | None = None) -> Tensor:
    """How often each of 0, 1, 2 ...

    up to the largest is in the integer vector x: an int64 vector, of `minlength` elements at least. weights: a vector of the
    shape of x; then the sum of the weights, in their dtype. DTypeError: x isn't integer.

    >>> dy2st.bincount(dy2st.to_tensor([0, 1, 1])).tolist()
    [1, 2]
    """
    if not need_tensor("bincount", x).dtype.is_integer:
        raise DTypeError(f"bincount takes a vector of integers, not of {x.dtype.name}")
    return ops.bincount(x, weights, minlength=plain_scalar(minlength))


@tensor_method()
def searchsorted(
    sorted_sequence: Tensor, values: Tensor, out_int32: bool = False, right: bool = False, name: str | None = None
) -> Tensor:
    """Where each of `values` belongs in the ordered row `sorted_sequence`: in front of equal ones, or with `right` behind.

    sorted_sequence: [..., n]; values: [..., m], or any shape where the sequence is a vector; dtypes are promoted. The result has
    the shape of values and is int64, with `out_int32` int32.

    >>> dy2st.searchsorted(dy2st.to_tensor([1, 3, 5]), dy2st.to_tensor([3, 6])).tolist()
    [1, 3]
    """
    row, wanted = operands("searchsorted", need_tensor("searchsorted", sorted_sequence), need_tensor("searchsorted", values))
    found = ops.searchsorted(row, wanted, right=bool(right))
    return cast(found, dtype="int32") if out_int32 else found


@tensor_method()
def bucketize(
    x: Tensor, sorted_sequence: Tensor, out_int32: bool = False, right: bool = False, name: str | None = None
) -> Tensor:
    """Where each element of x, of any shape, belongs in the ordered vector `sorted_sequence`.

    As `searchsorted`: out_int32, right.
    """
    return searchsorted(sorted_sequence, x, out_int32, right)


@tensor_method()
def isin(x: Tensor, test_x: Tensor, assume_unique: bool = False, invert: bool = False, name: str | None = None) -> Tensor:
    """Whether each element of x is one of the tensor `test_x`; with `invert`, whether it isn't: a bool tensor of the shape of x.

    Dtypes are promoted. `assume_unique` has no effect.

    >>> dy2st.isin(dy2st.to_tensor([1, 2]), dy2st.to_tensor([2, 3])).tolist()
    [False, True]
    """
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
    """How many values of `input`, of any shape, lie in each of `bins` equal parts of [min, max]: an int64 vector [bins].

    min, max: numbers; where both are 0, the range of the values. weight: a tensor of the shape of input; then the sum of the
    weights there, in their dtype. density: the counts divided so that the area under the histogram is 1, in float32.

    >>> dy2st.histogram(dy2st.to_tensor([1.0, 2.0, 2.0]), bins=2).tolist()
    [1, 2]
    """
    counts, edges = ops.histogram(need_tensor("histogram", input), weight, bins=bins, low=min, high=max)
    if not density:
        return counts
    width = elementwise.subtract(edges[1], edges[0])
    counts = to_dtype(counts, "float32")
    return elementwise.divide(counts, elementwise.multiply(counts.sum(), width))


@tensor_method()
def histogram_bin_edges(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0, name: str | None = None) -> Tensor:
    """Where the parts begin and end that `histogram` of input, bins, min and max counts: a float32 tensor [bins + 1]."""
    return ops.histogram(need_tensor("histogram_bin_edges", input), bins=bins, low=min, high=max)[1]

"""Values counted and looked up: which there are, how often each occurs, where one belongs in an ordered row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ir.types import TensorType, Type
from .dims import agree, axis_of, integer_tensor, merge
from .element_kinds import COMPLEX
from .lowered import counted
from .registry import UNKNOWN, define
from .rules import need_real, need_tensor


def _unique(x: np.ndarray, axis: int | None = None) -> tuple:
    values, index, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    return values, index, inverse.reshape(-1), counts


def _infer_unique(x: Type, axis: int | None = None) -> tuple:
    shape = need_tensor("unique", x).shape
    found: Any = (None,)
    if axis is not None and shape is not None:
        at = axis_of(axis, len(shape), "unique")
        found = (*shape[:at], None, *shape[at + 1 :])
    elif axis is not None:
        found = None
    row = TensorType("int64", (None,))
    return TensorType(x.dtype, found), row, row, row  # type: ignore[attr-defined]


# The different values (or slices along an axis) in order; where each is first; which of them each element is; how often each is.
unique = define("unique", kernel=_unique, infer=_infer_unique, row_major=False, onnx=counted.unique)


def _bincount(x: np.ndarray, weights: np.ndarray | None = None, minlength: Any = 0) -> np.ndarray:
    counts = np.bincount(x, weights, int(minlength))
    return counts if weights is None else counts.astype(weights.dtype)


def _infer_bincount(x: Type, weights: Type | None = None, minlength: Any = 0) -> TensorType:
    if integer_tensor(x, "bincount").rank not in (1, None):
        raise ShapeError(f"bincount takes a vector, not {x}")
    if isinstance(weights, TensorType):
        need_real("bincount", weights)
    return TensorType(weights.dtype if isinstance(weights, TensorType) else "int64", (None,))


# How often each of 0, 1, 2 ... occurs, or the sum of the weights where it does.
bincount = define("bincount", kernel=_bincount, infer=_infer_bincount, raises=("ValueError",), onnx=counted.bincount)


def _searchsorted(row: np.ndarray, values: np.ndarray, right: bool = False) -> np.ndarray:
    side: Any = "right" if right else "left"
    if row.ndim == 1:
        return np.asarray(np.searchsorted(row, values, side))
    merge([row.shape[:-1], values.shape[:-1]], "searchsorted (but for the last axis)")
    count = math.prod(row.shape[:-1])
    rows, wanted = row.reshape(count, row.shape[-1]), values.reshape(count, values.shape[-1])
    return np.array([np.searchsorted(r, w, side) for r, w in zip(rows, wanted)], np.int64).reshape(values.shape)


def _infer_searchsorted(row: Type, values: Type, right: bool = False) -> TensorType:
    rows, wanted = need_tensor("searchsorted", row).shape, need_tensor("searchsorted", values).shape
    if rows is None or wanted is None or len(rows) == 1:
        return TensorType("int64", wanted)
    if len(rows) != len(wanted) or not all(map(agree, rows[:-1], wanted[:-1])):
        raise ShapeError(f"searchsorted: {values} and the ordered rows {row} must agree but for their last axis")
    return TensorType("int64", wanted)


# Where each value belongs in an ordered vector, or in the row of its own of several; with `right`, behind equal ones.
searchsorted = define("searchsorted", kernel=_searchsorted, infer=_infer_searchsorted, onnx=counted.searchsorted)


def _histogram(x: np.ndarray, weight: np.ndarray | None = None, bins: Any = 100, low: Any = 0, high: Any = 0) -> tuple:
    """The whole range where both bounds are equal, as in Paddle."""
    if low == high and x.size:
        low, high = x.min(), x.max()
    if low == high:
        low, high = low - 1, high + 1
    counts, edges = np.histogram(x, int(bins), (low, high), weights=weight)
    return counts if weight is None else counts.astype(np.float32), edges.astype(np.float32)


def _infer_histogram(x: Type, weight: Type | None = None, bins: Any = 100, low: Any = 0, high: Any = 0) -> tuple:
    need_tensor("histogram", x)
    count = None if bins is UNKNOWN else int(bins)
    dtype = "float32" if isinstance(weight, TensorType) else "int64"
    return TensorType(dtype, (count,)), TensorType("float32", (None if count is None else count + 1,))


# How many values, or how much weight, lie in each of `bins` equal stretches; and where these begin and end.
histogram = define(
    "histogram",
    kernel=_histogram,
    infer=_infer_histogram,
    raises=("ValueError",),
    refuses=(COMPLEX,),
    onnx=counted.histogram,
)

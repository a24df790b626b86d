"""slice and strided_slice: subscripts spelt as lists of axes, starts and ends, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..errors import ShapeError
from ..ops.index import getitem
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank
from .shape_args import FULL, axis_list, int_list
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "slice",
    "strided_slice",
)


@tensor_method()
def slice(input: Tensor, axes: Any, starts: Any, ends: Any) -> Tensor:
    """input[starts[i]:ends[i]] along each of `axes`, as a view, in the dtype of `input`.

    axes, starts, ends: lists of as many ints, of which starts and ends may be staged. ShapeError: not as many, an axis out of
    range, or the number of axes is unknown.

    >>> dy2st.slice(dy2st.ones([3, 4]), [1], [0], [2]).shape
    [3, 2]
    """
    return _sliced("slice", input, axes, starts, ends, None)


@tensor_method()
def strided_slice(x: Tensor, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Tensor:
    """x[starts[i]:ends[i]:strides[i]] along each of `axes`, as a view, in the dtype of x.

    axes, starts, ends, strides: lists of as many ints, of which only axes have to be known while recording. ShapeError as in
    `slice`.
    """
    return _sliced("strided_slice", x, axes, starts, ends, strides)


def _sliced(op: str, x: Tensor, axes: Any, starts: Any, ends: Any, strides: Any) -> Tensor:
    rank = known_rank(op, x)
    places = axis_list(op, axes, rank)
    first, last = int_list(op, starts, "starts"), int_list(op, ends, "ends")
    steps = [None] * len(places) if strides is None else int_list(op, strides, "strides")
    if not len(places) == len(first) == len(last) == len(steps):
        raise ShapeError(f"{op}: {len(places)} axes, {len(first)} starts, {len(last)} ends and {len(steps)} strides don't match")
    index: list = [FULL] * rank
    for axis, start, stop, step in zip(places, first, last, steps):
        index[axis] = {"slice": [start, stop, step]}
    return getitem(x, index=index)

"""Reductions over axes, and positions of extremes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....ops import reduce, scan, unary
from ....ops.cast import cast
from ....ops.creation import full
from ....ops.manipulate import concat, flip
from ....ops.sort import topk
from ....runtime.convert import convert_ifelse
from ....runtime.tensors.tensor import Tensor
from ..axes import for_axes, size_of
from ..registry import Int, Ints, node
from ..slices import part


def _sum(x: Tensor, **where: Any) -> Tensor:
    return cast_back(reduce.reduce_sum(x, **where), x)


def cast_back(found: Tensor, x: Tensor) -> Tensor:
    """`found` in the dtype of x: sums of integers are int64 here, and of their own dtype in ONNX."""
    return found if found.dtype == x.dtype else cast(found, dtype=x.dtype.name)


def _mean(x: Tensor, **where: Any) -> Tensor:
    if x.dtype.is_floating:
        return reduce.reduce_mean(x, **where)
    return cast(reduce.reduce_mean(cast(x, dtype="float64"), **where), dtype=x.dtype.name)


def _extreme(op: Callable, if_empty: str) -> Callable:
    """The largest or smallest element; of bools, whether any or all are true. Of none, the last one of the dtype."""

    def reduced(x: Tensor, axis: tuple[int, ...], keepdim: bool) -> Tensor:
        if x.dtype.name == "bool":
            return (reduce.reduce_any if if_empty == "min" else reduce.reduce_all)(x, axis=axis, keepdim=keepdim)
        lengths = [x.shape[a] for a in axis]
        if all(isinstance(n, int) and n > 0 for n in lengths):
            return op(x, axis=axis, keepdim=keepdim)
        shape = [1 if at in axis else n for at, n in enumerate(x.shape) if keepdim or at not in axis]
        count = size_of(lengths)
        return convert_ifelse(
            count == 0,
            lambda: full(shape=shape, fill_value=_last(x, if_empty), dtype=x.dtype.name),
            lambda: op(x, axis=axis, keepdim=keepdim),
        )

    return reduced


def _product(lengths: list[Any]) -> Any:
    found: Any = 1
    for length in lengths:
        found = found * length
    return found


def _last(x: Tensor, which: str) -> Any:
    if x.dtype.is_floating:
        return float("-inf") if which == "min" else float("inf")
    return int(getattr(np.iinfo(x.dtype.numpy), which))


REDUCTIONS: dict[str, Callable] = {
    "ReduceSum": _sum,
    "ReduceMean": _mean,
    "ReduceMax": _extreme(reduce.reduce_max, "min"),
    "ReduceMin": _extreme(reduce.reduce_min, "max"),
    "ReduceProd": lambda x, **where: cast_back(reduce.reduce_prod(x, **where), x),
    "ReduceL1": lambda x, **where: _sum(unary.absolute(x), **where),
    "ReduceL2": lambda x, **where: _root(_sum(unary.square(x), **where)),
    "ReduceSumSquare": lambda x, **where: _sum(unary.square(x), **where),
    "ReduceLogSum": lambda x, **where: unary.log(_sum(x, **where)),
    "ReduceLogSumExp": lambda x, **where: reduce.logsumexp(x, **where)
    if all(isinstance(n, int) and n for n in x.shape)
    else unary.log(_sum(unary.exp(x), **where)),
}


def _root(x: Tensor) -> Tensor:
    if x.dtype.is_floating:
        return unary.sqrt(x)
    return cast(unary.sqrt(cast(x, dtype="float64")), dtype=x.dtype.name)


def _over(function: Callable, x: Tensor, axes: list[Any] | None, keepdims: int, keeps_all: int) -> Tensor:
    if not axes and keeps_all:
        axes = []
    elif not axes:
        axes = list(range(x.ndim))
    return for_axes(axes, x.ndim, lambda known: function(x, axis=tuple(known), keepdim=bool(keepdims)))


def _with_axes_given(function: Callable) -> Callable:
    def reduced(x: Tensor, axes: Ints | None = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Tensor:
        return _over(function, x, axes, keepdims, noop_with_empty_axes)

    return reduced


def _with_axes_known(function: Callable) -> Callable:
    def reduced(x: Tensor, *, axes: list[int] | None = None, keepdims: int = 1) -> Tensor:
        return _over(function, x, axes, keepdims, 0)

    return reduced


for _name, _function in REDUCTIONS.items():
    node(_name)(_with_axes_known(_function))
    node(_name, since=13 if _name == "ReduceSum" else 18)(_with_axes_given(_function))


def _position(op: Callable) -> Callable:
    def found(x: Tensor, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Tensor:
        if not select_last_index:
            return op(x, axis=axis, keepdim=bool(keepdims))
        behind = op(flip(x, axis=[axis]), axis=axis, keepdim=bool(keepdims))
        return x.shape[axis] - 1 - behind

    return found


node("ArgMax")(_position(reduce.argmax))
node("ArgMin")(_position(reduce.argmin))


def _running(op: Callable) -> Callable:
    def run(x: Tensor, axis: Int, *, exclusive: int = 0, reverse: int = 0) -> Tensor:
        return for_axes([axis], x.ndim, lambda known: _run(op, x, known[0], exclusive, bool(reverse)))

    return run


def _run(op: Callable, x: Tensor, axis: int, exclusive: int, reverse: bool) -> Tensor:
    """Running sums or products along an axis; `exclusive` ones leave out the element where they stand."""
    if exclusive:
        first = full(
            shape=[1 if at == axis else n for at, n in enumerate(x.shape)],
            fill_value=0 if op is scan.cumsum else 1, dtype=x.dtype.name,
        )  # fmt: skip
        x = concat(part(x, axis, 1, None), first, axis=axis) if reverse else concat(first, part(x, axis, None, -1), axis=axis)
    return cast_back(op(x, axis=axis, reverse=reverse), x)


node("CumSum")(_running(scan.cumsum))
node("CumProd")(_running(scan.cumprod))


@node("TopK", since=10)
def largest(x: Tensor, k: Int, *, axis: int = -1, largest: int = 1, sorted: int = 1) -> tuple[Tensor, Tensor]:
    """ONNX takes none of an axis, too."""
    return convert_ifelse(k == 0, lambda: _none(x, axis), lambda: topk(x, k=k, axis=axis, largest=bool(largest)))


def _none(x: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    found = part(x, axis % x.ndim, 0, 0)
    return found, cast(found, dtype="int64")


@node("TopK")
def largest_of_known(x: Tensor, *, k: int, axis: int = -1) -> tuple[Tensor, Tensor]:
    return topk(x, k=k, axis=axis)

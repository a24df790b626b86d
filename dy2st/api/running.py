"""Running extremes, differences and areas along an axis, and sums that leave nan out; under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..dtypes import dtype_name
from ..ops import compare, elementwise, reduce, select
from ..ops import running as ops
from ..ops.cast import cast
from ..ops.index import getitem
from ..ops.registry import OpDef
from ..runtime.tensors.tensor import Tensor
from .checks import check_axis, floating, need_tensor, plain_scalar, to_dtype
from .joining import concat
from .known import need_known
from .math import multiply
from .reduce import _cast_first, cumsum, sum
from .shape_args import at_axis, axis_leaf
from .tensor_methods import published, tensor_method

__all__ = (  # fmt: skip
    "count_nonzero",
    "cummax",
    "cummin",
    "cumulative_trapezoid",
    "diff",
    "logcumsumexp",
    "nanmean",
    "nansum",
    "trapezoid",
)


def _extreme(definition: OpDef, doc: str):
    def function(x: Tensor, axis: int | None = None, dtype: Any = "int64", name: str | None = None) -> tuple[Tensor, Tensor]:
        op = definition.name
        if axis is None:
            x, axis = need_tensor(op, x).flatten(), 0
        check_axis(op, need_tensor(op, x), axis)
        values, places = definition(x, axis=plain_scalar(axis))
        return values, to_dtype(places, dtype_name(dtype))

    doc = f"""{doc}

    x: a tensor of any shape and dtype. axis: an int, or None for x flattened. The results: the values, in the dtype of x, and
    their places along the axis, in `dtype` (int64 or int32); both in the shape of x, or [n] where it is flattened.
    """
    return published(function, definition.name, doc)


cummax = _extreme(ops.cummax, "The largest value so far along `axis`, and where it was last.")
cummin = _extreme(ops.cummin, "The smallest value so far along `axis`, and where it was last.")


@tensor_method()
def logcumsumexp(x: Tensor, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """log(cumsum(exp(x))) along `axis`, an int, or of x flattened where None, without overflow; of real numbers.

    x: a tensor of any shape, which the result has, too, or [n] where x is flattened. dtype: x is cast to it first; integers and
    bools are cast to the default dtype.
    """
    x = floating("logcumsumexp", _cast_first("logcumsumexp", x, dtype))
    if axis is None:
        x, axis = x.flatten(), 0
    check_axis("logcumsumexp", x, axis)
    return ops.logcumsumexp(x, axis=plain_scalar(axis))


@tensor_method()
def count_nonzero(x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """How many elements over `axis` aren't 0 (or False): an int64 tensor.

    x: a tensor of any dtype; axis and keepdim as in `sum`.
    """
    return sum(cast(compare.not_equal(need_tensor("count_nonzero", x), 0), dtype="int64"), axis, keepdim=keepdim)


def _known(x: Tensor) -> Tensor:
    """x with 0 in place of nan."""
    return select.where(compare.isnan(x), 0.0, x) if x.dtype.is_floating or x.dtype.is_complex else x


@tensor_method()
def nansum(x: Tensor, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The sum over `axis`, nan counting as 0.

    Arguments as in `sum`: x, axis, dtype, keepdim; the result has their shape and dtype.
    """
    return sum(_known(_cast_first("nansum", x, dtype)), axis, keepdim=keepdim)


@tensor_method()
def nanmean(x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The mean over `axis` of what isn't nan, nan where all are. Arguments and result as in `mean`: x, axis, keepdim."""
    x = floating("nanmean", x)
    count = sum(cast(compare.logical_not(compare.isnan(x)), dtype=x.dtype.name), axis, keepdim=keepdim)
    return elementwise.divide(sum(_known(x), axis, keepdim=keepdim), count)


def _cut(x: Tensor, axis: int, start: int | None, stop: int | None) -> Tensor:
    return getitem(x, index=at_axis(axis, {"slice": [start, stop, None]}))


@tensor_method()
def diff(
    x: Tensor, n: int = 1, axis: int = -1, prepend: Tensor | None = None, append: Tensor | None = None, name: str | None = None
) -> Tensor:
    """Each element minus the one before along `axis`, an int, `n` times over; for bools, whether they differ.

    x: a tensor of any shape and dtype. prepend, append: tensors put before and after it along the axis first. The result is
    shorter by n there, in the dtype of x. ValueError: n isn't a positive int.

    >>> dy2st.diff(dy2st.to_tensor([1, 4, 9])).tolist()
    [3, 5]
    """
    axis = axis_leaf("diff", axis, need_tensor("diff", x).type.rank)
    need_known("diff", n=n)
    if not isinstance(n, int) or n < 1:
        raise ValueError(f"diff: n must be a positive int, not {n!r}")
    parts = [part for part in (prepend, x, append) if part is not None]
    x = concat(parts, axis) if len(parts) > 1 else x
    minus = compare.not_equal if x.dtype.name == "bool" else elementwise.subtract
    for _ in range(n):
        x = minus(_cut(x, axis, 1, None), _cut(x, axis, None, -1))
    return x


def _areas(op: str, y: Tensor, x: Tensor | None, dx: Any, axis: int) -> tuple[Tensor, int]:
    """The area of each strip under the line through the points of `y`, `dx` apart or at `x`."""
    y = floating(op, y)
    axis = axis_leaf(op, axis, y.type.rank)
    if x is not None and dx is not None:
        raise ValueError(f"{op} takes x or dx, not both")
    width = 1.0 if dx is None else dx
    if x is not None:
        width = diff(x, axis=axis if x.type.rank == y.type.rank else -1)
        if width.type.rank == 1 and y.type.rank != 1:
            width = width.reshape([-1 if a == axis else 1 for a in range(y.type.rank or 1)])
    height = elementwise.add(_cut(y, axis, 1, None), _cut(y, axis, None, -1))
    return multiply(height, width) * 0.5, axis


@tensor_method()
def trapezoid(y: Tensor, x: Tensor | None = None, dx: Any = None, axis: int = -1, name: str | None = None) -> Tensor:
    """The area under the line through the points of `y` along `axis`, which are `dx` (1 where None) apart, or at `x`.

    y: a tensor of any shape; integers are cast to the default dtype. x: a tensor of its shape, or a vector along the axis. The
    result lacks the axis. ValueError: both x and dx are given.

    >>> dy2st.trapezoid(dy2st.to_tensor([1.0, 2.0, 3.0])).item()
    4.0
    """
    areas, axis = _areas("trapezoid", y, x, dx, axis)
    return reduce.reduce_sum(areas, axis=axis, keepdim=False)


@tensor_method()
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, dx: Any = None, axis: int = -1, name: str | None = None) -> Tensor:
    """`trapezoid` up to each point but the first: the result is shorter by 1 along `axis`. Arguments as in `trapezoid`: y, x, dx.

    ValueError: both x and dx are given.
    """
    areas, axis = _areas("cumulative_trapezoid", y, x, dx, axis)
    return cumsum(areas, axis)

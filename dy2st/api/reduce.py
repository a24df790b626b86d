"""Reductions, scans and sorting, under Paddle's names. `axis` is None (all axes), an int or a list of ints."""

from __future__ import annotations

from typing import Any

from ..dtypes import dtype_name
from ..errors import DTypeError
from ..ops import elementwise, reduce, scan, unary
from ..ops import sort as sorting
from ..ops.cast import cast
from ..ops.half import in_float32
from ..ops.registry import OpDef
from ..ops.rules import need_real
from ..runtime.tensors.tensor import Tensor
from .checks import axes_of, check_axis, floating, need_tensor, plain_number, plain_scalar, to_dtype
from .family_docs import REDUCED
from .tensor_methods import published, tensor_method

__all__ = (  # fmt: skip
    "all",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "cumprod",
    "cumsum",
    "logsumexp",
    "max",
    "mean",
    "min",
    "prod",
    "sort",
    "std",
    "sum",
    "topk",
    "var",
)


def _cast_first(op: str, x: Any, dtype: Any) -> Tensor:
    need_tensor(op, x)
    return x if dtype is None or x.dtype.name == dtype_name(dtype) else cast(x, dtype=dtype_name(dtype))


@tensor_method()
def sum(x: Tensor, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The sum over `axis`, in the dtype of x, or `dtype`; of integers and bools int64.

    x: a tensor of any shape. axis: None for all axes, an int or a list of ints. The result lacks these axes; with `keepdim` they
    have length 1. dtype: x is cast to it first.

    >>> dy2st.sum(dy2st.to_tensor([[1, 2], [3, 4]]), axis=0).tolist()
    [4, 6]
    """
    total = reduce.reduce_sum(_cast_first("sum", x, dtype), axis=axes_of("sum", x, axis), keepdim=bool(keepdim))
    return total if dtype is None else to_dtype(total, dtype_name(dtype))


@tensor_method()
def prod(x: Tensor, axis: Any = None, keepdim: bool = False, dtype: Any = None, name: str | None = None) -> Tensor:
    """The product over `axis`, in the dtype of x, or `dtype`; of integers and bools int64. Arguments as in `sum`."""
    product = reduce.reduce_prod(_cast_first("prod", x, dtype), axis=axes_of("prod", x, axis), keepdim=bool(keepdim))
    return product if dtype is None else to_dtype(product, dtype_name(dtype))


@tensor_method()
def mean(x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The mean over `axis`, in the dtype of x; integers and bools are cast to the default dtype.

    x: a tensor of any shape. axis: None for all axes, an int or a list of ints. The result lacks these axes; with `keepdim` they
    have length 1.

    >>> dy2st.mean(dy2st.to_tensor([[1, 2], [3, 4]]), axis=1).tolist()
    [1.5, 3.5]
    """
    return reduce.reduce_mean(floating("mean", x), axis=axes_of("mean", x, axis), keepdim=bool(keepdim))


SHARED = "The elements equal to it share the gradient evenly."


def _plain(definition: OpDef, doc: str, fractions: bool = False):
    def function(x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
        x = floating(definition.name, x) if fractions else need_tensor(definition.name, x)
        return definition(x, axis=axes_of(definition.name, x, axis), keepdim=bool(keepdim))

    return published(function, definition.name, f"{doc}\n\n{REDUCED}")


max = _plain(reduce.reduce_max, f"The largest value over `axis`, in the dtype of x. {SHARED}")
min = _plain(reduce.reduce_min, f"The smallest value over `axis`, in the dtype of x. {SHARED}")
amax = _plain(reduce.reduce_amax, f"The largest value over `axis`, in the dtype of x. {SHARED}")
amin = _plain(reduce.reduce_amin, f"The smallest value over `axis`, in the dtype of x. {SHARED}")
all = _plain(reduce.reduce_all, "Whether every element over `axis` is true (not 0): a bool tensor.")
any = _plain(reduce.reduce_any, "Whether some element over `axis` is true (not 0): a bool tensor.")
logsumexp = _plain(
    reduce.logsumexp,
    "log(sum(exp(x))) over `axis`, without overflow, in the dtype of x; integers are cast to the default dtype.",
    fractions=True,
)


def _position(definition: OpDef, doc: str):
    def function(x: Tensor, axis: Any = None, keepdim: bool = False, dtype: Any = "int64", name: str | None = None) -> Tensor:
        op = definition.name
        kind = dtype_name(dtype)
        if kind not in ("int32", "int64"):
            raise DTypeError(f"{op}: dtype must be int32 or int64, not {kind}")
        axis = axes_of(op, need_tensor(op, x), axis)
        if isinstance(axis, tuple):
            raise TypeError(f"{op} takes one axis or None, not {list(axis)}")
        return definition(x, axis=axis, keepdim=bool(keepdim), dtype=kind)

    doc = f"""{doc}

    x: a tensor of any shape and dtype. axis: an int, or None for x flattened; TypeError for a list. The result lacks this axis,
    or all of them; with `keepdim` they have length 1. dtype: int64 or int32, DTypeError for another.
    """
    return published(function, definition.name, doc)


argmax = _position(reduce.argmax, "Where the first largest value along `axis` is.")
argmin = _position(reduce.argmin, "Where the first smallest value along `axis` is.")


@tensor_method()
@in_float32
def var(x: Tensor, axis: Any = None, unbiased: bool = True, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The variance over `axis`: the mean squared distance from the mean, over n - 1 where `unbiased`, else over n.

    x, axis, keepdim and the result's shape and dtype as in `mean`.

    >>> dy2st.var(dy2st.to_tensor([1.0, 2.0, 3.0])).item()
    1.0
    """
    x = need_real("var", floating("var", x))
    axes = axes_of("var", x, axis)
    distance = elementwise.subtract(x, reduce.reduce_mean(x, axis=axes, keepdim=True))
    spread = unary.square(distance)
    if not unbiased:
        return reduce.reduce_mean(spread, axis=axes, keepdim=bool(keepdim))
    total = reduce.reduce_sum(spread, axis=axes, keepdim=bool(keepdim))
    less = elementwise.subtract(reduce.reduced_count(x, axis=axes), 1.0)
    return elementwise.divide(total, elementwise.maximum(less, 0.0))  # of no elements 0 / 0, as in NumPy


@tensor_method()
@in_float32
def std(x: Tensor, axis: Any = None, unbiased: bool = True, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The standard deviation over `axis`: the square root of the variance. Arguments and result as in `var`, with `unbiased`."""
    return unary.sqrt(var(x, axis, unbiased, keepdim))


@tensor_method()
def cumsum(x: Tensor, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """The running sum along `axis`, an int, or of x flattened where None.

    x: a tensor of any shape; the result has it, or is a vector where x is flattened, and the dtype of x, int64 of integers and
    bools, or `dtype`, to which x is cast first.

    >>> dy2st.cumsum(dy2st.to_tensor([1, 2, 3])).tolist()
    [1, 3, 6]
    """
    x = _cast_first("cumsum", x, dtype)
    if axis is None:
        return scan.cumsum(x.flatten(), axis=0)
    check_axis("cumsum", x, axis)
    return scan.cumsum(x, axis=plain_scalar(axis))


@tensor_method()
def cumprod(x: Tensor, dim: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """The running product along `dim`, an int, or of x flattened where None. x, dtype and the result as in `cumsum`."""
    x = _cast_first("cumprod", x, dtype)
    if dim is None:
        return scan.cumprod(x.flatten(), axis=0)
    check_axis("cumprod", x, dim, "dim")
    return scan.cumprod(x, axis=plain_scalar(dim))


@tensor_method()
def sort(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = False, name: str | None = None) -> Tensor:
    """The values of x in order along `axis`, an int; from the largest on where `descending`.

    x: a tensor of any shape and dtype; the result has both. The order of equal values stays, whatever `stable` says.

    >>> dy2st.sort(dy2st.to_tensor([3, 1, 2])).tolist()
    [1, 2, 3]
    """
    check_axis("sort", need_tensor("sort", x), axis)
    return sorting.sort(x, axis=plain_scalar(axis), descending=bool(descending))[0]


@tensor_method()
def argsort(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = False, name: str | None = None) -> Tensor:
    """The indices, an int64 tensor of the shape of x, that put x in order along `axis`.

    Arguments as in `sort`: `descending`, `stable`.
    """
    check_axis("argsort", need_tensor("argsort", x), axis)
    return sorting.sort(x, axis=plain_scalar(axis), descending=bool(descending))[1]


@tensor_method()
def topk(
    x: Tensor, k: int | Tensor, axis: int | None = None, largest: bool = True, sorted: bool = True, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The k largest (where not `largest`, smallest) values along `axis` (the last where None), in order, and their indices.

    x: a tensor of any shape and dtype. k: an int or a 0-d integer Tensor. The results have the shape of x, with length k along
    the axis; the values have its dtype, the indices are int64. `sorted` has no effect. ShapeError: k is longer than the axis.

    >>> values, indices = dy2st.topk(dy2st.to_tensor([3, 1, 2]), 2)
    >>> values.tolist(), indices.tolist()
    ([3, 2], [0, 2])
    """
    axis = -1 if axis is None else axis
    check_axis("topk", need_tensor("topk", x), axis)
    return sorting.topk(x, k=plain_number(k), axis=plain_scalar(axis), largest=bool(largest))

"""Reductions over some or all axes. `axis` is None (all), an int or a tuple of ints; `keepdim` keeps reduced axes as 1."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import DTYPES
from ..errors import ShapeError
from ..ir.types import TensorType, Type
from .cast import cast
from .compare import equal
from .elementwise import divide, multiply, subtract
from .like import spread
from .lowered import reductions
from .registry import OpDef, define
from .rules import infer_reduce, need_floating, need_tensor, quiet, real_part, reduced_shape
from .select import where
from .unary import exp, sign


def sum_dtype(dtype: str) -> str:
    """Sums and products of integers and booleans are int64, as in Paddle."""
    return "int64" if DTYPES[dtype].is_integer or dtype == "bool" else dtype


def _spread(ctx, g, **attrs):
    return spread(g, ctx.inputs[0], axis=ctx.attrs.get("axis"), keepdim=ctx.attrs.get("keepdim", False), **attrs)


def _accumulate(ufunc):
    def kernel(x: np.ndarray, axis: Any = None, keepdim: bool = False, out: np.ndarray | None = None) -> np.ndarray:
        dtype = np.int64 if x.dtype.kind in "biu" else None
        return ufunc.reduce(x, axis=axis, dtype=dtype, out=out, keepdims=keepdim)

    return kernel


reduce_sum = define(
    "sum",
    kernel=_accumulate(np.add),
    infer=infer_reduce("sum", sum_dtype),
    grad=lambda ctx, g: (_spread(ctx, g),),
    out=True,
    onnx=reductions.total("ReduceSum"),
)


def _mean(x: np.ndarray, axis: Any = None, keepdim: bool = False) -> np.ndarray:
    return x.mean(axis=axis, keepdims=keepdim)


def _infer_mean(x: Type, axis: Any = None, keepdim: bool = False) -> TensorType:
    tensor = need_floating("mean", x)
    return TensorType(tensor.dtype, reduced_shape("mean", tensor.shape, axis, keepdim))


reduce_mean = define(
    "mean",
    kernel=quiet(_mean),
    infer=_infer_mean,
    grad=lambda ctx, g: (_spread(ctx, g, mean=True),),
    onnx=reductions.mean,
)


def _count(x: np.ndarray, axis: Any = None) -> np.ndarray:
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return np.asarray(math.prod(x.shape[a] for a in axes), x.dtype)


# How many elements of `x` one result of a reduction over `axis` is made of: a 0-d tensor of the dtype of `x`.
reduced_count = define(
    "reduced_count",
    kernel=_count,
    infer=lambda x, axis=None: TensorType(need_tensor("reduced_count", x).dtype, ()),
    shape_only=(0,),
    onnx=lambda g, x, axis=None: g.cast(g.value(reductions.counted(g, x, axis)), x.dtype),
)


def _shared_grad(ctx, g):
    """The elements that equal the extreme share the gradient evenly."""
    hit = cast(equal(ctx.inputs[0], _spread(ctx, ctx.outputs[0])), dtype=g.dtype.name)
    count = reduce_sum(hit, axis=ctx.attrs.get("axis"), keepdim=ctx.attrs.get("keepdim", False))
    return (multiply(hit, _spread(ctx, divide(g, count))),)


def _unshared_grad(ctx, g):
    """Every element that equals the extreme gets the whole gradient."""
    hit = equal(ctx.inputs[0], _spread(ctx, ctx.outputs[0]))
    return (where(hit, _spread(ctx, g), 0.0),)


class Picked:
    """A reduction of all elements to one of them. NumPy finds its position in a third of the time that `reduce` takes.

    finder: "argmax" or "argmin". kinds: of the dtypes for which that one is the result, nan included.
    """

    def __init__(self, finder: str, kinds: str):
        self._finder, self._kinds = finder, kinds

    def takes(self, x: np.ndarray, axis: Any, keepdim: bool) -> bool:
        return axis is None and not keepdim and x.size > 0 and x.dtype.kind in self._kinds

    def __call__(self, x: np.ndarray) -> Any:
        flat = x.reshape(-1)
        return flat[getattr(flat, self._finder)()]

    def source(self, attrs: dict[str, Any], names: list[str], types: list[Type]) -> str | None:
        """The template, for arrays of one axis or more that are known to have an element."""
        (name,), (type_,) = names, types
        if attrs.get("axis") is not None or attrs.get("keepdim") or not isinstance(type_, TensorType) or not type_.shape:
            return None
        has_elements = all(isinstance(dim, int) and dim > 0 for dim in type_.shape)
        if not has_elements or DTYPES[type_.dtype].numpy.kind not in self._kinds or not name.isidentifier():
            return None
        return f"{name}{'.reshape(-1)' if len(type_.shape) > 1 else ''}[{name}.{self._finder}()]"


def _extreme(name: str, which: tuple[np.ufunc, Picked, str], grad: Callable = _shared_grad) -> OpDef:
    ufunc, picked, operator = which

    def kernel(x: np.ndarray, axis: Any = None, keepdim: bool = False) -> np.ndarray:
        return picked(x) if picked.takes(x, axis, keepdim) else ufunc.reduce(x, axis=axis, keepdims=keepdim)

    return define(
        name,
        kernel=kernel,
        infer=infer_reduce(name),
        grad=grad,
        raises=("ValueError",),
        template=picked.source,
        onnx=reductions.extreme(operator),
    )


_LARGEST = (np.maximum, Picked("argmax", "biuf"), "ReduceMax")
_SMALLEST = (np.minimum, Picked("argmin", "biuf"), "ReduceMin")
reduce_max = _extreme("max", _LARGEST)
reduce_min = _extreme("min", _SMALLEST)
reduce_amax = _extreme("amax", _LARGEST)
reduce_amin = _extreme("amin", _SMALLEST)
# Norms of infinite order along one axis: ties don't share.
max_unshared = _extreme("max_unshared", _LARGEST, _unshared_grad)
min_unshared = _extreme("min_unshared", _SMALLEST, _unshared_grad)


def _others(x: np.ndarray, axis: Any = None) -> np.ndarray:
    """Per element, the product of the others along `axis`; right also where there are zeros."""
    if not x.size:
        return x.copy()
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    moved = np.moveaxis(x, axes, range(-len(axes), 0))
    flat = moved.reshape(moved.shape[: moved.ndim - len(axes)] + (-1,))
    ones = np.ones(flat.shape[:-1] + (1,), x.dtype)
    before = np.cumprod(np.concatenate([ones, flat[..., :-1]], -1), -1)
    after = np.cumprod(np.concatenate([ones, flat[..., :0:-1]], -1), -1)[..., ::-1]
    return np.moveaxis((before * after).reshape(moved.shape), range(-len(axes), 0), axes).copy()


def _others_grad(ctx, h):
    """Nan where an element is 0: the second derivative of a product is only given away from zeros."""
    x, others, axis = ctx.inputs[0], ctx.outputs[0], ctx.attrs.get("axis")
    weighted = multiply(h, others)
    total = spread(reduce_sum(weighted, axis=axis, keepdim=True), x, axis=axis, keepdim=True)
    return (divide(subtract(total, weighted), x),)


product_of_others = define(
    "product_of_others",
    kernel=_others,
    infer=lambda x, axis=None: need_tensor("product_of_others", x),
    grad=_others_grad,
    onnx=reductions.product_of_others,
)
reduce_prod = define(
    "prod",
    kernel=_accumulate(np.multiply),
    infer=infer_reduce("prod", sum_dtype),
    grad=lambda ctx, g: (multiply(_spread(ctx, g), product_of_others(ctx.inputs[0], axis=ctx.attrs.get("axis"))),),
    out=True,
    onnx=reductions.total("ReduceProd"),
)


def _truth(name: str, ufunc, picked: Picked, operator: str) -> OpDef:
    def kernel(x: np.ndarray, axis: Any = None, keepdim: bool = False) -> np.ndarray:
        return picked(x) if picked.takes(x, axis, keepdim) else ufunc.reduce(x, axis=axis, keepdims=keepdim, dtype=bool)

    lowering = reductions.truth(operator)
    return define(name, kernel=kernel, infer=infer_reduce(name, "bool"), template=picked.source, onnx=lowering)


reduce_all = _truth("all", np.logical_and, Picked("argmin", "b"), "ReduceMin")
reduce_any = _truth("any", np.logical_or, Picked("argmax", "b"), "ReduceMax")


def _position(name: str, operator: str) -> OpDef:
    def kernel(x: np.ndarray, axis: int | None = None, keepdim: bool = False, dtype: str = "int64") -> np.ndarray:
        return np.asarray(getattr(x, name)(axis, keepdims=keepdim)).astype(DTYPES[dtype].numpy, copy=False)

    def source(attrs: dict[str, Any], names: list[str], types: list[Type]) -> str | None:
        axis = attrs.get("axis")
        is_plain = not attrs.get("keepdim") and attrs.get("dtype", "int64") == "int64" and np.intp is np.int64
        return f"{names[0]}.{name}({axis if axis is None else int(axis)})" if is_plain else None

    def infer(x: Type, axis: Any = None, keepdim: bool = False, dtype: str = "int64") -> TensorType:
        tensor = need_tensor(name, x)
        if isinstance(axis, (tuple, list)):
            raise ShapeError(f"{name} takes one axis or None, not {axis}")
        return TensorType(dtype, reduced_shape(name, tensor.shape, axis, keepdim))

    lowering = reductions.position(operator)
    return define(name, kernel=kernel, infer=infer, raises=("ValueError",), template=source, onnx=lowering)


# The position of the first extreme; of the flattened tensor where `axis` is None.
argmax = _position("argmax", "ArgMax")
argmin = _position("argmin", "ArgMin")


def _logsumexp(x: np.ndarray, axis: Any = None, keepdim: bool = False) -> np.ndarray:
    top = np.max(x, axis=axis, keepdims=True, initial=-np.inf)  # of no elements, too
    top = np.where(np.isfinite(top), top, 0)
    result = np.log(np.add.reduce(np.exp(x - top), axis=axis, keepdims=True)) + top
    return result if keepdim else result.reshape(np.add.reduce(x, axis=axis).shape)


def _logsumexp_grad(ctx, g):
    return (multiply(_spread(ctx, g), exp(subtract(ctx.inputs[0], _spread(ctx, ctx.outputs[0])))),)


def _infer_logsumexp(x: Type, axis: Any = None, keepdim: bool = False) -> TensorType:
    tensor = need_floating("logsumexp", x)
    return TensorType(tensor.dtype, reduced_shape("logsumexp", tensor.shape, axis, keepdim))


logsumexp = define(
    "logsumexp",
    kernel=quiet(_logsumexp),
    infer=_infer_logsumexp,
    grad=_logsumexp_grad,
    onnx=reductions.logsumexp,
)


def _abs_sum_grad(ctx, g):
    return (multiply(_spread(ctx, g), sign(ctx.inputs[0])),)


def _norm_grad(ctx, g):
    """x / norm, and 0 where the norm is 0."""
    x, norm = ctx.inputs[0], _spread(ctx, ctx.outputs[0])
    none = equal(norm, 0.0)
    return (multiply(_spread(ctx, g), where(none, 0.0, divide(x, where(none, 1.0, norm)))),)


def _l2(x: Any, axis: Any = None, keepdim: Any = False) -> np.ndarray:
    return np.sqrt(np.add.reduce(np.square(np.abs(x) if x.dtype.kind == "c" else x), axis=axis, keepdims=keepdim))


def _l1(x: Any, axis: Any = None, keepdim: Any = False) -> np.ndarray:
    return np.add.reduce(np.abs(x), axis=axis, keepdims=keepdim)


def _infer_norm(op: str) -> Callable:
    return lambda x, **attrs: real_part(infer_reduce(op)(need_floating(op, x), **attrs))


# The Euclidean length, and the sum of absolute values.
l2_norm = define(
    "l2_norm",
    kernel=_l2,
    infer=_infer_norm("l2_norm"),
    grad=_norm_grad,
    onnx=lambda g, x, axis=None, keepdim=False: reductions.reduced(g, "ReduceL2", x, axis, keepdim),
)
l1_norm = define(
    "l1_norm",
    kernel=_l1,
    infer=_infer_norm("l1_norm"),
    grad=_abs_sum_grad,
    onnx=lambda g, x, axis=None, keepdim=False: reductions.reduced(g, "ReduceL1", x, axis, keepdim),
)

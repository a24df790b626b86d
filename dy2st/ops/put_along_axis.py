"""One element put, added, multiplied ... for each index along an axis: the counterpart of take_along_axis."""

from __future__ import annotations

import numpy as np

from ..errors import DTypeError
from ..ir.shape import Shape
from ..tables import Table
from .cast import cast
from .compare import equal
from .creation import full_like, zeros_like
from .dims import axis_of, integer_tensor, merge, without
from .elementwise import divide, multiply, subtract
from .index import take_along_axis
from .lowered import writes as lowered
from .registry import define
from .rules import need_tensor
from .select import where
from .walks import add_at

_REDUCE = Table(
    "reduce of put_along_axis",
    {"assign": np.put_along_axis, "add": np.add, "multiply": np.multiply, "amin": np.minimum, "amax": np.maximum},
)


def _infer_put_along_axis(x, indices, value, axis, reduce="assign"):
    shape, picks = need_tensor("put_along_axis", x).shape, integer_tensor(indices, "put_along_axis").shape
    _REDUCE[reduce]
    if need_tensor("put_along_axis", value).dtype != x.dtype:
        raise DTypeError(f"put_along_axis puts values of dtype {x.dtype}, not {value.dtype}")
    if shape is not None:
        _check(shape, picks, value.shape, axis_of(axis, len(shape), "put_along_axis"))
    return x


def _check(shape: Shape, picks: Shape, values: Shape, axis: int) -> None:
    """ShapeError where the lengths differ: of values and indices, or, but for `axis`, of these and the tensor."""
    merge([values, picks], "put_along_axis (values and indices)")
    if shape is not None and picks is not None:
        merge([without(shape, axis), without(picks, axis)], "put_along_axis (indices but for the axis)")


def _kernel_put_along_axis(x, indices, value, axis, reduce="assign"):
    put, axis = _REDUCE[reduce], axis_of(axis, x.ndim, "put_along_axis")
    _check(x.shape, indices.shape, value.shape, axis)
    result = x.copy()
    if put is np.put_along_axis:
        put(result, indices, value, axis)
        return result
    grid = list(np.ogrid[tuple(slice(n) for n in indices.shape)])
    grid[axis] = indices
    add_at(result, tuple(grid), value, put)
    return result


def _grad_put_along_axis(ctx, g):
    x, indices, value = ctx.inputs
    axis, reduce = ctx.attrs["axis"], ctx.attrs.get("reduce", "assign")
    taken = take_along_axis(g, indices, axis=axis)
    if reduce == "add":
        return g, None, taken
    if reduce == "assign":
        return put_along_axis(g, indices, zeros_like(value), axis=axis, reduce="assign"), None, taken
    if reduce == "multiply":
        product = put_along_axis(full_like(x, fill_value=1.0), indices, value, axis=axis, reduce="multiply")
        return multiply(g, product), None, _of_factors(ctx, taken)
    out = ctx.outputs[0]
    there = take_along_axis(out, indices, axis=axis)
    return where(equal(x, out), g, 0.0), None, where(equal(value, there), taken, 0.0)


def _of_factors(ctx, taken):
    """The gradient of each value that was multiplied in: times the product of the others, of which one or more may be 0."""
    x, indices, value = ctx.inputs
    axis, is_zero = ctx.attrs["axis"], equal(value, 0.0)

    def of_others(values):
        total = put_along_axis(zeros_like(x), indices, values, axis=axis, reduce="add")
        return subtract(take_along_axis(total, indices, axis=axis), values)

    factors = where(is_zero, 1.0, value)
    product = take_along_axis(put_along_axis(x, indices, factors, axis=axis, reduce="multiply"), indices, axis=axis)
    without_zeros, zeros = divide(product, factors), of_others(cast(is_zero, dtype=x.dtype.name))
    by_one_zero = multiply(without_zeros, of_others(where(is_zero, value, 0.0)))  # 0, by which its second derivative isn't 0
    others = where(equal(zeros, 0), without_zeros, where(equal(zeros, 1), by_one_zero, 0.0))
    return multiply(taken, others)


put_along_axis = define(
    "put_along_axis",
    kernel=_kernel_put_along_axis,
    in_words=True,
    infer=_infer_put_along_axis,
    grad=_grad_put_along_axis,
    raises=("IndexError",),
    onnx=lowered.put_along_axis,
)

"""Numbers as integers of few bits, with a scale and a zero point."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....ops import elementwise, select, unary
from ....ops.cast import cast
from ....ops.linalg import matmul
from ....ops.manipulate import repeat_interleave
from ....ops.views import reshape
from ....runtime.tensors.tensor import Tensor
from ..axes import normal
from ..registry import node
from ..slices import part
from ..tensors import dtype_of
from ..windows import windows_of
from .convolutions import biased, convolved


def _laid(parameter: Tensor, x: Tensor, axis: int, block_size: int) -> Tensor:
    """A scale or zero point as it meets x: one for all, one for each slice along an axis, or one for each block along it."""
    if parameter.ndim == 0 or (parameter.ndim == 1 and not block_size and parameter.static_shape == (1,)):
        return reshape(parameter, shape=[])
    (axis,) = normal([axis], x.ndim)
    if block_size:
        return part(repeat_interleave(parameter, repeats=block_size, axis=axis), axis, 0, x.shape[axis])
    return reshape(parameter, shape=[-1 if at == axis else 1 for at in range(x.ndim)])


def _rounded(x: Tensor, zero: Tensor | None, dtype: str) -> Tensor:
    """x to the nearest integers, with the zero point added, within the bounds of a dtype."""
    found = unary.round_(x)
    if zero is not None:
        found = elementwise.add(found, cast(zero, dtype=found.dtype.name))
    bounds = np.iinfo(dtype)
    return cast(select.clip(found, min=int(bounds.min), max=int(bounds.max)), dtype=dtype)


@node("QuantizeLinear", since=10)
def quantize(
    x: Tensor, scale: Tensor, zero: Tensor | None = None, *, axis: int = 1, saturate: int = 1, block_size: int = 0,
    output_dtype: int = 0, precision: int = 0,
) -> Tensor:  # fmt: skip
    dtype = zero.dtype.name if zero is not None else dtype_of(output_dtype) if output_dtype else "uint8"
    computed = dtype_of(precision) if precision else "float32" if not x.dtype.is_floating else x.dtype.name
    x, scale = cast(x, dtype=computed), cast(_laid(scale, x, axis, block_size), dtype=computed)
    return _rounded(cast(x / scale, dtype="float32"), None if zero is None else _laid(zero, x, axis, block_size), dtype)


@node("DequantizeLinear", since=10)
def dequantize(
    x: Tensor, scale: Tensor, zero: Tensor | None = None, *, axis: int = 1, block_size: int = 0, output_dtype: int = 0
) -> Tensor:
    found = cast(x, dtype="float32")
    if zero is not None:
        found = found - cast(_laid(zero, x, axis, block_size), dtype="float32")
    found = found * cast(_laid(scale, x, axis, block_size), dtype="float32")
    return cast(found, dtype=dtype_of(output_dtype) if output_dtype else scale.dtype.name)


def _whole(x: Tensor, zero: Tensor | None, is_rows: bool = False) -> Tensor:
    """What integers stand for, as int32 without a scale. is_rows: a zero point of one axis is one for each row."""
    found = cast(x, dtype="int32")
    if zero is None:
        return found
    zero = cast(zero, dtype="int32")
    if zero.ndim == 1 and is_rows:
        zero = reshape(zero, shape=[-1] + [1] * (1 if x.ndim == 2 else x.ndim - 1))
    return elementwise.subtract(found, zero)


@node("MatMulInteger")
def matmul_of_integers(a: Tensor, b: Tensor, a_zero: Tensor | None = None, b_zero: Tensor | None = None) -> Tensor:
    return matmul(_whole(a, a_zero, is_rows=True), _whole(b, b_zero))


@node("QLinearMatMul")
def quantized_matmul(
    a: Tensor, a_scale: Tensor, a_zero: Tensor, b: Tensor, b_scale: Tensor, b_zero: Tensor, y_scale: Tensor, y_zero: Tensor
) -> Tensor:
    product = matmul(_whole(a, a_zero, is_rows=True), _whole(b, b_zero))
    factor = cast(a_scale * b_scale / y_scale, dtype="float64")
    return _rounded(cast(product, dtype="float64") * factor + cast(y_zero, dtype="float64"), None, y_zero.dtype.name)


@node("ConvInteger", folds=False)
def conv_of_integers(
    x: Tensor, weight: Tensor, x_zero: Tensor | None = None, w_zero: Tensor | None = None, *, auto_pad: str = "NOTSET",
    dilations: Any = None, group: int = 1, kernel_shape: Any = None, pads: Any = None, strides: Any = None,
) -> Tensor:  # fmt: skip
    windows = windows_of(x, kernel_shape or weight.shape[2:], strides, dilations, pads, auto_pad)
    return convolved(_whole(x, x_zero), _whole(weight, w_zero, is_rows=True), windows, group)


@node("QLinearConv", folds=False)
def quantized_conv(
    x: Tensor, x_scale: Tensor, x_zero: Tensor, weight: Tensor, w_scale: Tensor, w_zero: Tensor, y_scale: Tensor,
    y_zero: Tensor, bias: Tensor | None = None, *, auto_pad: str = "NOTSET", dilations: Any = None, group: int = 1,
    kernel_shape: Any = None, pads: Any = None, strides: Any = None,
) -> Tensor:  # fmt: skip
    windows = windows_of(x, kernel_shape or weight.shape[2:], strides, dilations, pads, auto_pad)
    found = biased(convolved(_whole(x, x_zero), _whole(weight, w_zero, is_rows=True), windows, group), bias)
    factor = x_scale * w_scale / y_scale
    if factor.ndim == 1:
        factor = reshape(factor, shape=[1, -1] + [1] * (x.ndim - 2))
    scaled = cast(found, dtype="float64") * cast(factor, dtype="float64")
    return _rounded(scaled + cast(y_zero, dtype="float64"), None, y_zero.dtype.name)

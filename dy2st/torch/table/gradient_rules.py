"""Gradients that torch has as functions of their own."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ..dtypes import kind_of, name_of
from .axes import lined
from .pointwise import as_dtype, with_history
from .rows import of_lengths, refused, row
from .views import reshaped


@row("ops.aten._softmax_backward_data", "ops.aten._softmax_backward_data.default")
def softmax_backward_data(grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    """The gradient of softmax, from its result."""
    if name_of(input_dtype) != grad_output.type.dtype:
        raise refused(f"_softmax_backward_data in {input_dtype} of gradients of {grad_output.type.dtype}")
    output = of_lengths(output, grad_output.shape, "_softmax_backward_data: grad_output and output have one shape")
    weighted = grad_output * output
    total = api.sum(lined(weighted), axis=dim, keepdim=True)
    return weighted - output * (total if weighted.static_shape else reshaped(total, []))


@row("ops.aten.native_dropout_backward", "ops.aten.native_dropout_backward.default")
def native_dropout_backward(grad_output: Any, mask: Any, scale: Any) -> Any:
    """The gradient of dropout, from what was kept."""
    return grad_output * as_dtype(mask, grad_output.type.dtype) * scale


@row("ops.aten.max_pool2d_with_indices_backward", "ops.aten.max_pool2d_with_indices_backward.default")
def max_pool2d_with_indices_backward(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, indices: Any
) -> Any:
    """The gradient of the greatest elements of windows, from where these are in the flattened image."""
    if kind_of(grad_output.type.dtype) != "float":
        raise refused(f"max_pool2d_with_indices_backward takes gradients of floats, not {grad_output.type.dtype}")
    *front, height, width = self.shape
    flat = [*front, grad_output.shape[-2] * grad_output.shape[-1]]
    zeros = api.zeros([*front, height * width], self.type.dtype)
    places, values = reshaped(indices, flat), reshaped(grad_output, flat)
    found = api.put_along_axis(zeros, places, values, len(front), reduce="add", broadcast=False)
    return with_history(reshaped(found, [*front, height, width]), self)

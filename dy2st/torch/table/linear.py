"""Layers that are products of matrices."""

from __future__ import annotations

from typing import Any

import dy2st as api

from .rows import row


@row("nn.functional.linear")
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """x Wᵀ + b."""
    found = api.matmul(input, weight, transpose_y=len(weight.static_shape) > 1)
    return found if bias is None else found + bias


@row("bilinear")
def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """xᵀ W y + b, with a matrix W for each feature of the result."""
    products = api.matmul(api.unsqueeze(input1, [-2, -3]), weight)  # [..., out, 1, in2]
    found = api.sum(api.squeeze(products, -2) * api.unsqueeze(input2, -2), axis=-1)
    return found if bias is None else found + bias

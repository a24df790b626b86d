"""Layers that are products of matrices."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...ops.half import in_float32
from ..dtypes import of_name
from .axes import rank_of
from .rows import of_lengths, refused, row


@row("nn.functional.linear")
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """x Wᵀ + b."""
    if len({x.type.dtype for x in (input, weight, bias) if x is not None}) > 1:
        raise RuntimeError("linear: input, weight and bias have several dtypes; write x.to(weight.dtype)")
    found = api.matmul(input, weight, transpose_y=len(weight.static_shape) > 1)
    return found if bias is None else found + bias


@row("bilinear")
@in_float32
def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """xᵀ W y + b, with a matrix W for each feature of the result."""
    says = "bilinear: the inputs have the same lengths but the last"
    input2 = of_lengths(input2, [*input1.shape[:-1], input2.shape[-1]], says)
    if bias is not None:
        bias = of_lengths(bias, [weight.shape[0]], "bilinear: bias has an element for each feature of the result")
    products = api.matmul(api.unsqueeze(input1, [-2, -3]), weight)  # [..., out, 1, in2]
    found = api.sum(api.squeeze(products, -2) * api.unsqueeze(input2, -2), axis=-1)
    return found if bias is None else found + bias


@row("_grouped_mm")
def grouped_mm(mat_a: Any, mat_b: Any, offs: Any = None, bias: Any = None, out_dtype: Any = None) -> Any:
    """Rows of one matrix by the matrix of their group, which ends before the row offs[group]; or matrices one by one."""
    if bias is not None or out_dtype not in (None, of_name(mat_a.type.dtype)):
        raise refused("grouped_mm with a bias or another dtype isn't mapped; add it, or cast the result")
    if offs is None and rank_of(mat_a) == rank_of(mat_b) == 3:
        return api.matmul(mat_a, mat_b)
    if offs is None or rank_of(mat_a) != 2 or rank_of(mat_b) != 3 or mat_b.static_shape[0] is None:
        raise refused("grouped_mm takes a matrix by a known number of matrices; write a product for each group")
    places, found = api.unsqueeze(api.arange(mat_a.shape[0], dtype=offs.type.dtype), 1), None
    for group in reversed(range(mat_b.static_shape[0])):
        product = api.matmul(mat_a, mat_b[group])
        found = product if found is None else api.where(places < offs[group], product, found)
    return found

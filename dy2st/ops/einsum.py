"""Sums of products over named axes, as NumPy's einsum computes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import DTypeError, ShapeError
from ..ir.shape import broadcast_dims
from ..ir.types import Dim, TensorType, Type
from .creation import full_like
from .dims import agree
from .elementwise import multiply
from .lowered import einsum as lowered
from .registry import define
from .rules import need_tensor, unbroadcast
from .views import unsqueeze


def _parts(equation: str) -> tuple[list[str], str]:
    """The labels of each operand, and of the result."""
    left, result = equation.split("->")
    return left.split(","), result


def _infer_einsum(*types: Type, equation: str) -> TensorType:
    operands, result = _parts(equation)
    tensors = [need_tensor("einsum", t) for t in types]
    if len({t.dtype for t in tensors}) > 1:
        raise DTypeError(f"einsum takes tensors of one dtype, not {', '.join(t.dtype for t in tensors)}; cast some of them")
    lengths: dict[str, Dim] = {}
    for labels, tensor in zip(operands, tensors):
        if tensor.shape is None:
            continue
        if len(tensor.shape) != len(labels):
            raise ShapeError(f"einsum: {labels!r} names {len(labels)} axes, but the operand is {tensor}")
        for label, length in zip(labels, tensor.shape):
            known = lengths.get(label, length)
            if not agree(known, length) and 1 not in (known, length):
                raise ShapeError(f"einsum: the axes called {label!r} have lengths {known} and {length}")
            lengths[label] = broadcast_dims(known, length)
    return TensorType(tensors[0].dtype, tuple(lengths.get(label) for label in result))


def _grad_einsum(ctx, g) -> tuple:
    """For each operand: the sum of the products of `g` and the others; along axes that only it has, the same everywhere."""
    return tuple(_operand_grad(ctx, g, at) if need else None for at, need in enumerate(ctx.needs))


def _operand_grad(ctx, g, at: int) -> Any:
    operands, result = _parts(ctx.attrs["equation"])
    mine, x = operands[at], ctx.inputs[at]
    others = [(labels, y) for i, (labels, y) in enumerate(zip(operands, ctx.inputs)) if i != at]
    reached = set(result).union(*(labels for labels, _ in others))
    kept = "".join(label for label in mine if label in reached)
    part = einsum(g, *(y for _, y in others), equation=f"{','.join([result, *(labels for labels, _ in others)])}->{kept}")
    lost = [i for i, label in enumerate(mine) if label not in reached]
    if lost:
        part = multiply(unsqueeze(part, axis=lost), full_like(x, fill_value=1.0))
    return unbroadcast(part, x)


def _einsum(*operands: np.ndarray, equation: str) -> np.ndarray:
    found = np.einsum(equation, *operands, optimize=True)
    return np.array(found) if len(operands) == 1 else np.asarray(found)  # of one operand, NumPy may give a view


# `equation` has a letter for each axis, none of them twice in one operand, and the result's after "->".
einsum = define(
    "einsum",
    kernel=_einsum,
    infer=_infer_einsum,
    grad=_grad_einsum,
    row_major=False,
    onnx=lowered.einsum,
)

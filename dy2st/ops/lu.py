"""LU factors of matrices, and of stacks of them, with rows exchanged so that the largest number divides (partial pivoting).

L (ones on its diagonal, which aren't stored) and U lie in one matrix; pivot number i is the row, counted from 1, that row i was
exchanged with when its turn came.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ir.types import TensorType, Type
from .creation import tril, triu
from .elementwise import add
from .factors import _sides
from .linalg import matmul
from .lowered import solving as lowered
from .registry import define
from .rules import need_tensor
from .solving import matrices, may_be_square, of_fractions, per_matrix, solve, turned


def _lu(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All matrices of the stack at once, column by column."""
    made = x.reshape(math.prod(x.shape[:-2]), *x.shape[-2:]).copy()
    count, least = len(made), min(x.shape[-2:])
    pivots, infos = np.zeros((count, least), np.int32), np.zeros(count, np.int32)
    each = np.arange(count)
    for i in range(least):
        row = i + _sizes(made[:, i:, i]).argmax(axis=-1)
        pivots[:, i] = row + 1
        made[each, i], made[each, row] = made[each, row], made[each, i].copy()
        divisor = made[:, i, i]
        infos[(divisor == 0) & (infos == 0)] = i + 1
        made[:, i + 1 :, i] /= np.where(divisor == 0, 1, divisor)[:, None]
        made[:, i + 1 :, i + 1 :] -= made[:, i + 1 :, i, None] * made[:, i, None, i + 1 :]
    stack = x.shape[:-2]
    return made.reshape(x.shape), pivots.reshape(*stack, least), infos.reshape(stack)


def _sizes(x: np.ndarray) -> np.ndarray:
    """How large numbers are, as LAPACK compares them: of complex ones the parts are added."""
    return np.abs(x.real) + np.abs(x.imag) if x.dtype.kind == "c" else np.abs(x)


def _infer_lu(x: Type) -> tuple:
    tensor = matrices("lu", x)
    least = _sides(tensor)[2]
    whole = None if tensor.shape is None else tensor.shape[:-2]
    return tensor, _integers(whole, least), _integers(whole)


def _integers(stack: Any, *lengths: Any) -> TensorType:
    return TensorType("int32", None if stack is None else (*stack, *lengths))


def _lu_grad(ctx, g, gp, gi) -> tuple:
    """P L^-T (tril(L^T gL, -1) + triu(gU U^T)) U^-T: in P^T dA = dL U + L dU, L^-1 dL is strictly lower and dU U^-1 upper."""
    factors, pivots = ctx.outputs[0], ctx.outputs[1]
    if not may_be_square(factors):  # of open lengths, `solve` refuses others as the Program runs
        raise ShapeError("lu has a gradient for square matrices only")
    upper = triu(factors, diagonal=0)
    lower = add(tril(factors, diagonal=-1), unit_diagonal(factors))
    inner = add(
        tril(matmul(lower, tril(g, diagonal=-1), transpose_x=True), diagonal=-1),
        triu(matmul(triu(g, diagonal=0), upper, transpose_y=True), diagonal=0),
    )
    left = solve(turned(lower), inner)
    both = turned(solve(upper, turned(left)))
    return (matmul(permutation_of(factors, pivots), both),)


# The factors of `x` in one matrix, the pivots, and the number of the first one that is 0, or 0 where none is.
lu = define("lu", kernel=of_fractions("lu", _lu), infer=_infer_lu, grad=_lu_grad, grad_ignores=(0,), onnx=lowered.lu)


def _permutation_of(x: np.ndarray, pivots: np.ndarray) -> np.ndarray:
    rows, flat = x.shape[-2], pivots.reshape(math.prod(pivots.shape[:-1]), pivots.shape[-1])
    made = np.zeros((len(flat), rows, rows), x.dtype)
    for matrix, exchanges in zip(made, flat):
        order = np.arange(rows)
        for i, row in enumerate(exchanges - 1):
            order[[i, row]] = order[[row, i]]
        matrix[order, np.arange(rows)] = 1
    return made.reshape(*pivots.shape[:-1], rows, rows)


def _infer_permutation(x: Type, pivots: Type) -> TensorType:
    tensor = matrices("lu_unpack", x)
    need_tensor("lu_unpack", pivots)
    return per_matrix(tensor, _sides(tensor)[0], _sides(tensor)[0])


# The matrix P of pivots: P L U is what was taken apart.
permutation_of = define(
    "permutation_of", kernel=_permutation_of, infer=_infer_permutation, shape_only=(0,), onnx=lowered.permutation_of
)


def _unit_diagonal(x: np.ndarray) -> np.ndarray:
    return np.broadcast_to(np.eye(*x.shape[-2:], dtype=x.dtype), x.shape).copy()


# Ones on the diagonals of matrices like `x`.
unit_diagonal = define(
    "unit_diagonal", kernel=_unit_diagonal, infer=lambda x: matrices("lu", x), shape_only=(0,), onnx=lowered.unit_diagonal
)

"""Products of matrices."""

from __future__ import annotations

from ....api.products import einsum
from ....api.solving import det
from ....ops.cast import cast
from ....ops.linalg import matmul as matmul_op
from ....ops.views import transpose
from ....runtime.tensors.tensor import Tensor
from ..registry import node


@node("MatMul")
def matmul(a: Tensor, b: Tensor) -> Tensor:
    return matmul_op(a, b)


@node("Gemm", since=7)
def gemm(
    a: Tensor, b: Tensor, c: Tensor | None = None, *, alpha: float = 1.0, beta: float = 1.0, transA: int = 0, transB: int = 0
) -> Tensor:
    """alpha * a @ b + beta * c."""
    a = transpose(a, perm=[1, 0]) if transA else a
    b = transpose(b, perm=[1, 0]) if transB else b
    found = matmul_op(a, b)
    found = found if alpha == 1 else _times(found, alpha)
    if c is None:
        return found
    return found + (c if beta == 1 else _times(c, beta))


def _times(x: Tensor, factor: float) -> Tensor:
    """x times a number; of integers, without fractions."""
    return x * factor if x.dtype.is_floating else cast(cast(x, dtype="float64") * factor, dtype=x.dtype.name)


@node("Einsum", folds=False)
def sums_of_products(*xs: Tensor, equation: str) -> Tensor:
    return einsum(equation.replace(" ", ""), *xs)


@node("Det", folds=False)
def determinant(x: Tensor) -> Tensor:
    return det(x)

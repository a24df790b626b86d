"""Equations solved, inverses, determinants and powers of square matrices, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..ops import elementwise
from ..ops import solving as ops
from ..ops.cast import cast
from ..ops.creation import tril, triu
from ..ops.rules import need_real
from ..ops.slopes import with_slope
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank, need_tensor
from .creation import eye
from .joining import stack
from .known import need_known
from .linalg import _tensors, matmul
from .manipulation import squeeze, swapaxes, unsqueeze
from .shape_args import listed, same_dtype
from .tensor_methods import attach, tensor_method

__all__ = (  # fmt: skip
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "det",
    "inv",
    "inverse",
    "matrix_exp",
    "matrix_power",
    "multi_dot",
    "slogdet",
    "solve",
    "triangular_solve",
)


def inv(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse of square matrices x [..., n, n], floats or complex numbers: a tensor of their shape and dtype.

    ValueError: there is none.

    >>> dy2st.inverse(dy2st.to_tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    return ops.inverse(need_tensor("inv", x))


inverse = inv
attach(inv, "inverse")


@tensor_method()
def det(x: Tensor, name: str | None = None) -> Tensor:
    """The determinant of square matrices x [..., n, n], floats or complex numbers: a tensor [...] in their dtype.

    >>> dy2st.linalg.det(dy2st.to_tensor([[2.0, 0.0], [0.0, 4.0]])).item()
    8.0
    """
    return ops.determinant(need_tensor("det", x))


@tensor_method()
def slogdet(x: Tensor, name: str | None = None) -> Tensor:
    """The sign of the determinant, and the logarithm of its absolute value, along a new first axis.

    x: [..., n, n], float32 or float64; the result is [2, ...], in its dtype.
    """
    return stack(list(ops.slogdet(need_real("slogdet", need_tensor("slogdet", x)))))


@tensor_method()
def solve(x: Tensor, y: Tensor, left: bool = True, name: str | None = None) -> Tensor:
    """The z with x @ z = y (z @ x = y where not `left`), in the shape of y.

    x: [..., n, n]; y: a vector [n], or matrices [..., n, k]; floats or complex numbers, dtypes are promoted. ValueError: x has
    no inverse.

    >>> dy2st.linalg.solve(dy2st.to_tensor([[2.0, 0.0], [0.0, 4.0]]), dy2st.to_tensor([2.0, 2.0])).tolist()
    [1.0, 0.5]
    """
    x, y = _tensors("solve", x, y)
    if known_rank("solve", y) == 1:
        return squeeze(ops.solve(x if left else _turned(x), unsqueeze(y, -1)), -1)
    return ops.solve(x, y) if left else _turned(ops.solve(_turned(x), _turned(y)))


def _turned(x: Tensor) -> Tensor:
    return swapaxes(x, -1, -2)


def triangular_solve(
    x: Tensor, y: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False, name: str | None = None
) -> Tensor:
    """The z with x @ z = y (with the transposed x where `transpose`), of x only the upper or lower triangle being read.

    x: [..., n, n]; y: [..., n, k], whose shape the result has; floats or complex numbers, dtypes are promoted. upper: which
    triangle. With `unitriangular`, the diagonal of x is taken to be ones. ValueError: x has no inverse.
    """
    x, y = _tensors("triangular_solve", x, y)
    if unitriangular:
        part = triu(x, diagonal=1) if upper else tril(x, diagonal=-1)
        part = elementwise.add(part, _identity(x))
    else:
        part = triu(x) if upper else tril(x)
    return ops.solve(_turned(part) if transpose else part, y)


@tensor_method()
def cholesky(x: Tensor, upper: bool = False, name: str | None = None) -> Tensor:
    """The lower triangular L with x = L @ L.T of symmetric positive definite matrices; its transpose where `upper`.

    x: [..., n, n], floats, or complex numbers, where transposes are conjugated; the result has its shape and dtype. ValueError: x
    isn't positive definite.

    >>> dy2st.linalg.cholesky(dy2st.to_tensor([[4.0, 0.0], [0.0, 9.0]])).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    factor = ops.cholesky(_turned(need_tensor("cholesky", x)) if upper else need_tensor("cholesky", x))
    return _turned(factor) if upper else factor


@tensor_method()
def cholesky_solve(x: Tensor, y: Tensor, upper: bool = False, name: str | None = None) -> Tensor:
    """The z with A @ z = x, where y is the Cholesky factor of A, upper triangular where `upper`.

    x: [..., n, k]; y: [..., n, n]; floats or complex numbers, dtypes are promoted. The result has the shape of x.
    """
    x, y = _tensors("cholesky_solve", x, y)
    lower, back = (ops.adjoint(y), y) if upper else (y, ops.adjoint(y))
    return triangular_solve(back, triangular_solve(lower, x, upper=False), upper=True)


@tensor_method()
def cholesky_inverse(x: Tensor, upper: bool = False, name: str | None = None) -> Tensor:
    """The inverse of A, where x [..., n, n] is the Cholesky factor of A, upper triangular where `upper`; in the dtype of x."""
    return cholesky_solve(_identity(need_tensor("cholesky_inverse", x)), x, upper)


@tensor_method()
def matrix_power(x: Tensor, n: int, name: str | None = None) -> Tensor:
    """x @ x @ ... `n` times, for matrices x [..., m, m]; of the inverse where n is negative; the identity where it is 0.

    The result has the shape and dtype of x. TypeError: n isn't an int that is known now.

    >>> dy2st.linalg.matrix_power(dy2st.to_tensor([[1.0, 1.0], [0.0, 1.0]]), 3).tolist()
    [[1.0, 3.0], [0.0, 1.0]]
    """
    need_known("matrix_power", n=n)
    if not isinstance(n, int):
        raise TypeError(f"matrix_power: n must be an int known now, not {n!r}")
    if n < 0:
        return matrix_power(inv(x), -n)
    if n == 0:
        zeros = need_tensor("matrix_power", x).zeros_like()
        return with_slope(elementwise.add(zeros, _identity(x)), x, zeros)
    if n == 1:
        return x.clone()
    half = matrix_power(x, n // 2)
    return matmul(matmul(half, half), x) if n % 2 else matmul(half, half)


def _identity(x: Tensor) -> Tensor:
    """The identity with as many rows as the matrices x."""
    return eye(x.shape[-1], dtype=x.dtype)


@tensor_method()
def multi_dot(x: Any, name: str | None = None) -> Tensor:
    """The product of the matrices of the list `x`, in the order that takes the fewest multiplications; vectors at the ends.

    [n, k], [k, l], ..., [.., m] give [n, m], and a vector at an end no axis there; dtypes are promoted.
    """
    factors = same_dtype("multi_dot", listed(x))
    row, column = factors[0].type.rank == 1, factors[-1].type.rank == 1
    factors[0] = unsqueeze(factors[0], 0) if row else factors[0]
    factors[-1] = unsqueeze(factors[-1], -1) if column else factors[-1]
    sides = [factors[0].shape[0], *(f.shape[1] for f in factors)]
    product = _multiplied(factors, sides if all(isinstance(s, int) for s in sides) else [1] * len(sides))
    axes = ([0] if row else []) + ([-1] if column else [])
    return squeeze(product, axes) if axes else product


def _multiplied(factors: list[Tensor], sides: list[int]) -> Tensor:
    count = len(factors)
    cost: dict[tuple[int, int], tuple[int, int]] = {(i, i): (0, i) for i in range(count)}  # and where to cut
    for width in range(1, count):
        for i in range(count - width):
            j = i + width
            ways = [(cost[i, k][0] + cost[k + 1, j][0] + sides[i] * sides[k + 1] * sides[j + 1], k) for k in range(i, j)]
            cost[i, j] = min(ways)

    def product(i: int, j: int) -> Tensor:
        return factors[i] if i == j else matmul(product(i, cost[i, j][1]), product(cost[i, j][1] + 1, j))

    return product(0, count - 1)


def matrix_exp(x: Tensor, name: str | None = None) -> Tensor:
    """The exponential of square matrices x [..., n, n]: Taylor's series of x / 2 ** 10, squared ten times.

    The result has the shape and dtype of x; it is computed in float64 or complex128.
    """
    wide = "complex128" if need_tensor("matrix_exp", x).dtype.is_complex else "float64"
    small = elementwise.multiply(cast(x, dtype=wide), 2.0**-10)
    total = _identity(small)
    for k in range(8, 0, -1):
        total = elementwise.add(elementwise.multiply(matmul(small, total), 1 / k), _identity(small))
    for _ in range(10):
        total = matmul(total, total)
    return cast(total, dtype=x.dtype.name)

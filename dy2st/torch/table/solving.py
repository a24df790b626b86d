"""Determinants, inverses and equations of matrices: torch.linalg, and its older names."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import dy2st as api

from ...ops import solving as ops
from .axes import axis_of, is_known, lengths_of, rank_of
from .decompositions import linalg, need_floats, no_fault, pinv
from .pointwise import as_dtype, flat, past
from .rows import of_lengths, refused, row
from .views import adjoint as conjugate
from .views import reshaped, transpose

Determinant = namedtuple("Determinant", "sign logabsdet")

Inverse = namedtuple("Inverse", "inverse info")

Solution = namedtuple("Solution", "result info")

Triangular = namedtuple("Triangular", "solution cloned_coefficient")

LeastSquares = namedtuple("LeastSquares", "solution residuals rank singular_values")


def _together(*matrices: Any) -> Any:
    """Stacks of matrices, expanded so that there are as many of each."""
    batch = api.broadcast_tensors([x[..., :1, :1] for x in matrices])[0].shape[:-2]
    return [api.expand(x, [*batch, *x.shape[-2:]]) for x in matrices]


@row("linalg.det", "det", "Tensor.det")
def det(A: Any) -> Any:
    """The determinant."""
    need_floats("linalg.det", A)
    return linalg.det(A)


@row("linalg.slogdet", "slogdet", "Tensor.slogdet")
def slogdet(A: Any) -> Any:
    """The sign of the determinant, and the logarithm of its absolute value."""
    need_floats("linalg.slogdet", A)
    return Determinant(*ops.slogdet(A))


@row("logdet", "Tensor.logdet")
def logdet(input: Any) -> Any:
    """The logarithm of the determinant; nan where that is negative."""
    return api.log(det(input))


@row("linalg.inv", "inverse", "Tensor.inverse")
def inv(A: Any) -> Any:
    """The inverse."""
    need_floats("linalg.inv", A)
    return linalg.inv(A)


row("linalg.inv_ex")(lambda A, *, check_errors=False: Inverse(inv(A), no_fault(A)))


def _is_vector(A: Any, B: Any) -> bool:
    """Whether the right side is one vector for each matrix, and no matrix."""
    a, b = lengths_of(A), lengths_of(B)
    if len(b) == 1 or len(b) != len(a) - 1:
        return len(b) == 1
    if not is_known(a + b):
        raise refused("a right side with one axis less than the matrices, and lengths that only the Program knows; unsqueeze it")
    return b == a[:-1]


@row("linalg.solve")
def solve(A: Any, B: Any, *, left: bool = True) -> Any:
    """The X of A X = B, or of X A = B."""
    need_floats("linalg.solve", A, B)
    if not _is_vector(A, B):
        A, B = _together(A, B)
        return linalg.solve(A, B, left)
    if not left:
        raise RuntimeError("linalg.solve: Vector broadcasting of the left hand side is not supported for left=False.")
    return linalg.solve(*_together(A, api.unsqueeze(B, -1)))[..., 0].clone()


row("linalg.solve_ex")(lambda A, B, *, left=True, check_errors=False: Solution(solve(A, B, left=left), no_fault(A)))


@row("linalg.solve_triangular")
def solve_triangular(A: Any, B: Any, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    """The X of A X = B, or of X A = B, for triangles A."""
    A, B = _together(A, B)
    if left:
        return linalg.triangular_solve(A, B, upper, False, unitriangular)
    turned = linalg.triangular_solve(transpose(A, -2, -1), transpose(B, -2, -1), not upper, False, unitriangular)
    return transpose(turned, -2, -1)


@row("triangular_solve", "Tensor.triangular_solve")
def old_triangular_solve(input: Any, A: Any, upper: bool = True, transpose: bool = False, unitriangular: bool = False) -> Any:
    """The X of A X = input, for triangles A."""
    A, b = _together(A, input)
    return Triangular(linalg.triangular_solve(A, b, upper, transpose, unitriangular), A.clone())


row("cholesky_inverse", "Tensor.cholesky_inverse")(lambda L, upper=False: linalg.cholesky_inverse(L, upper))


@row("cholesky_solve", "Tensor.cholesky_solve")
def cholesky_solve(B: Any, L: Any, upper: bool = False) -> Any:
    """The X of A X = B, where L is the Cholesky factor of A."""
    B, L = _together(B, L)
    return linalg.cholesky_solve(B, L, upper)


@row("linalg.lu_solve")
def lu_solve(LU: Any, pivots: Any, B: Any, *, left: bool = True, adjoint: bool = False) -> Any:
    """The X of A X = B, or of X A = B, for the factors of A."""
    pivots = of_lengths(pivots, LU.shape[:-1], "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same")
    LU, B = _together(LU, B)
    pivots = api.expand(pivots, [*LU.shape[:-2], pivots.shape[-1]])
    if left:
        return linalg.lu_solve(B, LU, pivots, "C" if adjoint else "N")
    return conjugate(linalg.lu_solve(conjugate(B), LU, pivots, "N" if adjoint else "C"))


row("lu_solve", "Tensor.lu_solve")(lambda b, LU_data, LU_pivots: lu_solve(LU_data, LU_pivots, b))


@row("linalg.lstsq")
def lstsq(A: Any, B: Any, rcond: Any = None, *, driver: Any = None) -> Any:
    """The X for which A X is nearest to B."""
    is_vector = _is_vector(A, B)
    columns = api.unsqueeze(B, -1) if is_vector else B
    _, residuals, rank, values = linalg.lstsq(A, columns, rcond, driver)
    x = api.matmul(pinv(A, rcond), columns)
    if driver == "gels":
        rank, residuals = api.zeros([0], dtype="int64"), linalg.lstsq(A, B, rcond, "gelss")[1]
    residuals = flat(past(residuals), api.sum(A), api.sum(B)) if 0 in lengths_of(residuals) else residuals
    return LeastSquares(x[..., 0].clone() if is_vector else x, residuals, as_dtype(rank, "int64"), past(values))


@row("linalg.tensorinv")
def tensorinv(A: Any, ind: int = 2) -> Any:
    """The inverse of tensordot with A."""
    head, tail = list(A.shape[:ind]), list(A.shape[ind:])
    count = _counted(tail)
    return reshaped(inv(reshaped(A, [count, count])), [*tail, *head])


@row("linalg.tensorsolve")
def tensorsolve(A: Any, B: Any, dims: Any = None) -> Any:
    """The X whose tensordot with A is B."""
    rank = rank_of(A)
    moved = [axis_of(d, rank) for d in dims or ()]
    A = api.transpose(A, [k for k in range(rank) if k not in moved] + moved) if moved else A
    tail = list(A.shape[rank_of(B) :])
    count = _counted(tail)
    return reshaped(solve(reshaped(A, [count, count]), reshaped(B, [-1])), tail)


def _counted(lengths: list) -> Any:
    count: Any = 1
    for length in lengths:
        count = count * length
    return count

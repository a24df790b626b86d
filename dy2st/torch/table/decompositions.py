"""Matrices taken apart, inverted and measured: torch.linalg, and its older names."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import wraps
from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..dtypes import kind_of
from .axes import axis_of, is_known, lengths_of, rank_of
from .pointwise import as_dtype
from .rows import refused, row
from .views import reshaped, transpose

linalg = api.linalg
QR = namedtuple("QR", "Q R")
SVD = namedtuple("SVD", "U S Vh")
OldSVD = namedtuple("OldSVD", "U S V")
Eigen = namedtuple("Eigen", "eigenvalues eigenvectors")
Determinant = namedtuple("Determinant", "sign logabsdet")
PLU = namedtuple("PLU", "P L U")
Factors = namedtuple("Factors", "LU pivots")
FactorsInfo = namedtuple("FactorsInfo", "LU pivots info")
Cholesky = namedtuple("Cholesky", "L info")
Inverse = namedtuple("Inverse", "inverse info")
Solution = namedtuple("Solution", "result info")
Triangular = namedtuple("Triangular", "solution cloned_coefficient")
LeastSquares = namedtuple("LeastSquares", "solution residuals rank singular_values")


def of_reals(*names: str) -> Callable[[Callable], Callable]:
    """Decorator: a row for functions with these names, which refuses complex numbers."""

    def note(function: Callable) -> Callable:
        @wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            if any(isinstance(x, Tensor) and kind_of(x.type.dtype) == "complex" for x in (*args, *kwargs.values())):
                raise refused(f"{names[0]} takes real matrices: there are no operators for complex ones")
            return function(*args, **kwargs)

        row(*names)(checked)
        return function

    return note


def _need_floats(name: str, *tensors: Any) -> None:
    for x in tensors:
        if kind_of(x.type.dtype) not in ("float", "complex"):
            raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {x.type.dtype}")


def _together(*matrices: Any) -> list:
    """Stacks of matrices, expanded so that there are as many of each."""
    batch = api.broadcast_tensors([x[..., :1, :1] for x in matrices])[0].shape[:-2]
    return [api.expand(x, [*batch, *x.shape[-2:]]) for x in matrices]


def _info(x: Any) -> Any:
    """For each matrix, that nothing went wrong; what does is an error when the Program runs."""
    return api.zeros(list(x.shape[:-2]), dtype="int32")


@of_reals("linalg.qr")
def qr(A: Any, mode: str = "reduced") -> Any:
    """Orthogonal columns times a triangle."""
    if mode == "r":
        return QR(api.zeros([0], dtype=A.type.dtype), linalg.qr(A, "r"))
    return QR(*linalg.qr(A, mode))


of_reals("qr", "Tensor.qr")(lambda input, some=True: qr(input, "reduced" if some else "complete"))


@of_reals("linalg.svd")
def svd(A: Any, full_matrices: bool = True, *, driver: Any = None) -> Any:
    """Orthogonal columns times singular values times orthogonal rows."""
    return SVD(*linalg.svd(A, full_matrices))


@of_reals("svd", "Tensor.svd")
def old_svd(input: Any, some: bool = True, compute_uv: bool = True) -> Any:
    """As linalg.svd; the third one isn't transposed."""
    u, s, vh = linalg.svd(input, not some)
    if compute_uv:
        return OldSVD(u, s, transpose(vh, -2, -1))
    *batch, rows, columns = input.shape
    empty = [api.zeros([*batch, n, n], dtype=s.type.dtype) for n in (rows, columns)]
    return OldSVD(empty[0], s, empty[1])


of_reals("linalg.svdvals")(lambda A, *, driver=None: linalg.svdvals(A))
of_reals("linalg.eigh")(lambda A, UPLO="L": Eigen(*linalg.eigh(A, UPLO.upper())))
of_reals("linalg.eigvalsh")(lambda A, UPLO="L": linalg.eigvalsh(A, UPLO.upper()))
of_reals("linalg.eig")(lambda A: Eigen(*linalg.eig(A)))
of_reals("linalg.eigvals")(lambda A: linalg.eigvals(A))


@of_reals("linalg.det", "det", "Tensor.det")
def det(A: Any) -> Any:
    """The determinant."""
    _need_floats("linalg.det", A)
    return linalg.det(A)


@of_reals("linalg.slogdet", "slogdet", "Tensor.slogdet")
def slogdet(A: Any) -> Any:
    """The sign of the determinant, and the logarithm of its absolute value."""
    _need_floats("linalg.slogdet", A)
    found = linalg.slogdet(A)
    return Determinant(found[0].clone(), found[1].clone())


@of_reals("logdet", "Tensor.logdet")
def logdet(input: Any) -> Any:
    """The logarithm of the determinant; nan where that is negative."""
    return api.log(det(input))


@of_reals("linalg.inv", "inverse", "Tensor.inverse")
def inv(A: Any) -> Any:
    """The inverse."""
    _need_floats("linalg.inv", A)
    return linalg.inv(A)


of_reals("linalg.inv_ex")(lambda A, *, check_errors=False: Inverse(inv(A), _info(A)))


def _is_vector(A: Any, B: Any) -> bool:
    """Whether the right side is one vector for each matrix, and no matrix."""
    a, b = lengths_of(A), lengths_of(B)
    if len(b) == 1 or len(b) != len(a) - 1:
        return len(b) == 1
    if not is_known(a + b):
        raise refused("a right side with one axis less than the matrices, and lengths that only the Program knows; unsqueeze it")
    return b == a[:-1]


@of_reals("linalg.solve")
def solve(A: Any, B: Any, *, left: bool = True) -> Any:
    """The X of A X = B, or of X A = B."""
    _need_floats("linalg.solve", A, B)
    if not _is_vector(A, B):
        return linalg.solve(*_together(A, B), left)
    if not left:
        raise RuntimeError("linalg.solve: Vector broadcasting of the left hand side is not supported for left=False.")
    return linalg.solve(*_together(A, api.unsqueeze(B, -1)))[..., 0].clone()


of_reals("linalg.solve_ex")(lambda A, B, *, left=True, check_errors=False: Solution(solve(A, B, left=left), _info(A)))


@of_reals("linalg.solve_triangular")
def solve_triangular(A: Any, B: Any, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    """The X of A X = B, or of X A = B, for triangles A."""
    A, B = _together(A, B)
    if left:
        return linalg.triangular_solve(A, B, upper, False, unitriangular)
    turned = linalg.triangular_solve(transpose(A, -2, -1), transpose(B, -2, -1), not upper, False, unitriangular)
    return transpose(turned, -2, -1)


@of_reals("triangular_solve", "Tensor.triangular_solve")
def old_triangular_solve(input: Any, A: Any, upper: bool = True, transpose: bool = False, unitriangular: bool = False) -> Any:
    """The X of A X = input, for triangles A."""
    A, b = _together(A, input)
    return Triangular(linalg.triangular_solve(A, b, upper, transpose, unitriangular), A.clone())


@of_reals("linalg.cholesky")
def cholesky(A: Any, *, upper: bool = False) -> Any:
    """The triangle whose square is A."""
    return linalg.cholesky(A, upper)


of_reals("cholesky", "Tensor.cholesky")(lambda input, upper=False: cholesky(input, upper=upper))
of_reals("linalg.cholesky_ex")(lambda A, *, upper=False, check_errors=False: Cholesky(cholesky(A, upper=upper), _info(A)))
of_reals("cholesky_inverse", "Tensor.cholesky_inverse")(lambda L, upper=False: linalg.cholesky_inverse(L, upper))


@of_reals("cholesky_solve", "Tensor.cholesky_solve")
def cholesky_solve(B: Any, L: Any, upper: bool = False) -> Any:
    """The X of A X = B, where L is the Cholesky factor of A."""
    return linalg.cholesky_solve(*_together(B, L), upper)


def _need_pivots(pivot: bool) -> None:
    if not pivot:
        raise refused("an LU decomposition without pivots; leave pivot=True")


@of_reals("linalg.lu_factor")
def lu_factor(A: Any, *, pivot: bool = True) -> Any:
    """The triangles L and U in one matrix, and which rows were exchanged."""
    _need_pivots(pivot)
    return Factors(*linalg.lu(A))


@of_reals("linalg.lu_factor_ex")
def lu_factor_ex(A: Any, *, pivot: bool = True, check_errors: bool = False) -> Any:
    """As lu_factor, and the first pivot that is 0."""
    _need_pivots(pivot)
    return FactorsInfo(*linalg.lu(A, get_infos=True))


@of_reals("lu", "Tensor.lu")
def lu(A: Any, pivot: bool = True, get_infos: bool = False) -> Any:
    """As lu_factor."""
    found = lu_factor_ex(A, pivot=pivot)
    return tuple(found) if get_infos else tuple(found)[:2]


@of_reals("lu_unpack")
def lu_unpack(LU_data: Any, LU_pivots: Any, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """The permutation and the triangles."""
    empty = api.zeros([0], dtype=LU_data.type.dtype)
    return PLU(*(empty if x is None else x for x in linalg.lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots)))


@of_reals("linalg.lu")
def plu(A: Any, *, pivot: bool = True) -> Any:
    """The permutation and the triangles whose product is A."""
    return lu_unpack(*lu_factor(A, pivot=pivot))


@of_reals("linalg.lu_solve")
def lu_solve(LU: Any, pivots: Any, B: Any, *, left: bool = True, adjoint: bool = False) -> Any:
    """The X of A X = B, or of X A = B, for the factors of A."""
    LU, B = _together(LU, B)
    pivots = api.expand(pivots, [*LU.shape[:-2], pivots.shape[-1]])
    if left:
        return linalg.lu_solve(B, LU, pivots, "C" if adjoint else "N")
    return transpose(linalg.lu_solve(transpose(B, -2, -1), LU, pivots, "N" if adjoint else "T"), -2, -1)


of_reals("lu_solve", "Tensor.lu_solve")(lambda b, LU_data, LU_pivots: lu_solve(LU_data, LU_pivots, b))


@of_reals("linalg.lstsq")
def lstsq(A: Any, B: Any, rcond: Any = None, *, driver: Any = None) -> Any:
    """The X for which A X is nearest to B."""
    is_vector = _is_vector(A, B)
    found = linalg.lstsq(A, api.unsqueeze(B, -1) if is_vector else B, rcond, driver)
    x, residuals, rank, values = found
    if driver == "gels":
        rank, residuals = api.zeros([0], dtype="int64"), linalg.lstsq(A, B, rcond, "gelss")[1]
    return LeastSquares(x[..., 0].clone() if is_vector else x, residuals, as_dtype(rank, "int64"), values)


@of_reals("linalg.pinv")
def pinv(A: Any, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Any:
    """The pseudo-inverse: singular values up to max(atol, rtol * the largest) count as 0."""
    if 0 in lengths_of(A)[-2:]:
        return transpose(A, -2, -1).clone()
    u, s, vh = linalg.svd(_mirrored(A) if hermitian else A, False)
    kept = s > _limit(A, s, atol, rcond if rtol is None else rtol)
    inverted = api.where(kept, 1 / api.where(kept, s, api.ones_like(s)), api.zeros_like(s))
    return api.matmul(transpose(vh, -2, -1) * api.unsqueeze(inverted, -2), u, transpose_y=True)


@of_reals("linalg.matrix_rank")
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Any:
    """How many singular values are above max(atol, rtol * the largest); tol is an atol without a rtol."""
    if 0 in lengths_of(A)[-2:]:
        return api.zeros(list(A.shape[:-2]), dtype="int64")
    sizes = linalg.svdvals(_mirrored(A) if hermitian else A)
    limit = _limit(A, sizes, atol, rtol) if tol is None else _limit(A, sizes, tol, 0.0)
    return api.sum((sizes > limit).astype("int64"), axis=-1)


def _limit(x: Any, sizes: Any, atol: Any, rtol: Any) -> Any:
    """Up to where singular values count as 0. Without rtol it is that of the dtype where atol isn't above 0."""
    least, largest = _column(0.0 if atol is None else atol, sizes), sizes[..., :1]
    if rtol is None:
        precision = _column(_precision(x), sizes)
        share = precision if atol is None else api.where(least > 0, api.zeros_like(least), precision)
    else:
        share = _column(rtol, sizes)
    return api.maximum(least, share * largest)


def _column(value: Any, sizes: Any) -> Any:
    """A number, or one for each matrix, beside rows of singular values."""
    return api.unsqueeze(as_dtype(value, sizes.type.dtype), -1)


def _mirrored(x: Any) -> Any:
    """The symmetric matrix with this lower triangle."""
    return api.tril(x) + transpose(api.tril(x, -1), -2, -1)


def _precision(x: Any) -> Any:
    """How small singular values are, beside the largest, that count as 0."""
    lengths = lengths_of(x)[-2:]
    if not is_known(lengths):
        raise refused("the default rtol of matrices whose lengths only the Program knows; give rtol")
    return max(lengths) * api.finfo(x.type.dtype).eps


of_reals("pinverse", "Tensor.pinverse")(lambda input, rcond=1e-15: pinv(input, rcond))


of_reals("linalg.matrix_exp", "matrix_exp", "Tensor.matrix_exp")(lambda A: linalg.matrix_exp(A))
row("linalg.householder_product", "orgqr", "Tensor.orgqr")(lambda input, tau: linalg.householder_product(input, tau))


@of_reals("linalg.cond")
def cond(A: Any, p: Any = None) -> Any:
    """How much matrices magnify errors."""
    return linalg.cond(A, p)


@of_reals("linalg.tensorinv")
def tensorinv(A: Any, ind: int = 2) -> Any:
    """The inverse of tensordot with A."""
    head, tail = list(A.shape[:ind]), list(A.shape[ind:])
    count = _counted(tail)
    return reshaped(inv(reshaped(A, [count, count])), [*tail, *head])


@of_reals("linalg.tensorsolve")
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


@of_reals("ormqr", "Tensor.ormqr")
def ormqr(input: Any, tau: Any, other: Any, left: bool = True, transpose: bool = False) -> Any:
    """The square matrix of Householder reflections, or its transpose, times another; or the other way round."""
    side = input.shape[-2]
    rest = api.zeros([*input.shape[:-1], side], dtype=input.type.dtype)
    square = linalg.householder_product(api.concat([input, rest], axis=-1)[..., :side], tau)
    return api.matmul(square, other, transpose_x=transpose) if left else api.matmul(other, square, transpose_y=transpose)

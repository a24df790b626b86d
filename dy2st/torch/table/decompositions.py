"""Matrices taken apart and measured: torch.linalg, and its older names."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import dy2st as api

from ...ops import factors
from ..dtypes import kind_of
from .axes import is_known, lengths_of, rank_of
from .pointwise import as_dtype, past, with_history
from .rows import all_demanded, demanded, may_flow, need_rank, refused, row
from .vector_norms import matrix_norm
from .views import adjoint

linalg = api.linalg

QR = namedtuple("QR", "Q R")

SVD = namedtuple("SVD", "U S Vh")

OldSVD = namedtuple("OldSVD", "U S V")

Eigen = namedtuple("Eigen", "eigenvalues eigenvectors")

PLU = namedtuple("PLU", "P L U")

Factors = namedtuple("Factors", "LU pivots")

FactorsInfo = namedtuple("FactorsInfo", "LU pivots info")

Cholesky = namedtuple("Cholesky", "L info")

Reflections = namedtuple("Reflections", "a tau")


def no_fault(x: Any) -> Any:
    """For each matrix, that nothing went wrong; what does is an error when the Program runs."""
    return api.zeros(list(x.shape[:-2]), dtype="int32")


def need_floats(name: str, *tensors: Any) -> None:
    for x in tensors:
        if kind_of(x.type.dtype) not in ("float", "complex"):
            raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {x.type.dtype}")


@row("linalg.qr")
def qr(A: Any, mode: str = "reduced") -> Any:
    """Orthogonal columns times a triangle."""
    if mode == "r":
        return QR(api.zeros([0], dtype=A.type.dtype), linalg.qr(A, "r"))
    return QR(*linalg.qr(A, mode))


row("qr", "Tensor.qr")(lambda input, some=True: qr(input, "reduced" if some else "complete"))


@row("linalg.svd")
def svd(A: Any, full_matrices: bool = True, *, driver: Any = None) -> Any:
    """Orthogonal columns times singular values times orthogonal rows."""
    return SVD(*linalg.svd(A, full_matrices))


@row("svd", "Tensor.svd")
def old_svd(input: Any, some: bool = True, compute_uv: bool = True) -> Any:
    """As linalg.svd; the third one isn't transposed."""
    u, s, vh = linalg.svd(input, not some)
    if compute_uv:
        return OldSVD(u, s, adjoint(vh))
    *batch, rows, columns = input.shape
    empty = [api.zeros([*batch, n, n], dtype=input.type.dtype) for n in (rows, columns)]
    return OldSVD(empty[0], s, empty[1])


row("linalg.svdvals")(lambda A, *, driver=None: linalg.svdvals(A))

row("linalg.eigh")(lambda A, UPLO="L": Eigen(*linalg.eigh(A, UPLO.upper())))

row("linalg.eigvalsh")(lambda A, UPLO="L": linalg.eigvalsh(A, UPLO.upper()))

row("linalg.eig")(lambda A: Eigen(*linalg.eig(A)))

row("linalg.eigvals")(lambda A: linalg.eigvals(A))


@row("linalg.cholesky")
def cholesky(A: Any, *, upper: bool = False) -> Any:
    """The triangle whose square is A."""
    return linalg.cholesky(A, upper)


row("cholesky", "Tensor.cholesky")(lambda input, upper=False: cholesky(input, upper=upper))

row("linalg.cholesky_ex")(lambda A, *, upper=False, check_errors=False: Cholesky(cholesky(A, upper=upper), no_fault(A)))


def _need_pivots(pivot: bool) -> None:
    if not pivot:
        raise refused("an LU decomposition without pivots; leave pivot=True")


@row("linalg.lu_factor")
def lu_factor(A: Any, *, pivot: bool = True) -> Any:
    """The triangles L and U in one matrix, and which rows were exchanged."""
    _need_pivots(pivot)
    LU, pivots, info = linalg.lu(A, get_infos=True)
    says = "torch.linalg.lu_factor: U has a zero on its diagonal; call torch.linalg.lu or lu_factor_ex"
    return Factors(demanded(LU, info == 0, says), pivots)


@row("linalg.lu_factor_ex")
def lu_factor_ex(A: Any, *, pivot: bool = True, check_errors: bool = False) -> Any:
    """As lu_factor, and the first pivot that is 0."""
    _need_pivots(pivot)
    return FactorsInfo(*linalg.lu(A, get_infos=True))


@row("lu", "Tensor.lu")
def lu(A: Any, pivot: bool = True, get_infos: bool = False) -> Any:
    """As lu_factor."""
    found = lu_factor_ex(A, pivot=pivot)
    return tuple(found) if get_infos else tuple(found)[:2]


@row("lu_unpack")
def lu_unpack(LU_data: Any, LU_pivots: Any, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """The permutation and the triangles."""
    need_rank(LU_pivots, rank_of(LU_data) - 1, "lu_unpack: LU_pivots")
    rows, columns = LU_data.shape[-2:]
    count = LU_pivots.shape[-1]
    is_least = [count <= rows, count <= columns, (count == rows) | (count == columns)]
    LU_data = all_demanded(LU_data, is_least, "lu_unpack: LU_pivots isn't what lu_factor gives with LU_data")
    empty = api.zeros([0], dtype=LU_data.type.dtype)
    return PLU(*(empty if x is None else x for x in linalg.lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots)))


@row("linalg.lu")
def plu(A: Any, *, pivot: bool = True) -> Any:
    """The permutation and the triangles whose product is A."""
    return lu_unpack(*lu_factor_ex(A, pivot=pivot)[:2])


@row("linalg.pinv")
def pinv(A: Any, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Any:
    """The pseudo-inverse: singular values up to max(atol, rtol * the largest) count as 0."""
    if 0 in lengths_of(A)[-2:]:
        return adjoint(A).clone()
    x = _mirrored(A) if hermitian else A
    fixed = past(x)
    if hermitian:
        s, v = linalg.eigh(fixed)
        uh = adjoint(v)
    else:
        u, s, vh = linalg.svd(fixed, False)
        uh, v = adjoint(u), adjoint(vh)
    sizes = api.abs(s)
    kept = sizes > _limit(A, sizes, atol, rcond if rtol is None else rtol)
    inverted = api.where(kept, 1 / api.where(kept, s, api.ones_like(s)), api.zeros_like(s))
    scale = as_dtype(api.unsqueeze(inverted, -2), A.type.dtype)
    found = api.matmul(v * scale, uh)
    if not may_flow(x):
        return found
    near = _pinv_near(x, adjoint(uh), scale, v, as_dtype(api.diag_embed(~kept), A.type.dtype))
    return found + (near - past(near))


def _mirrored(x: Any) -> Any:
    """The Hermitian matrix with this lower triangle."""
    return api.tril(x) + adjoint(api.tril(x, -1))


def _pinv_near(A: Any, u: Any, scale: Any, v: Any, left_out: Any) -> Any:
    """The pseudo-inverse of matrices A near u @ diag(1 / scale) @ v^H, of the same rank, as a function that has all derivatives.

    left_out: 1 on the diagonal where a singular value counts as 0, and `scale` is 0. With C = A V S and R = S U^H A, where U, S
    and V are fixed, pinv(A) = pinv(R) S U^H A V S pinv(C); C is near U, and R near V^H, of orthonormal columns and rows.
    """
    fixed_u, fixed_v = u * scale, v * scale
    columns, rows = api.matmul(A, fixed_v), api.matmul(adjoint(fixed_u), A)
    right = api.matmul(linalg.inv(api.matmul(adjoint(columns), columns) + left_out), adjoint(columns))
    left = api.matmul(adjoint(rows), linalg.inv(api.matmul(rows, adjoint(rows)) + left_out))
    return api.matmul(api.matmul(left, api.matmul(rows, fixed_v)), right)


@row("linalg.matrix_rank")
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Any:
    """How many singular values are above max(atol, rtol * the largest); tol is an atol without a rtol."""
    if 0 in lengths_of(A)[-2:]:
        return api.zeros(list(A.shape[:-2]), dtype="int64")
    sizes = api.abs(linalg.eigvalsh(A)) if hermitian else linalg.svdvals(A)
    limit = _limit(A, sizes, atol, rtol) if tol is None else _limit(A, sizes, tol, 0.0)
    return api.sum((sizes > limit).astype("int64"), axis=-1)


def _limit(x: Any, sizes: Any, atol: Any, rtol: Any) -> Any:
    """Up to where singular values count as 0. Without rtol it is that of the dtype where atol isn't above 0."""
    least, largest = _column(0.0 if atol is None else atol, sizes), _largest(sizes)
    if rtol is None:
        precision = _column(_precision(x, sizes), sizes)
        share = precision if atol is None else api.where(least > 0, api.zeros_like(least), precision)
    else:
        share = _column(rtol, sizes)
    return api.maximum(least, share * largest)


def _largest(sizes: Any) -> Any:
    """The largest singular value of each matrix; 0 where there is none."""
    if isinstance(lengths_of(sizes)[-1], int):
        return api.max(sizes, axis=-1, keepdim=True)
    none = api.zeros([*sizes.shape[:-1], 1], dtype=sizes.type.dtype)
    return api.max(api.concat([sizes, none], axis=-1), axis=-1, keepdim=True)


def _column(value: Any, sizes: Any) -> Any:
    """A number, or one for each matrix, beside rows of singular values."""
    return api.unsqueeze(as_dtype(value, sizes.type.dtype), -1)


def _precision(x: Any, sizes: Any) -> Any:
    """How small singular values are, beside the largest, that count as 0."""
    lengths = lengths_of(x)[-2:]
    if not is_known(lengths):
        raise refused("the default rtol of matrices whose lengths only the Program knows; give rtol")
    return max(lengths) * api.finfo(sizes.type.dtype).eps


row("pinverse", "Tensor.pinverse")(lambda input, rcond=1e-15: pinv(input, rcond))

row("linalg.matrix_exp", "matrix_exp", "Tensor.matrix_exp")(lambda A: linalg.matrix_exp(A))

@row("linalg.householder_product", "orgqr", "Tensor.orgqr")
def householder_product(input: Any, tau: Any) -> Any:
    """The product of Householder reflections, whose history is that of `input` also where there are none."""
    need_rank(tau, rank_of(input) - 1, "householder_product: tau")
    return with_history(linalg.householder_product(input, tau), input)


@row("linalg.cond")
def cond(A: Any, p: Any = None) -> Any:
    """How much matrices magnify errors."""
    return linalg.cond(A, p) if p in (None, 2, -2) else matrix_norm(A, p) * matrix_norm(linalg.inv(A), p)


@row("ormqr", "Tensor.ormqr")
def ormqr(input: Any, tau: Any, other: Any, left: bool = True, transpose: bool = False) -> Any:
    """The square matrix of Householder reflections, or its transpose, times another; or the other way round."""
    if kind_of(input.type.dtype) not in ("float", "complex"):
        raise refused(f"ormqr takes floating-point numbers, not {input.type.dtype}")
    need_rank(tau, rank_of(input) - 1, "ormqr: tau")
    need_rank(other, rank_of(input), "ormqr: other")
    side = input.shape[-2]
    rest = api.zeros([*input.shape[:-1], side], dtype=input.type.dtype)
    square = linalg.householder_product(api.concat([input, rest], axis=-1)[..., :side], tau)
    square = adjoint(square) if transpose else square
    return api.matmul(square, other) if left else api.matmul(other, square)


@row("geqrf", "Tensor.geqrf")
def geqrf(input: Any) -> Any:
    """A QR decomposition as LAPACK leaves it: the triangle with reflections below it, and their scales."""
    return Reflections(*factors.geqrf(input))


@row("linalg.ldl_factor", "linalg.ldl_factor_ex", "linalg.ldl_solve")
def ldl_factor(*args: Any, **kwargs: Any) -> Any:
    """Refused."""
    raise refused("there is no LDL decomposition; write torch.linalg.lu_factor and lu_solve, or cholesky")

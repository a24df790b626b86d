"""Matrices, and stacks of them, taken apart through LAPACK: QR, singular values, eigenvalues, least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ir.types import Dim, TensorType, Type
from .compare import equal
from .creation import tril
from .elementwise import add, divide, multiply, subtract
from .linalg import matmul
from .lowered import solving as lowered
from .registry import define
from .rules import quiet, real_part
from .select import where
from .solving import inverse, matrices, may_be_square, of_fractions, per_matrix, turned
from .views import unsqueeze

_NO_SIGNS = "LAPACK alone knows the signs of vectors; take svdvals or eigvalsh, or compute them before, and pass them in"


def _sides(tensor: TensorType) -> tuple[Dim, Dim, Dim]:
    """Rows, columns, and the smaller of the two where both are known."""
    if tensor.shape is None:
        return None, None, None
    rows, columns = tensor.shape[-2:]
    return rows, columns, min(rows, columns) if isinstance(rows, int) and isinstance(columns, int) else None


def _times(a: Any, *others: Any) -> Any:
    for b in others:
        a = matmul(a, b)
    return a


def _columns(x: Any) -> Any:
    """One number for each column of a matrix."""
    return unsqueeze(x, axis=[-2])


# --- QR --------------------------------------------------------------------------------------------------------------


def _qr(x: np.ndarray, complete: bool = False) -> tuple[np.ndarray, np.ndarray]:
    found = np.linalg.qr(x, "complete" if complete else "reduced")
    return found.Q, found.R


def _infer_qr(x: Type, complete: bool = False) -> tuple:
    tensor = matrices("qr", x)
    rows, columns, least = _sides(tensor)
    inner = rows if complete else least
    return per_matrix(tensor, rows, inner), per_matrix(tensor, inner, columns)


def _qr_grad(ctx, gq, gr) -> tuple:
    """S. Walter and L. Lehmann, "Algorithmic differentiation of linear algebra functions" (2010), for at least as many rows."""
    q, r = ctx.outputs
    if ctx.attrs.get("complete") or not may_be_square(r):  # of open lengths, `inverse` refuses others as the Program runs
        raise ShapeError("qr has a gradient where there are at least as many rows as columns, and for mode='reduced' only")
    inner = subtract(matmul(r, gr, transpose_y=True), matmul(gq, q, transpose_x=True))
    inner = add(tril(inner), turned(tril(inner, diagonal=-1)))
    return (_times(add(gq, matmul(q, inner)), turned(inverse(r))),)


# The columns of q, orthogonal, and the upper triangle r with x = q @ r.
qr = define(
    "qr",
    kernel=of_fractions("qr", _qr),
    infer=_infer_qr,
    grad=_qr_grad,
    grad_ignores=(0,),
    row_major=False,
    onnx=lowered.qr,
)



def _reflections(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    turned_factors, scales = np.linalg.qr(x, "raw")
    return turned_factors.swapaxes(-1, -2), scales


def _infer_reflections(x: Type) -> tuple:
    tensor = matrices("geqrf", x)
    return tensor, per_matrix(tensor, _sides(tensor)[2])


# The same as LAPACK leaves it: r with the reflections whose product is q below it, and their scales.
geqrf = define(
    "geqrf",
    kernel=of_fractions("geqrf", _reflections),
    infer=_infer_reflections,
    row_major=False,
    onnx="ONNX has no reflections as LAPACK scales them; use qr, whose factors it computes",
)

# --- singular values --------------------------------------------------------------------------------------------------


def _svd(x: np.ndarray, full: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    found = np.linalg.svd(x, full_matrices=full)
    return found.U, found.S, found.Vh


def _infer_svd(x: Type, full: bool = False) -> tuple:
    tensor = matrices("svd", x)
    rows, columns, least = _sides(tensor)
    left, right = (rows, columns) if full else (least, least)
    return per_matrix(tensor, rows, left), real_part(per_matrix(tensor, least)), per_matrix(tensor, right, columns)


def _gaps(values: Any) -> Any:
    """1 / (values[j] - values[i]) at [i, j]; 0 where they are equal, on the diagonal as well."""
    gap = subtract(_columns(values), unsqueeze(values, axis=[-1]))
    none = equal(gap, 0.0)
    return where(none, 0.0, divide(1.0, where(none, 1.0, gap)))


def _beyond(g: Any, u: Any) -> Any:
    """The part of the columns of `g` that the columns of `u` don't reach."""
    return subtract(g, matmul(u, matmul(u, g, transpose_x=True)))


def _svd_grad(ctx, gu, gs, gvh) -> tuple:
    """J. Townsend, "Differentiating the singular value decomposition" (2016), in which F is `gaps`."""
    if ctx.attrs.get("full"):
        raise ShapeError("svd has a gradient for full_matrices=False only")
    u, s, vh = ctx.outputs
    v, gv = turned(vh), turned(gvh)
    gaps, sizes = _gaps(multiply(s, s)), _columns(s)
    left, right = matmul(u, gu, transpose_x=True), matmul(v, gv, transpose_x=True)
    turning = multiply(multiply(gaps, subtract(left, turned(left))), sizes)
    turning = add(turning, turned(multiply(turned(multiply(gaps, subtract(right, turned(right)))), sizes)))
    inner = add(matmul(u, turning), multiply(u, _columns(gs)))
    inner = add(inner, divide(_beyond(gu, u), sizes))
    outer = matmul(divide(u, sizes), _beyond(gv, v), transpose_y=True)
    return (add(matmul(inner, vh), outer),)


# The columns u, the sizes s and the rows vh with x = u * s @ vh.
svd = define(
    "svd",
    kernel=of_fractions("svd", quiet(_svd)),
    infer=_infer_svd,
    grad=_svd_grad,
    grad_ignores=(0,),
    onnx=_NO_SIGNS,
    row_major=False,
    raises=("ValueError",),
)

# --- eigenvalues -------------------------------------------------------------------------------------------------------


def _eigh(x: np.ndarray, upper: bool = False) -> tuple[np.ndarray, np.ndarray]:
    found = np.linalg.eigh(x, "U" if upper else "L")
    return found.eigenvalues, found.eigenvectors


def _infer_eigh(x: Type, upper: bool = False) -> tuple:
    tensor = matrices("eigh", x, square=True)
    rows, columns, _ = _sides(tensor)
    return real_part(per_matrix(tensor, rows)), per_matrix(tensor, rows, columns)


def _eigh_grad(ctx, gw, gv) -> tuple:
    """Symmetric, since `x` is."""
    w, v = ctx.outputs
    inner = multiply(_gaps(w), matmul(v, gv, transpose_x=True))
    found = matmul(add(matmul(v, inner), multiply(v, _columns(gw))), v, transpose_y=True)
    return (multiply(add(found, turned(found)), 0.5),)


# The eigenvalues of symmetric or Hermitian matrices in order, and the eigenvectors as columns; only one triangle of `x` is read.
eigh = define(
    "eigh",
    kernel=of_fractions("eigh", _eigh),
    infer=_infer_eigh,
    grad=_eigh_grad,
    grad_ignores=(0,),
    onnx=_NO_SIGNS,
    row_major=False,
    raises=("ValueError",),
)


def _eig(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    kind = np.complex64 if x.dtype in (np.float32, np.complex64) else np.complex128
    found = np.linalg.eig(x)
    return found.eigenvalues.astype(kind), found.eigenvectors.astype(kind)


def _infer_eig(x: Type) -> tuple:
    tensor = matrices("eig", x, square=True)
    rows, columns, _ = _sides(tensor)
    found = TensorType("complex64" if tensor.dtype in ("float32", "complex64") else "complex128", tensor.shape)
    return per_matrix(found, rows), per_matrix(found, rows, columns)


def _no_gradient(ctx, *_: Any) -> tuple:
    raise NotImplementedError("eig has no gradient; use eigh where the matrix is symmetric")


# Eigenvalues and eigenvectors (as columns) of any square matrices: complex.
eig = define(
    "eig",
    kernel=of_fractions("eig", _eig),
    infer=_infer_eig,
    grad=_no_gradient,
    onnx="ONNX has no eigenvalues of matrices that needn't be symmetric; compute them before, and pass them in",
    row_major=False,
    raises=("ValueError",),
)

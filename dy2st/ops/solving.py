"""Square matrices, and stacks of them, through LAPACK: equations solved, inverses, determinants, Cholesky's factor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import DTypeError, ShapeError
from ..ir.types import TensorType, Type
from .complex_numbers import conj
from .creation import tril
from .dims import agree, same
from .elementwise import add, multiply, negative
from .linalg import matmul
from .lowered import solving as lowered
from .registry import define
from .rules import broadcast_shapes, need_tensor, real_part, static_shape, unbroadcast
from .views import transpose, unsqueeze

OF_LAPACK = ("float32", "float64", "complex64", "complex128")
OF_LAPACK_TEXT = "float32, float64, complex64 or complex128"


def matrices(op: str, x: Type, square: bool = False) -> TensorType:
    """`x`, a tensor of floats or complex numbers, which must have two axes or more; the last two of one length where `square`."""
    tensor = need_tensor(op, x)
    shape = tensor.shape
    if tensor.dtype not in OF_LAPACK:
        raise DTypeError(f"{op} takes a tensor of {OF_LAPACK_TEXT}, not {tensor}; cast it first")
    if shape is not None and len(shape) < 2:
        raise ShapeError(f"{op} takes matrices, a tensor of at least 2 axes, not {tensor}")
    if square and shape is not None and not agree(shape[-1], shape[-2]):
        raise ShapeError(f"{op} takes square matrices, not {tensor}")
    return tensor


def may_be_square(x: Any) -> bool:
    """Whether the last two lengths of a tensor, as far as they are known, are one."""
    shape = static_shape(x)
    return shape is None or agree(shape[-2], shape[-1])


def of_fractions(op: str, kernel: Callable) -> Callable:
    """The kernel, which refuses the dtypes that NumPy would make float64 of: integers, bools, and those of half the size."""

    def checked(x: np.ndarray, *operands: Any, **attrs: Any) -> Any:
        if x.dtype.char not in "fdFD":
            raise DTypeError(f"{op} takes a tensor of {OF_LAPACK_TEXT}, not of {x.dtype}; cast it first")
        return kernel(x, *operands, **attrs)

    checked.__wrapped__ = kernel  # type: ignore[attr-defined]  # whose parameters it takes
    return checked


def per_matrix(tensor: TensorType, *lengths: Any) -> TensorType:
    """The type of a result that has axes of `lengths` for each matrix of a stack."""
    return TensorType(tensor.dtype, None if tensor.shape is None else (*tensor.shape[:-2], *lengths))


def turned(x: Any) -> Any:
    """The transposes of matrices."""
    rank = len(x.shape)
    return transpose(x, perm=[*range(rank - 2), rank - 1, rank - 2])


def adjoint(x: Any) -> Any:
    """The conjugate transposes of matrices."""
    return turned(conj(x) if x.dtype.is_complex else x)


def _explained(function: Callable, words: str) -> Callable[..., np.ndarray]:
    """A function of LAPACK, which says in `words` what it can't do."""

    def kernel(*operands: np.ndarray) -> np.ndarray:
        try:
            return function(*operands)
        except np.linalg.LinAlgError:
            raise ValueError(words) from None

    return kernel


def _inverse_grad(ctx, g) -> tuple:
    out = ctx.outputs[0]
    return (negative(matmul(matmul(out, g, transpose_x=True), out, transpose_y=True)),)


inverse = define(
    "inverse",
    kernel=of_fractions("inverse", _explained(np.linalg.inv, "inv: a matrix is singular, it has no inverse; pinv takes any")),
    infer=lambda x: matrices("inverse", x, square=True),
    grad=_inverse_grad,
    onnx=lowered.inverse,
    grad_ignores=(0,),
    raises=("ValueError",),
)


def _infer_solve(x: Type, y: Type) -> TensorType:
    a, b = matrices("solve", x, square=True), matrices("solve", y)
    if a.dtype != b.dtype:
        raise DTypeError(f"solve takes tensors of one dtype, not {a.dtype} and {b.dtype}; cast one of them")
    if a.shape is None or b.shape is None:
        return TensorType(a.dtype, None)
    if not agree(a.shape[-1], b.shape[-2]):
        raise ShapeError(f"solve: {a} has {a.shape[-1]} unknowns, but the right side {b} has {b.shape[-2]} rows")
    batch = broadcast_shapes("solve", a.shape[:-2], b.shape[:-2])
    assert batch is not None
    return TensorType(a.dtype, (*batch, same(b.shape[-2], a.shape[-1]), b.shape[-1]))


def _solve_grad(ctx, g) -> tuple:
    x, y = ctx.inputs
    right = solve(turned(x), g)
    left = negative(matmul(right, ctx.outputs[0], transpose_y=True)) if ctx.needs[0] else None
    return None if left is None else unbroadcast(left, x), unbroadcast(right, y) if ctx.needs[1] else None


# The matrices z with x @ z = y.
solve = define(
    "solve",
    kernel=of_fractions("solve", _explained(np.linalg.solve, "solve: a matrix is singular; lstsq takes any")),
    infer=_infer_solve,
    grad=_solve_grad,
    onnx=lowered.solve,
    grad_ignores=(1,),
    raises=("ValueError",),
)


def _slope(factor: Any, x: Any) -> Any:
    """One number for each matrix, times the transposed inverse of the matrix: how the logarithm of its determinant grows."""
    return multiply(unsqueeze(unsqueeze(factor, axis=[-1]), axis=[-1]), turned(inverse(x)))


determinant = define(
    "det",
    kernel=of_fractions("det", lambda x: np.asarray(np.linalg.det(x))),
    infer=lambda x: per_matrix(matrices("det", x, square=True)),
    grad=lambda ctx, g: (_slope(multiply(g, ctx.outputs[0]), ctx.inputs[0]),),
    onnx=lowered.det,
)


def _slogdet(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    sign, logarithm = np.linalg.slogdet(x)
    return np.asarray(sign), np.asarray(logarithm)


def _infer_slogdet(x: Type) -> tuple:
    found = per_matrix(matrices("slogdet", x, square=True))
    return found, real_part(found)


# The sign of the determinant, and the logarithm of its absolute value.
slogdet = define(
    "slogdet",
    kernel=of_fractions("slogdet", _slogdet),
    infer=_infer_slogdet,
    grad=lambda ctx, _, g: (_slope(g, ctx.inputs[0]),),
    onnx=lowered.slogdet,
)


def _cholesky_grad(ctx, g) -> tuple:
    """Symmetric, since `x` is: I. Murray, "Differentiation of the Cholesky decomposition" (2016), equation 9."""
    factor = ctx.outputs[0]
    back = inverse(factor)
    inner = tril(matmul(factor, g, transpose_x=True))
    inner = multiply(add(inner, tril(inner, diagonal=-1)), 0.5)  # below the diagonal whole, the diagonal halved
    found = matmul(matmul(back, inner, transpose_x=True), back)
    return (multiply(add(found, turned(found)), 0.5),)


# The lower triangle whose product with its conjugate transpose is `x`; only the lower triangle of `x` is read.
cholesky = define(
    "cholesky",
    kernel=of_fractions("cholesky", _explained(np.linalg.cholesky, "cholesky: a matrix is not positive definite")),
    infer=lambda x: matrices("cholesky", x, square=True),
    grad=_cholesky_grad,
    onnx=lowered.cholesky,
    grad_ignores=(0,),
    raises=("ValueError",),
)

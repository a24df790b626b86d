"""Products of matrices and vectors, through BLAS."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import DTypeError, ShapeError
from ..ir.shape import shape_agrees, shape_text
from ..ir.types import Dim, TensorType, Type
from .elementwise import multiply
from .lowered import complexes
from .lowered import linalg as lowered
from .registry import define
from .rules import broadcast_shapes, need_tensor, static_shape, unbroadcast
from .views import reshape, squeeze, unsqueeze


def _matmul(
    x: np.ndarray, y: np.ndarray, transpose_x: bool = False, transpose_y: bool = False, out: np.ndarray | None = None
) -> np.ndarray:
    return _product(_turned(x, transpose_x), _turned(y, transpose_y), out)


def _turned(x: np.ndarray, transpose: bool) -> np.ndarray:
    return x.swapaxes(-1, -2) if transpose and x.ndim > 1 else x


_OF_BLAS = ("float32", "float64", "complex64", "complex128")
_LETTERS = "fdFD"  # theirs, which an array tells quicker than the name


def _product(x: np.ndarray, y: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """x @ y. `dot` gets to BLAS in a third of the time that `matmul` takes, but is another product beyond two axes."""
    if x.ndim == 2 == y.ndim and x.dtype.char in _LETTERS:
        return x.dot(y, out)
    return np.matmul(x, y, out=out)


def _turned_shape(shape: tuple[Dim, ...], transpose: bool) -> tuple[Dim, ...]:
    return (*shape[:-2], shape[-1], shape[-2]) if transpose and len(shape) > 1 else shape


def _infer_matmul(x: Type, y: Type, transpose_x: bool = False, transpose_y: bool = False) -> TensorType:
    a, b = need_tensor("matmul", x), need_tensor("matmul", y)
    if a.dtype != b.dtype:
        raise DTypeError(f"matmul takes tensors of one dtype, not {a.dtype} and {b.dtype}; cast one of them")
    if a.shape is None or b.shape is None:
        return TensorType(a.dtype, None)
    if not a.shape or not b.shape:
        raise ShapeError(f"matmul takes tensors of at least one axis, not {a} and {b}; use multiply for scalars")
    left, right = _turned_shape(a.shape, transpose_x), _turned_shape(b.shape, transpose_y)
    inner, other = left[-1], right[-2] if len(right) > 1 else right[0]
    if isinstance(inner, int) and isinstance(other, int) and inner != other:
        words = f"{shape_text(left)} and {shape_text(right)}"
        raise ShapeError(f"matmul: shapes {words} don't fit: the inner lengths {inner} and {other} differ; transpose one of them")
    batch = broadcast_shapes("matmul", left[:-2], right[:-2])
    assert batch is not None
    return TensorType(a.dtype, (*batch, *(left[-2:-1] if len(left) > 1 else ()), *(right[-1:] if len(right) > 1 else ())))


def _matmul_grad(ctx, g):
    x, y = ctx.inputs[:2]
    tx, ty = ctx.attrs.get("transpose_x", False), ctx.attrs.get("transpose_y", False)
    xs, ys = static_shape(x), static_shape(y)
    if xs is None or ys is None:
        raise ShapeError("the gradient of matmul needs operands of known rank")
    if len(xs) == 1 and len(ys) == 1:
        return multiply(g, y) if ctx.needs[0] else None, multiply(g, x) if ctx.needs[1] else None
    if len(xs) == 1:  # a row times matrices
        row, g = unsqueeze(x, axis=[0]), unsqueeze(g, axis=[-2])
        gx, gy = _matrix_grads(ctx.needs, g, row, y, False, ty)
        return None if gx is None else unbroadcast(squeeze(gx, axis=[-2]), x), gy
    if len(ys) == 1:  # matrices times a column
        column, g = unsqueeze(y, axis=[1]), unsqueeze(g, axis=[-1])
        gx, gy = _matrix_grads(ctx.needs, g, x, column, tx, False)
        return gx, None if gy is None else unbroadcast(squeeze(gy, axis=[-1]), y)
    return _matrix_grads(ctx.needs, g, x, y, tx, ty)


def _matrix_grads(needs, g, x, y, tx: bool, ty: bool) -> tuple:
    gx = gy = None
    if needs[0]:
        gx = matmul(y, g, transpose_x=ty, transpose_y=True) if tx else matmul(g, y, transpose_y=not ty)
        gx = unbroadcast(gx, x)
    if needs[1]:
        if not tx and not ty and _many_times_one(x, y):
            # One large product instead of a stack of small ones that are then summed.
            x, g = reshape(x, shape=[-1, x.static_shape[-1]]), reshape(g, shape=[-1, g.static_shape[-1]])
        gy = matmul(g, x, transpose_x=True, transpose_y=tx) if ty else matmul(x, g, transpose_x=not tx)
        gy = unbroadcast(gy, y)
    return gx, gy


def _many_times_one(x, y) -> bool:
    """Whether a stack of matrices was multiplied by one matrix, whose size is known and not 0."""
    xs, ys = static_shape(x), static_shape(y)
    if xs is None or ys is None or not len(xs) > 2 == len(ys):
        return False
    return all(isinstance(length, int) and length > 0 for length in (xs[-1], ys[-1]))


def _matmul_source(attrs: dict[str, Any], names: list[str], types: list[Type]) -> str | None:
    """The product of two matrices, as `_product` makes it, or of stacks of them where nothing is transposed."""
    x, y = names
    if all(isinstance(t, TensorType) and t.rank == 2 and t.dtype in _OF_BLAS for t in types):
        return f"{x}{'.T' if attrs.get('transpose_x') else ''}.dot({y}{'.T' if attrs.get('transpose_y') else ''})"
    known = all(isinstance(t, TensorType) and t.rank is not None for t in types)
    turns = attrs.get("transpose_x") or attrs.get("transpose_y")
    return f"np.matmul({x}, {y})" if known and not turns else None


# The product of matrices, or of stacks of them (other axes broadcast); a vector is a row on the left, a column on the right.
matmul = define(
    "matmul",
    kernel=_matmul,
    infer=_infer_matmul,
    grad=_matmul_grad,
    template=_matmul_source,
    out=True,
    out_apart=True,
    onnx=lowered.matmul,
    onnx_complex=complexes.matmul,
)


def _linear(
    x: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray,
    transpose_x: bool = False,
    transpose_y: bool = False,
    out: np.ndarray | None = None,
) -> np.ndarray:
    # The product may not be written where the bias lies, which is read after it.
    free = None if out is None or np.may_share_memory(out, bias) else out
    product = _matmul(x, weight, transpose_x, transpose_y, free)
    return np.add(product, bias, out=product if out is None else out)


def _infer_linear(x: Type, weight: Type, bias: Type, transpose_x: bool = False, transpose_y: bool = False) -> TensorType:
    product, added = _infer_matmul(x, weight, transpose_x, transpose_y), need_tensor("linear", bias)
    if product.dtype != added.dtype:
        raise DTypeError(f"linear takes a bias of the dtype {product.dtype}, not {added.dtype}; cast one of them")
    last = None if product.shape is None else product.shape[-1:]
    if added.rank not in (1, None) or last == () or not shape_agrees(added.shape, None if last is None else tuple(last)):
        raise ShapeError(f"linear: the bias is {added}, the product {product}; the bias is a vector as long as its last axis")
    return product


def _linear_grad(ctx, g):
    return *_matmul_grad(ctx, g), unbroadcast(g, ctx.inputs[2]) if ctx.needs[2] else None


# x @ weight + bias, a vector that is added to each row of the product in place; x and weight may be transposed as in matmul.
linear = define(
    "linear",
    kernel=_linear,
    infer=_infer_linear,
    grad=_linear_grad,
    out=True,
    out_apart=True,
    grad_ignores=(2,),
    onnx=lowered.linear,
    onnx_complex=complexes.linear,
)

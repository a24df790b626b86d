"""Norms of vectors and matrices, and distances by them."""

from __future__ import annotations

import math
from typing import Any

import dy2st as api

from ...ops.half import in_float32
from ..dtypes import name_of
from .axes import axes_of, is_known, rank_of
from .conversions import converted
from .pointwise import flat, kind, met, past, sloped
from .reductions import axes
from .rows import refused, row


@row("linalg.vector_norm")
def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The norm of the elements along some axes, or of all."""
    x = x if dtype is None else converted(x, name_of(dtype))
    if kind(x) not in ("float", "complex"):
        raise refused(f"a norm takes floats or complex numbers, not {x.type.dtype}")
    return length(x, ord, axes(x, dim), keepdim)


@in_float32
def length(x: Any, p: float, axis: Any, keepdim: bool = False) -> Any:
    """The p-norm along axes. At 0, where it has a corner, its gradient is 0; that of the largest is shared by all largest."""
    sizes: Any = api.abs(x)
    along = {"axis": axis, "keepdim": keepdim}
    if abs(p) == math.inf:
        return (api.amax if p > 0 else api.amin)(sizes, **along)
    if p == 0:
        return flat(api.sum((sizes != 0).astype(sizes.type.dtype), **along), api.sum(sizes, **along))
    if p == 1:
        return api.sum(sizes, **along)
    total = api.sum(_square(x) if p == 2 else _to_the_power(sizes, float(p)), **along)
    return root(total, p, bent=p < 3)  # as in torch


def _square(x: Any) -> Any:
    """The square of the size, which at 0 has a second derivative that the size lacks."""
    return api.square(x) if kind(x) == "float" else api.square(x.real()) + api.square(x.imag())


def root(total: Any, p: float = 2, bent: bool = False) -> Any:
    """total ** (1 / p), whose gradient at 0 is 0. The second derivative there is 0; NaN where it is `bent`."""
    is_zero, zeros = total == 0, api.zeros_like(total)
    found = api.sqrt(total) if p == 2 else api.pow(total, 1.0 / p)
    base = total if bent else api.where(is_zero, zeros + 1, total)
    return sloped(past(found), total, lambda: api.where(is_zero, zeros, api.pow(base, 1 / p - 1) / p))


def _to_the_power(sizes: Any, p: float) -> Any:
    """sizes ** p, whose gradient at 0 is 0."""
    found = api.pow(sizes, p)
    if p >= 1:
        return found
    return sloped(past(found), sizes, lambda: api.where(sizes == 0, api.zeros_like(sizes), p * api.pow(sizes, p - 1)))


@row("norm", "Tensor.norm")
def norm(input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """The norm of all elements, or along some axes."""
    if p == "nuc":
        return nuclear_norm(input, dim, keepdim, dtype)
    return vector_norm(input, 2 if p in (None, "fro") else p, dim, keepdim, dtype=dtype)


@row("linalg.norm")
def linalg_norm(A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The norm of a vector, or with two axes and an order that of matrices."""
    x = A if dtype is None else converted(A, name_of(dtype))
    if ord is None:
        return vector_norm(x, 2, dim, keepdim)
    rank = len(x.static_shape)
    if isinstance(dim, tuple | list) and len(dim) == 2 or dim is None and rank == 2:
        return matrix_norm(x, ord, (0, 1) if dim is None else dim, keepdim)
    if isinstance(ord, str):
        raise refused(f"the norm {ord!r} takes two axes")
    return vector_norm(x, ord, dim, keepdim)


@row("linalg.matrix_norm")
def matrix_norm(A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The norm of matrices."""
    x = A if dtype is None else converted(A, name_of(dtype))
    if kind(x) not in ("float", "complex"):
        raise refused(f"a norm takes floats or complex numbers, not {x.type.dtype}")
    if ord == "fro":
        return vector_norm(x, 2, dim, keepdim)
    rows, columns = axes_of(dim, rank_of(x))
    if ord == "nuc" or abs(ord) == 2:
        sizes = api.linalg.svdvals(api.moveaxis(x, [rows, columns], [-2, -1]))
        found = api.sum(sizes, axis=-1, keepdim=True) if ord == "nuc" else _outermost(sizes, -1, ord)
        found = api.squeeze(found, -1)
        return api.unsqueeze(found, sorted([rows, columns])) if keepdim else found
    if abs(ord) not in (1, math.inf):
        raise refused(f"the norm {ord!r} of matrices isn't one of torch's")
    summed, left = (rows, columns) if abs(ord) == 1 else (columns, rows)
    found = _outermost(api.sum(api.abs(x), axis=summed, keepdim=True), left, ord)
    return found if keepdim else api.squeeze(found, [rows, columns])


def _outermost(sizes: Any, axis: int, sign: Any) -> Any:
    """The greatest size along an axis, which stays with length 1, and 0 of none; or the smallest, for a negative sign."""
    if sign < 0:
        return api.amin(sizes, axis=axis, keepdim=True)
    length = sizes.static_shape[axis]
    if length == 0 or not is_known([length]):
        sizes = api.concat([sizes, api.zeros_like(api.sum(sizes, axis=axis, keepdim=True))], axis=axis)
    return api.amax(sizes, axis=axis, keepdim=True)


@row("norm_except_dim")
def norm_except_dim(v: Any, pow: Any = 2, dim: int = 0) -> Any:
    """The norms of the slices along an axis; -1: of the whole."""
    others = [k for k in range(len(v.static_shape)) if k != dim]
    return vector_norm(v, pow, None if dim == -1 else others, keepdim=dim != -1)


@row("frobenius_norm")
def frobenius_norm(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """The root of the sum of squares along some axes."""
    return vector_norm(input, 2, dim, keepdim)


@row("nuclear_norm")
def nuclear_norm(input: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """The sum of the singular values of matrices."""
    x = input if dtype is None else converted(input, name_of(dtype))
    return api.linalg.norm(x, "nuc", [0, 1] if dim is None else list(dim), keepdim)


@row("dist", "Tensor.dist")
def dist(input: Any, other: Any, p: Any = 2) -> Any:
    """The norm of the difference."""
    a, b = met(input, other)
    return vector_norm(a - b, p)

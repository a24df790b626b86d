"""Lengths of vectors and sizes of matrices, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..errors import ShapeError
from ..ops import compare, elementwise, reduce, spectra, unary
from ..ops.cast import cast
from ..ops.half import in_float32
from ..ops.registry import OpDef
from ..ops.select import where
from ..runtime.tensors.tensor import Tensor
from .checks import axes_of, describe, floating, known_rank, scalar_kind
from .linalg import _tensors
from .manipulation import moveaxis, unsqueeze
from .shape_args import axis_list
from .solving import inv
from .tensor_methods import tensor_method

__all__ = ("cond", "dist", "matrix_norm", "norm", "vector_norm")

INFINITY = float("inf")


@in_float32
def vector_norm(
    x: Tensor, p: float = 2.0, axis: Any = None, keepdim: bool = False, name: str | None = None, *, dtype: Any = None
) -> Tensor:
    """The p-norm over `axis` (None: of all elements): the sum of |x| ** p to the power 1 / p; for inf the largest |x|.

    x: a tensor of any shape; integers are cast to the default dtype, and all to `dtype` where given. p: a number, inf, -inf, or
    0, which counts what isn't 0; ValueError for others. axis: an int or a list; the result lacks these axes; with `keepdim` they
    have length 1.

    >>> dy2st.linalg.vector_norm(dy2st.to_tensor([3.0, 4.0])).item()
    5.0
    """
    x = floating("vector_norm", x if dtype is None else x.astype(dtype))
    axes, keep = axes_of("vector_norm", x, axis), bool(keepdim)
    if scalar_kind(p) is None:
        raise ValueError(f"vector_norm: p must be a number, inf or -inf, not {describe(p)}")
    if p == 2:
        return reduce.l2_norm(x, axis=axes, keepdim=keep)
    if p == 1:
        return reduce.l1_norm(x, axis=axes, keepdim=keep)
    size = unary.absolute(x)
    if p in (INFINITY, -INFINITY):
        return _extreme(p > 0, axes)(size, axis=axes, keepdim=keep)
    if p == 0:
        return reduce.reduce_sum(cast(compare.not_equal(x, 0), dtype=size.dtype.name), axis=axes, keepdim=keep)
    total = reduce.reduce_sum(elementwise.power(size, p), axis=axes, keepdim=keep)
    return elementwise.power(total, 1.0 / p) if p < 1 else _root(total, p)


def _extreme(is_largest: bool, axes: Any) -> OpDef:
    """The largest or smallest size. Equal ones share the gradient over several axes that are named, as in Paddle; else not."""
    if isinstance(axes, tuple) and len(axes) > 1:
        return reduce.reduce_max if is_largest else reduce.reduce_min
    return reduce.max_unshared if is_largest else reduce.min_unshared


def _root(total: Tensor, p: float) -> Tensor:
    """total ** (1 / p), whose gradient at 0 is 0."""
    none = compare.equal(total, 0.0)
    return where(none, 0.0, elementwise.power(where(none, 1.0, total), 1.0 / p))


@in_float32
def matrix_norm(
    x: Tensor, p: float | str = "fro", axis: Any = (-2, -1), keepdim: bool = False, name: str | None = None
) -> Tensor:
    """The norm of the matrices of x on the two axes `axis`, which the result lacks; with `keepdim` they have length 1.

    x: a tensor of floats. p: "fro", "nuc" (the sum of the singular values), 2 (the largest of them), -2, 1 (the largest sum of a
    column), -1, inf (of a row), -inf; ValueError for another, or where axis isn't two axes. The result has the dtype of x.

    >>> dy2st.linalg.matrix_norm(dy2st.to_tensor([[1.0, -2.0], [3.0, 4.0]]), p=1).item()
    6.0
    """
    x = floating("matrix_norm", x)
    rank = known_rank("matrix_norm", x)
    places = axis_list("matrix_norm", axis, rank)
    if len(places) != 2 or places[0] == places[1]:
        raise ValueError(f"matrix_norm: axis must be two axes, not {axis}")
    if p == "fro":
        return reduce.l2_norm(x, axis=tuple(places), keepdim=bool(keepdim))
    found = _matrix_norm(moveaxis(x, places, [-2, -1]), p)
    return unsqueeze(found, sorted(places)) if keepdim else found


def _matrix_norm(x: Tensor, p: Any) -> Tensor:
    if p in ("nuc", 2, -2):
        sizes = spectra.svdvals(x)
        choose = {"nuc": reduce.reduce_sum, 2: reduce.reduce_amax, -2: reduce.reduce_amin}[p]
        return choose(sizes, axis=-1, keepdim=False)
    if p not in (1, -1, INFINITY, -INFINITY):
        raise ValueError(f'matrix_norm: p must be "fro", "nuc", 1, -1, 2, -2, inf or -inf, not {p!r}')
    sums = reduce.l1_norm(x, axis=-2 if p in (1, -1) else -1, keepdim=False)
    choose = reduce.reduce_amax if p > 0 else reduce.reduce_amin
    return choose(sums, axis=-1, keepdim=False)


@tensor_method()
def norm(x: Tensor, p: Any = None, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The p-norm over `axis`, or over all elements: the Euclidean one for None and "fro". Over two axes, that of matrices.

    x: a tensor of any shape; integers are cast to the default dtype. p: as in `vector_norm`, over two axes as in `matrix_norm`,
    ValueError for others. The result lacks the axes; with `keepdim` they have length 1. ShapeError: "nuc" of what is no matrix.

    >>> dy2st.linalg.norm(dy2st.to_tensor([3.0, 4.0])).item()
    5.0
    """
    x = floating("norm", x)
    two = isinstance(axis, (list, tuple)) and len(axis) == 2
    if p is None or p == "fro":
        return reduce.l2_norm(x, axis=axes_of("norm", x, axis), keepdim=bool(keepdim))
    if two or p == "nuc":
        if axis is None and known_rank("norm", x) != 2:
            raise ShapeError('norm: give the two axes of the matrices whose norm "nuc" is asked for')
        return matrix_norm(x, p, [0, 1] if axis is None else axis, keepdim)
    if scalar_kind(p) is None:
        raise ValueError(f'norm: p must be a number, inf, -inf, "fro" or "nuc", not {p!r}')
    return vector_norm(x, p, axis, keepdim)


@tensor_method()
@in_float32
def dist(x: Tensor, y: Tensor, p: Any = 2, name: str | None = None) -> Tensor:
    """The p-norm of x - y, a 0-d tensor.

    x, y: tensors whose shapes broadcast and whose dtypes are promoted; p: a number, inf included.
    """
    return vector_norm(elementwise.subtract(*_tensors("dist", x, y)), p)


@tensor_method()
def cond(x: Tensor, p: Any = None, name: str | None = None) -> Tensor:
    """How much a matrix x [..., n, n] magnifies errors: its norm times that of its inverse, a tensor [...] in its dtype.

    p: as in `matrix_norm`; None is the norm 2, for which x may be [..., n, m]. ValueError: an x without inverse, for other norms.
    """
    x = floating("cond", x)
    if p in (None, 2, -2):
        sizes = spectra.svdvals(x)
        largest, smallest = sizes[..., 0], sizes[..., -1]
        return elementwise.divide(smallest, largest) if p == -2 else elementwise.divide(largest, smallest)
    return elementwise.multiply(matrix_norm(x, p), matrix_norm(inv(x), p))

"""Diagonals and triangles of matrices, under Paddle's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import dtype_name
from ..errors import ShapeError
from ..ops import reduce, strided
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank, need_tensor, plain_scalar, to_dtype
from .creation import full, to_tensor, zeros
from .known import known_length, need_known, of_shape
from .manipulation import flatten, moveaxis
from .memory import diagonal
from .shape_args import axis_leaf
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "diag",
    "diag_embed",
    "diagflat",
    "diagonal_scatter",
    "trace",
    "tril_indices",
    "triu_indices",
)


@tensor_method()
def diag(x: Tensor, offset: int = 0, padding_value: Any = 0, name: str | None = None) -> Tensor:
    """Of a vector x [n], the matrix with it as diagonal number `offset`; of a matrix, that diagonal as a vector.

    The result is a new tensor in the dtype of x; a matrix is [n + |offset|, n + |offset|], with the number `padding_value`
    elsewhere. ShapeError: other numbers of axes.

    >>> dy2st.diag(dy2st.to_tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]
    """
    rank = known_rank("diag", x)
    if rank == 2:
        return diagonal(x, offset).clone()
    if rank != 1:
        raise ShapeError(f"diag takes a vector or a matrix, not {x.type}; use diag_embed")
    side = x.shape[0] + abs(offset)
    return strided.diagonal_scatter(full([side, side], padding_value, x.dtype), x, offset=offset, axis1=0, axis2=1)


@tensor_method()
def diagflat(x: Tensor, offset: int = 0, name: str | None = None) -> Tensor:
    """The matrix with the elements of x, of any shape, as diagonal number `offset`, in the dtype of x; zeros elsewhere."""
    return diag(flatten(need_tensor("diagflat", x)), offset)


@tensor_method()
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices, on the axes `dim1` and `dim2` of the result, whose diagonals number `offset` lie along the last axis of `input`.

    [..., n] gives [..., n + |offset|, n + |offset|], zeros elsewhere, in the dtype of input. ValueError: dim1 and dim2 are one.
    ShapeError: an axis out of range.

    >>> dy2st.diag_embed(dy2st.ones([2, 3])).shape
    [2, 3, 3]
    """
    rank = known_rank("diag_embed", input)
    side = input.shape[-1] + abs(offset)
    base = zeros([*input.shape[:-1], side, side], input.dtype)
    made = strided.diagonal_scatter(base, input, offset=offset, axis1=-2, axis2=-1)
    places = [axis_leaf("diag_embed", d, rank + 1) for d in (dim1, dim2)]
    if places[0] == places[1]:
        raise ValueError(f"diag_embed: dim1 and dim2 are both {dim1}")
    return made if places == [rank - 1, rank] else moveaxis(made, [-2, -1], places)


@tensor_method()
def trace(x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Tensor:
    """The sum of the diagonal number `offset` of the axes `axis1` and `axis2` of x.

    The result has the dtype of x, and its shape without both axes.

    >>> dy2st.trace(dy2st.to_tensor([[1, 2], [3, 4]])).item()
    5
    """
    found = diagonal(need_tensor("trace", x), offset, axis1, axis2)
    return to_dtype(reduce.reduce_sum(found, axis=-1, keepdim=False), x.dtype.name)


@tensor_method()
def diagonal_scatter(x: Tensor, y: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Tensor:
    """x with the tensor y in place of the diagonal number `offset` of its axes `axis1` and `axis2`; in the shape and dtype of x.

    y: of the shape that `diagonal` gives. ShapeError: another one.
    """
    y = to_dtype(need_tensor("diagonal_scatter", y, "y"), need_tensor("diagonal_scatter", x).dtype.name)
    y = of_shape("diagonal_scatter", y, diagonal(x, offset, axis1, axis2), "y doesn't have the shape of the diagonal")
    return strided.diagonal_scatter(x, y, offset=offset, axis1=axis1, axis2=axis2)


@tensor_method()
def fill_diagonal_tensor(x: Tensor, y: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None) -> Tensor:
    """As `diagonal_scatter`: x with y in place of the diagonal number `offset` of its axes `dim1` and `dim2`."""
    return diagonal_scatter(x, y, offset, dim1, dim2)


@tensor_method()
def fill_diagonal_(x: Tensor, value: Any, offset: int = 0, wrap: bool = False, name: str | None = None) -> Tensor:
    """Write the number `value` along the main diagonal of all axes of x, which keeps its shape and dtype and is returned.

    offset, of a matrix: which diagonal instead. wrap: go on below a tall matrix. ShapeError: fewer than 2 axes.
    ConversionError: lengths that are unknown while staging.
    """
    rank = known_rank("fill_diagonal_", x)
    if rank < 2:
        raise ShapeError(f"fill_diagonal_ takes a tensor of at least 2 axes, not {x.type}")
    x[_diagonal_mask(x, rank, offset, wrap)] = plain_scalar(value)
    return x


def _diagonal_mask(x: Tensor, rank: int, offset: int, wrap: bool) -> Tensor:
    """In the shape of x, True on the diagonal."""
    need_known("fill_diagonal_", offset=offset, wrap=wrap)
    shape = [known_length("fill_diagonal_", x, axis) for axis in range(rank)]
    mask = np.zeros(shape, bool)
    if rank == 2:
        rows = np.arange(mask.shape[0])
        columns = rows % (mask.shape[1] + 1) + offset if wrap else rows + offset
        inside = (columns >= 0) & (columns < mask.shape[1])
        mask[rows[inside], columns[inside]] = True
    else:
        mask[(np.arange(mask.shape[0]),) * rank] = True
    return Tensor(mask)


def _triangle(indices: Any, row: int, col: int, offset: int, dtype: Any) -> Tensor:
    return to_tensor(np.stack(indices(row, offset, col)), dtype_name(dtype))


def tril_indices(row: int, col: int, offset: int = 0, dtype: Any = "int64") -> Tensor:
    """The places in the lower triangle of a matrix [row, col], up to diagonal `offset`.

    The result is a tensor [2, n] of their rows and columns, in `dtype`.

    >>> dy2st.tril_indices(2, 2).tolist()
    [[0, 1, 1], [0, 0, 1]]
    """
    return _triangle(np.tril_indices, row, col, offset, dtype)


def triu_indices(row: int, col: int | None = None, offset: int = 0, dtype: Any = "int64") -> Tensor:
    """The places in the upper triangle of a matrix [row, col] (square where `col` is None), from diagonal `offset` on.

    The result is a tensor [2, n] of their rows and columns, in `dtype`.
    """
    return _triangle(np.triu_indices, row, row if col is None else col, offset, dtype)

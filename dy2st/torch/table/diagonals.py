"""Diagonals and triangles of matrices."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ..dtypes import kind_of
from .axes import axis_of, known, rank_of
from .rows import both, in_place, row
from .views import reshaped


def _axes(rank: int, dim1: int, dim2: int) -> tuple[int, int]:
    a, b = axis_of(dim1, rank), axis_of(dim2, rank)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return a, b


@row("diagonal", "Tensor.diagonal")
def diagonal(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Diagonals of the matrices on two axes, along the last axis: a view."""
    return api.diagonal(input, known(offset, "offset"), *_axes(rank_of(input), dim1, dim2))


row("linalg.diagonal")(lambda A, *, offset=0, dim1=-2, dim2=-1: diagonal(A, offset, dim1, dim2))
row("diagonal_copy")(lambda input, offset=0, dim1=0, dim2=1: diagonal(input, offset, dim1, dim2).clone())


@row("diag", "Tensor.diag")
def diag(input: Any, diagonal: int = 0) -> Any:
    """The diagonal of a matrix; a matrix of one."""
    return api.diag(input, known(diagonal, "diagonal"))


@row("diagflat", "Tensor.diagflat")
def diagflat(input: Any, offset: int = 0) -> Any:
    """A matrix with all elements on a diagonal."""
    return api.diag(reshaped(input, [-1]), known(offset, "offset"))


@row("diag_embed", "Tensor.diag_embed")
def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Matrices with the last axis on their diagonals."""
    a, b = _axes(rank_of(input) + 1, dim1, dim2)
    if a > b:  # the diagonal is counted along the axes as they are named
        a, b, offset = b, a, -offset
    return api.diag_embed(input, known(offset, "offset"), a, b)


@row("trace", "Tensor.trace")
def trace(input: Any) -> Any:
    """The sum of the diagonal of a matrix."""
    if rank_of(input) != 2:
        raise RuntimeError("trace: expected a matrix")
    found = api.diagonal(input)
    return api.sum(found.astype("int64") if kind_of(found.type.dtype) in ("bool", "int") else found)


def _triangle(name: str, function: Any) -> None:
    def compute(input: Any, diagonal: Any = 0) -> Any:
        return function(input, diagonal)

    compute.__name__ = name
    both(name, compute)
    in_place(name, compute)


_triangle("tril", api.tril)
_triangle("triu", api.triu)


@row("Tensor.fill_diagonal_")
def fill_diagonal_(self: Any, fill_value: Any, wrap: bool = False) -> Any:
    """One number along the diagonal of all axes."""
    return self.fill_diagonal_(fill_value, wrap=wrap)

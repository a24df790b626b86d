"""Tensors put side by side, and brought to one shape; under Paddle's names."""

from __future__ import annotations

from itertools import combinations as index_combinations
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ops import views
from ..ops.index import gather
from ..runtime.library.turns import total
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank, listed_or_each, need_tensor
from .converted import converted
from .creation import zeros
from .joining import concat, meshgrid, stack
from .known import known_length, need_known
from .manipulation import flatten, reshape, unsqueeze
from .shape_args import is_staged_list, listed, same_dtype
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "add_n",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block_diag",
    "broadcast_shape",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "column_stack",
    "combinations",
    "dstack",
    "hstack",
    "row_stack",
    "vstack",
)


def _each(function: Any, inputs: tuple) -> Any:
    """The function's result for one tensor; the list of results for several, or for a list of them."""
    found = [function(x) for x in listed_or_each(inputs)]
    return found[0] if len(found) == 1 else found


@tensor_method()
def atleast_1d(*inputs: Any, name: str | None = None) -> Any:
    """Each tensor of `inputs` with at least 1 axis, in its dtype: one tensor for one, a list for several, or for a list of them.

    The results are views. ShapeError: the number of axes is unknown.
    """
    return _each(lambda x: reshape(x, [1]) if known_rank("atleast_1d", x) == 0 else x, inputs)


@tensor_method()
def atleast_2d(*inputs: Any, name: str | None = None) -> Any:
    """Each tensor of `inputs` with at least 2 axes: a vector becomes one row. Result, dtype and ShapeError as in `atleast_1d`."""
    return _each(lambda x: unsqueeze(atleast_1d(x), 0) if known_rank("atleast_2d", x) < 2 else x, inputs)


@tensor_method()
def atleast_3d(*inputs: Any, name: str | None = None) -> Any:
    """Each tensor of `inputs` with at least 3 axes: a vector [n] becomes [1, n, 1], a matrix [n, m] becomes [n, m, 1].

    Result, dtype and ShapeError as in `atleast_1d`.
    """
    return _each(lambda x: unsqueeze(atleast_2d(x), -1) if known_rank("atleast_3d", x) < 3 else x, inputs)


def _several(found: Any) -> list:
    return found if isinstance(found, list) else [found]


def hstack(x: Any, name: str | None = None) -> Tensor:
    """The tensors of the list `x` side by side: along the second axis, vectors along their only one; dtypes are promoted.

    The result is a new tensor. ShapeError: other lengths that differ.

    >>> dy2st.hstack([dy2st.ones([2, 1]), dy2st.zeros([2, 3])]).shape
    [2, 4]
    """
    parts = _several(atleast_1d(*listed(x)))
    return concat(parts, 0 if parts[0].type.rank == 1 else 1)


def vstack(x: Any, name: str | None = None) -> Tensor:
    """The tensors of the list `x` below each other: along the first axis, vectors [n] as rows [1, n]; dtypes are promoted.

    The result is a new tensor. ShapeError: other lengths that differ.

    >>> dy2st.vstack([dy2st.ones([3]), dy2st.zeros([2, 3])]).shape
    [3, 3]
    """
    return concat(_several(atleast_2d(*listed(x))), 0)


row_stack = vstack


def dstack(x: Any, name: str | None = None) -> Tensor:
    """The tensors of the list `x` behind each other: along the third axis, of shapes as `atleast_3d` gives them.

    The result is a new tensor; dtypes are promoted. ShapeError: other lengths that differ.
    """
    return concat(_several(atleast_3d(*listed(x))), 2)


def column_stack(x: Any, name: str | None = None) -> Tensor:
    """The tensors of the list `x` side by side, along the second axis, vectors [n] as columns [n, 1]; dtypes are promoted.

    The result is a new tensor. ShapeError: other lengths that differ, or the number of axes is unknown.
    """
    return concat([reshape(part, [-1, 1]) if known_rank("column_stack", part) < 2 else part for part in listed(x)], 1)


def broadcast_shape(x_shape: Any, y_shape: Any) -> list[int]:
    """The shape, a list of ints, in which two shapes, lists of ints, meet by broadcasting. ValueError: they don't go together.

    x_shape, y_shape: the two.

    >>> dy2st.broadcast_shape([2, 1], [3])
    [2, 3]
    """
    return broadcast_shapes(x_shape, y_shape)


def broadcast_shapes(*shapes: Any) -> list[int]:
    """The shape, a list of ints, in which `shapes`, lists of ints, meet by broadcasting. ValueError: they don't go together."""
    try:
        return list(np.broadcast_shapes(*map(tuple, shapes)))
    except ValueError:
        raise ValueError(f"broadcast_shapes: {', '.join(str(list(s)) for s in shapes)} don't go together") from None


def broadcast_tensors(input: Any, name: str | None = None) -> list[Tensor]:
    """The tensors of the list `input` expanded to the shape in which they meet: a list of views, each in its dtype.

    ShapeError, or ValueError: their shapes don't go together.
    """
    tensors = [need_tensor("broadcast_tensors", x, "each of input") for x in listed(input)]
    if all(isinstance(d, int) for x in tensors for d in x.shape):
        shape: Any = broadcast_shapes(*(x.shape for x in tensors))
    else:
        shape = _meeting(tensors).shape
    return [views.broadcast_to(x, shape=shape) for x in tensors]


def _meeting(tensors: list[Tensor]) -> Tensor:
    """A tensor of the shape in which tensors of unknown lengths meet."""
    found = tensors[0].zeros_like(dtype="bool")
    for x in tensors[1:]:
        found = found.logical_or(x.zeros_like(dtype="bool"))
    return found


@tensor_method()
def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of the tensors of the list `inputs`, whose shapes broadcast and whose dtypes are promoted; of one tensor, a copy.

    >>> dy2st.add_n([dy2st.ones([2]), dy2st.ones([2])]).tolist()
    [2.0, 2.0]
    """
    if isinstance(inputs, Tensor):
        return inputs.clone()
    inputs = listed(inputs)
    if is_staged_list(inputs):
        return converted(total)(inputs)
    return total(same_dtype("add_n", inputs, "inputs"))


def block_diag(inputs: Any, name: str | None = None) -> Tensor:
    """A matrix with the matrices of the list `inputs` along its diagonal, zeros elsewhere; a vector is a row.

    Dtypes are promoted. ShapeError: a tensor of more than 2 axes.

    >>> dy2st.block_diag([dy2st.ones([1, 2]), dy2st.ones([2, 1])]).shape
    [3, 3]
    """
    blocks = same_dtype("block_diag", [atleast_2d(x) for x in listed(inputs)], "inputs")
    widths = [b.shape[1] for b in blocks]
    rows = []
    for at, block in enumerate(blocks):
        height, before, behind = block.shape[0], sum(widths[:at]), sum(widths[at + 1 :])
        rows.append(concat([zeros([height, before], block.dtype), block, zeros([height, behind], block.dtype)], 1))
    return concat(rows, 0)


def cartesian_prod(x: Any, name: str | None = None) -> Tensor:
    """Every choice of one element from each vector of the list `x`, as rows of a matrix; of one vector, that vector.

    Vectors [n], [m], ... give [n * m * ..., number of vectors]; dtypes are promoted.
    """
    vectors = same_dtype("cartesian_prod", listed(x))
    if len(vectors) == 1:
        return vectors[0]
    return stack([flatten(grid) for grid in meshgrid(*vectors)], 1)


@tensor_method()
def combinations(x: Tensor, r: int = 2, with_replacement: bool = False, name: str | None = None) -> Tensor:
    """Every choice of `r` elements of the vector x, in the order of their places, as rows of a matrix [choices, r] in its dtype.

    with_replacement: whether an element may be chosen again. ShapeError: x is no vector. ConversionError: its
    length is unknown while staging.

    >>> dy2st.combinations(dy2st.to_tensor([1, 2, 3])).tolist()
    [[1, 2], [1, 3], [2, 3]]
    """
    need_known("combinations", r=r)
    if known_rank("combinations", x) != 1:
        raise ShapeError(f"combinations takes a vector, not {x.type}")
    length = known_length("combinations", x, 0)
    choose = combinations_with_replacement if with_replacement else index_combinations
    places = np.array(list(choose(range(length), r)), np.int64).reshape(-1, r)
    return gather(x, Tensor(places), axis=0)

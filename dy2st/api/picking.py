"""More ways to pick elements by their places, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..errors import ShapeError
from ..ops import elementwise, select
from ..ops import index as reading
from ..ops.like import sum_like
from ..runtime.tensors.tensor import Tensor
from .checks import need_tensor, to_dtype
from .gathering import _indices, nonzero, take_along_axis
from .joining import stack
from .manipulation import flatten, reshape
from .shape_args import listed
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "argwhere",
    "index_sample",
    "multiplex",
    "reduce_as",
    "shard_index",
    "take",
    "take_along_dim",
)


@tensor_method()
def argwhere(input: Tensor) -> Tensor:
    """int64 [n, rank]: where the n nonzero elements of `input`, of any dtype, are, a row for each: the result of `nonzero`."""
    return nonzero(input)


@tensor_method()
def index_sample(x: Tensor, index: Tensor) -> Tensor:
    """For each row of a matrix x [n, m] the elements at the places that the same row of the integer matrix `index` [n, k] names.

    The result is [n, k], in the dtype of x. ShapeError: x is no matrix. DTypeError: an index that isn't integer.
    """
    if need_tensor("index_sample", x).type.rank not in (2, None):
        raise ShapeError(f"index_sample takes matrices, not {x.type}")
    return reading.take_along_axis(x, _indices("index_sample", index), axis=1)


@tensor_method()
def take_along_dim(arr: Tensor, indices: Tensor, axis: int, broadcast: bool = True) -> Tensor:
    """As `take_along_axis`: arr, indices, axis and `broadcast`."""
    return take_along_axis(arr, indices, axis, broadcast)


@tensor_method()
def take(x: Tensor, index: Tensor, mode: str = "raise", name: str | None = None) -> Tensor:
    """The elements of x, flattened, at the integer places `index`: a tensor of the shape of index, in the dtype of x.

    mode: for places out of range "raise" (IndexError), "wrap" or "clip"; ValueError for another. DTypeError: an index that isn't
    integer.

    >>> dy2st.take(dy2st.to_tensor([[1, 2], [3, 4]]), dy2st.to_tensor([0, 3])).tolist()
    [1, 4]
    """
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f'take: mode is "raise", "wrap" or "clip", not {mode!r}')
    flat, places = flatten(need_tensor("take", x)), _indices("take", index)
    if mode == "wrap":
        places = elementwise.remainder(places, flat.shape[0])
    elif mode == "clip":
        places = select.clip(places, min=0, max=flat.shape[0] - 1)
    return reading.gather(flat, places, axis=0)


@tensor_method()
def multiplex(inputs: Any, index: Tensor, name: str | None = None) -> Tensor:
    """Row i of the result is row i of the tensor number index[i] of the list `inputs`, tensors of one shape; dtypes are promoted.

    index: integers [n] or [n, 1]. The result has n rows. DTypeError: an index that isn't integer.
    """
    tensors = stack(listed(inputs), 0)
    picks = reshape(_indices("multiplex", index), [-1])
    rows = picks.ones_like().cumsum(0) - 1
    return reading.getitem_advanced(tensors, picks, rows, index=[{"tensor": 0}, {"tensor": 1}])


def shard_index(input: Tensor, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Tensor:
    """The place in its shard of each index that lies in shard number `shard_id` of `nshards`; `ignore_value` for the others.

    input: integers of any shape, which the result has, too; index_num: how many indices there are. ValueError: a `shard_id`
    outside [0, nshards). DTypeError: input that isn't integer.
    """
    if not 0 <= shard_id < nshards:
        raise ValueError(f"shard_index: shard_id must lie in [0, {nshards}), not {shard_id}")
    size = (index_num + nshards - 1) // nshards
    places = _indices("shard_index", input, "input")
    mine = elementwise.floor_divide(places, size) == shard_id
    return select.where(mine, elementwise.remainder(places, size), ignore_value)


@tensor_method()
def reduce_as(x: Tensor, target: Tensor, name: str | None = None) -> Tensor:
    """x summed to the shape of the tensor `target`, which would broadcast to that of x.

    The result has the dtype of x; bools are counted and int32 is summed in int64.
    """
    counted = to_dtype(x, "int64") if need_tensor("reduce_as", x).dtype.name in ("bool", "int32") else x
    return sum_like(counted, need_tensor("reduce_as", target, "target"))

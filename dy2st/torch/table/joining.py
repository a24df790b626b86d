"""Tensors put together, repeated and moved about: the results are copies."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...runtime.proxies import StagedList, StagedTuple
from ...runtime.tensors.tensor import Tensor
from .axes import axes_of, axis_of, known, lined, listed, rank_of
from .padding import constant_pad_nd
from .pointwise import met
from .rows import all_demanded, both, demanded, refused, row
from .views import at_least_1d, at_least_2d, at_least_3d, reshaped


@row("cat", "concat", "concatenate")
def cat(tensors: Any, dim: Any = 0, *, axis: Any = None) -> Any:
    """Tensors one after the other; empty vectors beside others are left out."""
    if isinstance(tensors, StagedList | StagedTuple):
        return api.concat(tensors, axis=dim if axis is None else axis)
    given = met(*tensors)
    rank = max((rank_of(x) for x in given), default=0)
    if any(rank_of(x) == 0 for x in given):
        raise RuntimeError("zero-dimensional tensor cannot be concatenated")
    is_empty = [rank > 1 and x.static_shape in ((0,), (None,)) for x in given]
    joined = [x for x, leaves_out in zip(given, is_empty) if not leaves_out]
    found = api.concat(joined, axis=axis_of(dim if axis is None else axis, rank))
    others = [x.shape[0] == 0 for x, leaves_out in zip(given, is_empty) if leaves_out]
    return all_demanded(found, others, f"Tensors must have same number of dimensions: got {rank} and 1")


@row("_chunk_cat")
def chunk_cat(tensors: Any, dim: int, num_chunks: int) -> Any:
    """Each tensor cut into as many parts along an axis, zeros behind the last; the parts of one number in a row."""
    axis = axis_of(dim, rank_of(tensors[0]))
    parts = []
    for x in tensors:
        missing = -x.shape[axis] % num_chunks
        padded = constant_pad_nd(x, [0, 0] * (rank_of(x) - 1 - axis) + [0, missing])
        parts.append(reshaped(padded, [*x.shape[:axis], num_chunks, -1]))
    return cat(parts, axis + 1)


@row("stack")
def stack(tensors: Any, dim: Any = 0) -> Any:
    """Tensors side by side along a new axis."""
    if isinstance(tensors, StagedList | StagedTuple):
        return api.stack(tensors, axis=dim)
    given = met(*tensors)
    return api.stack(given, axis=axis_of(dim, rank_of(given[0]) + 1))


@row("hstack")
def hstack(tensors: Any) -> Any:
    """Side by side along the second axis; vectors along their only one."""
    given = [at_least_1d(x) for x in tensors]
    return cat(given, 0 if rank_of(given[0]) == 1 else 1)


row("vstack", "row_stack")(lambda tensors: cat([at_least_2d(x) for x in tensors], 0))
row("dstack")(lambda tensors: cat([at_least_3d(x) for x in tensors], 2))
row("column_stack")(lambda tensors: cat([reshaped(x, [-1, 1]) if rank_of(x) < 2 else x for x in tensors], 1))


@row("block_diag")
def block_diag(*tensors: Any) -> Any:
    """Matrices along the diagonal of a larger one."""
    if not tensors:
        raise refused("block_diag of nothing")
    return api.block_diag([at_least_2d(x) for x in met(*listed(tensors))])


@row("broadcast_tensors")
def broadcast_tensors(*tensors: Any) -> Any:
    """Tensors expanded to the shape in which they meet."""
    return tuple(api.broadcast_tensors(listed(tensors)))


@row("meshgrid")
def meshgrid(*tensors: Any, indexing: str = "ij") -> Any:
    """Each vector repeated along the axes of the others."""
    given = [at_least_1d(x) for x in listed(tensors)]
    if indexing not in ("ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    is_swapped = indexing == "xy" and len(given) > 1
    if is_swapped:
        given[0], given[1] = given[1], given[0]
    found = api.meshgrid(*given)
    if is_swapped:
        found[0], found[1] = found[1], found[0]
    return tuple(found)


@row("cartesian_prod")
def cartesian_prod(*tensors: Any) -> Any:
    """All combinations of one element of each vector."""
    given = met(*listed(tensors))
    return given[0] if len(given) == 1 else api.cartesian_prod(given)


@row("combinations")
def combinations(input: Any, r: int = 2, with_replacement: bool = False) -> Any:
    """The choices of r elements of a vector, in order."""
    if known(r, "r") == 0:
        return api.zeros([0], dtype=input.type.dtype)
    return api.combinations(input, r, with_replacement)


@row("tile", "Tensor.tile")
def tile(input: Any, *dims: Any, **named: Any) -> Any:
    """The whole tensor several times along each axis; missing numbers are ones in front."""
    return api.tile(input, listed(dims or tuple(named.values())))


@row("Tensor.repeat")
def repeat(self: Any, *repeats: Any, **named: Any) -> Any:
    """The whole tensor several times along each axis, all of which are named."""
    times = listed(repeats or tuple(named.values()))
    if len(times) < rank_of(self):
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    return api.tile(self, times)


@row("repeat_interleave", "Tensor.repeat_interleave")
def repeat_interleave(input: Any, repeats: Any = None, dim: Any = None, *, output_size: Any = None) -> Any:
    """Each slice several times in a row: as often for all, or as a tensor says."""
    if repeats is None:
        input, repeats = api.arange(0, input.shape[0], dtype=input.type.dtype), input
    if dim is None:
        input, dim = reshaped(input, [-1]), 0
    input, axis = lined(input), axis_of(dim, rank_of(input))
    if not isinstance(repeats, Tensor):
        return api.repeat_interleave(input, repeats, axis)
    return api.index_select(input, _repeated(input.shape[axis], api.expand(reshaped(repeats, [-1]), [input.shape[axis]])), axis)


def _repeated(length: Any, repeats: Any) -> Any:
    """0, 1, ... length - 1, each as often as `repeats` says: a place is that of as many ends as lie not behind it."""
    repeats = demanded(repeats.astype("int64"), repeats >= 0, "repeats can not be negative")
    ends = api.cumsum(repeats, 0)
    total = api.sum(repeats).item()
    return api.searchsorted(ends, api.arange(0, total, dtype="int64"), right=True)


@row("flip", "Tensor.flip")
def flip(input: Any, *dims: Any, **named: Any) -> Any:
    """In reverse order along some axes."""
    axes = axes_of(listed(dims or tuple(named.values())), rank_of(input))
    return api.flip(input, axes) if axes and rank_of(input) else input.clone()


both("flipud", lambda input: flip(input, 0))
both("fliplr", lambda input: flip(input, 1))


@row("rot90", "Tensor.rot90")
def rot90(input: Any, k: int = 1, dims: Any = (0, 1)) -> Any:
    """Turned by 90 degrees, k times."""
    return api.rot90(input, k, axes_of(dims, rank_of(input))).clone()


@row("roll", "Tensor.roll")
def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    """Moved along some axes, what leaves at the end coming back in front."""
    moved = list(shifts) if isinstance(shifts, tuple | list) else [shifts]
    if dims is None or dims == () or dims == []:
        if len(moved) != 1:
            raise RuntimeError("`dims` required for several shifts")
        return api.roll(input, moved[0])
    axes = [axis_of(d, rank_of(input)) for d in (dims if isinstance(dims, tuple | list) else [dims])]
    if len(axes) != len(moved):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(moved)}, dims: {len(axes)}")
    if rank_of(input) == 0:
        return input.clone()
    for shift, axis in zip(moved, axes):
        input = api.roll(input, shift, axis)
    return input

"""Tensors taken apart, into views."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from .axes import axis_of, known, lengths_of, rank_of
from .rows import both, demanded, refused, row
from .views import slice_


def _length(x: Tensor, axis: int, name: str, instead: str) -> int:
    """The length of an axis, which says how many parts there are."""
    if rank_of(x) == 0:
        raise RuntimeError(f"{name} expects at least a 1-dimensional tensor")
    length = lengths_of(x)[axis]
    if not isinstance(length, int):
        raise refused(f"{name} along an axis whose length only the Program knows: the number of parts isn't known; {instead}")
    return length


@row("split", "Tensor.split", "unsafe_split", "Tensor.unsafe_split")
def split(tensor: Any, split_size_or_sections: Any = None, dim: int = 0, *, split_size: Any = None) -> Any:
    """Parts of a length, or of several lengths."""
    size = split_size if split_size_or_sections is None else split_size_or_sections
    if isinstance(size, tuple | list):
        return split_with_sizes(tensor, size, dim)
    axis, size = axis_of(dim, rank_of(tensor)), known(size, "split_size")
    length = _length(tensor, axis, "split", "list the lengths of the parts")
    if size < 0 or (size == 0 and length):
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
    if length == 0:
        return (api.narrow(tensor, axis, 0, 0),)
    return tuple(api.narrow(tensor, axis, start, min(size, length - start)) for start in range(0, length, size))


@row("split_with_sizes", "Tensor.split_with_sizes", "unsafe_split_with_sizes", "Tensor.unsafe_split_with_sizes")
def split_with_sizes(input: Any, split_sizes: Any, dim: int = 0) -> Any:
    """Parts of these lengths."""
    sizes = list(split_sizes)
    if any(isinstance(n, int) and n < 0 for n in sizes):
        raise RuntimeError(f"split_with_sizes expects split_sizes have only non-negative entries, but got {sizes}")
    return tuple(api.split(input, sizes, axis_of(dim, rank_of(input))))


@row("split_with_sizes_copy")
def split_with_sizes_copy(input: Any, split_sizes: Any, dim: int = 0) -> Any:
    """Parts of these lengths, as copies."""
    return tuple(part.clone() for part in split_with_sizes(input, split_sizes, dim))



@row("chunk", "Tensor.chunk", "unsafe_chunk", "Tensor.unsafe_chunk")
def chunk(input: Any, chunks: int, dim: int = 0) -> Any:
    """As many parts, or fewer where they come out even before; the last one may be shorter."""
    axis, count = axis_of(dim, rank_of(input)), known(chunks, "chunks")
    if count < 1:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {count}")
    if rank_of(input) and not isinstance(lengths_of(input)[axis], int):
        return _chunks(input, count, axis)
    length = _length(input, axis, "chunk", "")
    return split(input, -(-length // count), axis) if length else tuple([api.narrow(input, axis, 0, 0)] * count)


def _chunks(x: Any, count: int, axis: int) -> tuple:
    """The same along an axis whose length only the Program knows, which refuses one of which there would be fewer parts."""
    length = api.to_tensor(x.shape[axis])
    longest = -(-length // count)
    is_right = (length == 0) | (length > (count - 1) * longest)
    says = f"chunk gives fewer parts than {count} of an axis of this length; give x.split the lengths of the parts"
    size = demanded(longest, is_right, says).item()
    return tuple(slice_(x, axis, k * size, (k + 1) * size if k < count - 1 else None) for k in range(count))


@row("tensor_split", "Tensor.tensor_split")
def tensor_split(input: Any, indices_or_sections: Any = None, dim: int = 0, *, sections: Any = None, indices: Any = None) -> Any:
    """As many parts, the first ones longer by 1; or the parts between places."""
    given = next(x for x in (indices_or_sections, sections, indices) if x is not None)
    axis = axis_of(dim, rank_of(input))
    if isinstance(given, Tensor):
        if rank_of(given) == 0:
            raise refused("tensor_split into as many parts as a tensor says: the Program has to know; pass in a Python int")
        cuts = [given[k].item() for k in range(_length(given, 0, "tensor_split", "pass the places in as Python ints"))]
        return tuple(slice_(input, axis, start, end) for start, end in zip([0, *cuts], [*cuts, None]))
    return tuple(api.tensor_split(input, list(given) if isinstance(given, tuple) else given, axis))


def _split(name: str, least: int, axis: Any) -> None:
    def compute(input: Any, *sections: Any, **named: Any) -> Any:
        rank = rank_of(input)
        if rank < least:
            raise RuntimeError(f"torch.{name} requires a tensor with at least {least} dimension, but got {rank} dimensions!")
        (given,) = sections or tuple(named.values())
        place = axis(rank)
        if isinstance(given, int):
            return tuple(api.split(input, given, place))  # into equal parts, or not at all
        return tensor_split(input, given, place)

    compute.__name__ = name
    both(name, compute)


_split("hsplit", 1, lambda rank: min(rank - 1, 1))
_split("vsplit", 2, lambda rank: 0)
_split("dsplit", 3, lambda rank: 2)


@row("unbind", "Tensor.unbind")
def unbind(input: Any, dim: int = 0) -> Any:
    """The slices, without the axis."""
    axis = axis_of(dim, rank_of(input))
    length = _length(input, axis, "unbind", "write a for loop over the tensor")
    return tuple(api.select(input, axis, place) for place in range(length))


row("unbind_copy")(lambda input, dim=0: tuple(x.clone() for x in unbind(input, dim)))

"""Shapes, views, indexing, and putting tensors together."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..face import Size
from ..packages import torch
from .creation import _sizes
from .rows import both, in_place, row, written


@row("reshape", "Tensor.reshape", "Tensor.view")
def reshape(input: Any, *shape: Any) -> Any:
    """Another shape of the same elements."""
    if len(shape) == 1 and isinstance(shape[0], torch().dtype):
        raise TypeError("x.view(dtype) isn't mapped; write x.to(dtype) if the numbers are to stay")
    return api.reshape(input, _sizes(shape))


row("Tensor.view_as", "Tensor.reshape_as")(lambda input, other: api.reshape(input, list(other.shape)))


@row("flatten", "Tensor.flatten")
def flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Some axes as one."""
    return api.reshape(input, [1]) if input.static_shape == () else api.flatten(input, start_dim, end_dim)


@row("transpose", "Tensor.transpose", "swapaxes", "Tensor.swapaxes")
def transpose(input: Any, dim0: int, dim1: int) -> Any:
    """Two axes, exchanged."""
    order = list(range(len(input.static_shape)))
    if order:
        order[dim0], order[dim1] = order[dim1], order[dim0]
    return api.transpose(input, order)


both("t", lambda input: input if len(input.static_shape) < 2 else transpose(input, 0, 1))
row("Tensor.T.__get__", "Tensor.mT.__get__")(lambda input: transpose(input, -2, -1))


@row("permute", "Tensor.permute")
def permute(input: Any, *dims: Any) -> Any:
    """The axes in another order."""
    return api.transpose(input, [d % len(input.static_shape) for d in _sizes(dims)])


both("unsqueeze", lambda input, dim: api.unsqueeze(input, dim))


@row("squeeze", "Tensor.squeeze")
def squeeze(input: Any, dim: Any = None) -> Any:
    """Without axes of length 1."""
    return api.squeeze(input, None if dim is None else dim)


@row("cat", "concat", "concatenate")
def cat(tensors: Any, dim: Any = 0, *, axis: Any = None) -> Any:
    """Tensors one after the other."""
    return api.concat(list(tensors), axis=dim if axis is None else axis)


@row("stack")
def stack(tensors: Any, dim: Any = 0) -> Any:
    """Tensors side by side along a new axis."""
    return api.stack(list(tensors), axis=dim)


@row("split", "Tensor.split")
def split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> Any:
    """Parts of a length, or of several lengths."""
    length = tensor.shape[dim]
    sizes = split_size_or_sections
    if isinstance(sizes, int):
        sizes = [sizes] * (length // sizes) + ([length % sizes] if length % sizes else [])
    return tuple(api.split(tensor, list(sizes), axis=dim))


@row("chunk", "Tensor.chunk")
def chunk(input: Any, chunks: int, dim: int = 0) -> Any:
    """About as many parts of one length."""
    return split(input, -(-input.shape[dim] // chunks), dim)


@row("Tensor.expand")
def expand(input: Any, *size: Any) -> Any:
    """Axes of length 1 repeated, without a copy."""
    return api.expand(input, _sizes(size))


row("Tensor.expand_as")(lambda input, other: api.expand(input, list(other.shape)))


@row("Tensor.repeat")
def repeat(input: Any, *repeats: Any) -> Any:
    """The whole tensor several times along each axis."""
    return api.tile(input, _sizes(repeats))


row("Tensor.contiguous", "Tensor.detach_")(lambda input, memory_format=None: input)
row("Tensor.clone", "clone")(lambda input, memory_format=None: input.clone())
row("Tensor.detach", "detach")(lambda input: input.detach())
row("Tensor.numel", "numel")(lambda input: api.reshape(input, [-1]).shape[0])
row("Tensor.dim", "Tensor.ndimension")(lambda input: len(input.static_shape))
row("Tensor.item")(lambda input: input.item())
row("Tensor.tolist")(lambda input: input.tolist())
row("Tensor.cpu")(lambda input: input)


@row("Tensor.size")
def size(input: Any, dim: Any = None) -> Any:
    """The lengths of the axes, or one of them."""
    lengths = Size(input.shape)
    return lengths if dim is None else lengths[dim]


@row("Tensor.__getitem__")
def getitem(input: Any, index: Any) -> Any:
    """Elements by ints, slices, masks and tensors."""
    return input[index]


@row("Tensor.__setitem__")
def setitem(input: Any, index: Any, value: Any) -> None:
    """Elements written in place."""
    input[index] = value.astype(input.type.dtype) if isinstance(value, Tensor) else value


row("Tensor.copy_")(lambda input, other, non_blocking=False: written(input, other))
row("Tensor.zero_")(lambda input: written(input, api.zeros_like(input)))
row("Tensor.fill_")(lambda input, value: written(input, api.full_like(input, value)))


@row("gather", "Tensor.gather")
def gather(input: Any, dim: int, index: Any, *, sparse_grad: bool = False) -> Any:
    """Elements by their places along one axis."""
    return api.take_along_axis(input, index, dim, broadcast=False)


@row("index_select", "Tensor.index_select")
def index_select(input: Any, dim: int, index: Any) -> Any:
    """Slices by their places."""
    return api.index_select(input, index, axis=dim)


both("roll", lambda input, shifts, dims=None: api.roll(input, shifts, axis=dims))
both("flip", lambda input, *dims: api.flip(input, _sizes(dims)))
row("Tensor.__len__")(lambda input: input.shape[0])
row("meshgrid")(lambda *tensors, indexing="ij": tuple(api.meshgrid(*tensors)))
both("unbind", lambda input, dim=0: tuple(api.unbind(input, axis=dim)))
row("Size")(lambda lengths=(): Size(lengths))

"""Other shapes of the same elements: what these functions give shares memory with what they are given, where torch says so."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...api.known import of_length
from ...api.shape_args import int_list
from ...ops import sliding, views
from ...ops.dispatch import recorder_of_mode
from ...ops.registry import lookup
from ...runtime.tensors.tensor import Tensor
from ..packages import torch
from ..shared_memory import Pair
from .axes import axes_of, axis_of, is_known, known, lengths_of, listed, rank_of
from .rows import both, demanded, refused, row

_CONJUGATE = "whose conjugate, x.conj() or x.mH, is a view of it in torch and a copy here; write x.conj().clone() for a copy"


def paired(made: Tensor, base: Tensor, says: str) -> None:
    """Note that two tensors share memory in torch and not here."""
    recorder_of_mode().facts.policy.pairs.append(Pair(made._data, base._data, says))


def reshaped(x: Tensor, lengths: Any) -> Tensor:
    """x with other lengths, one of which may be -1; a 0 is a length of 0."""
    return views.reshape(x, shape=int_list("reshape", list(lengths), "shape"))


@row("reshape", "Tensor.reshape", "Tensor.view")
def reshape(input: Any, *shape: Any, **named: Any) -> Any:
    """Another shape of the same elements."""
    shape = shape or tuple(named.values())
    if len(shape) == 1 and isinstance(shape[0], torch().dtype):
        raise refused("x.view(dtype) reads the memory as another dtype, which isn't mapped; x.to(dtype) converts the numbers")
    return reshaped(input, listed(shape))


row("view_copy")(lambda input, size: reshaped(input, size).clone())
row("Tensor.view_as", "Tensor.reshape_as")(lambda self, other: reshaped(self, other.shape))


@row("flatten", "Tensor.flatten")
def flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Some axes as one."""
    rank = rank_of(input)
    start, end = axis_of(start_dim, rank), axis_of(end_dim, rank)
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if rank == 0:
        return reshaped(input, [1])
    return input if start == end else views.flatten(input, start_axis=start, stop_axis=end)


@row("unflatten", "Tensor.unflatten")
def unflatten(input: Any, dim: int, sizes: Any) -> Any:
    """One axis as several."""
    axis, lengths = axis_of(dim, rank_of(input)), list(sizes) if isinstance(sizes, tuple | list) else [sizes]
    return api.unflatten(input, axis, lengths)


@row("transpose", "Tensor.transpose", "swapdims", "Tensor.swapdims")
def transpose(input: Any, dim0: int, dim1: int) -> Any:
    """Two axes, exchanged."""
    order = list(range(rank_of(input)))
    a, b = axis_of(dim0, len(order)), axis_of(dim1, len(order))
    if order:
        order[a], order[b] = order[b], order[a]
    return api.transpose(input, order)


both("swapaxes", lambda input, axis0, axis1: transpose(input, axis0, axis1))


@row("t", "Tensor.t")
def t(input: Any) -> Any:
    """The transposed matrix; a vector as it is."""
    if rank_of(input) > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {rank_of(input)}D")
    return input if rank_of(input) < 2 else transpose(input, 0, 1)


@row("Tensor.T.__get__")
def reversed_axes(self: Any) -> Any:
    """The axes from the last to the first."""
    return api.transpose(self, list(range(rank_of(self)))[::-1])


@row("Tensor.mT.__get__")
def matrix_transposed(self: Any) -> Any:
    """Each matrix transposed."""
    if rank_of(self) < 2:
        raise RuntimeError("tensor.mT is only supported on matrices or batches of matrices")
    return transpose(self, -2, -1)


@row("adjoint", "Tensor.adjoint", "Tensor.mH.__get__", "Tensor.H.__get__")
def adjoint(input: Any) -> Any:
    """Each matrix transposed, of conjugate numbers."""
    found = input if rank_of(input) == 0 else transpose(input, -2, -1)
    return conjugate(found) if "complex" in found.type.dtype else found


def conjugate(x: Tensor) -> Tensor:
    """The conjugate: a copy of what is a view in torch. A write that would be seen in the other one is refused."""
    found = api.conj(x)
    paired(found, x, _CONJUGATE)
    return found


@row("permute", "Tensor.permute")
def permute(input: Any, *dims: Any, **named: Any) -> Any:
    """The axes in another order."""
    order = axes_of(listed(dims or tuple(named.values())), rank_of(input))
    if len(order) != rank_of(input):
        raise RuntimeError("permute(sparse_coo): number of dimensions in the tensor input does not match the dims")
    return api.transpose(input, order)


@row("movedim", "Tensor.movedim", "moveaxis", "Tensor.moveaxis")
def movedim(input: Any, source: Any, destination: Any) -> Any:
    """Some axes at other places, the others in their order."""
    rank = rank_of(input)
    origin, target = axes_of(source, rank), axes_of(destination, rank)
    return input if rank == 0 else api.moveaxis(input, origin, target)


@row("unsqueeze", "Tensor.unsqueeze")
def unsqueeze(input: Any, dim: int) -> Any:
    """With an axis of length 1."""
    return api.unsqueeze(input, axis_of(dim, rank_of(input) + 1))


@row("squeeze", "Tensor.squeeze")
def squeeze(input: Any, dim: Any = None) -> Any:
    """Without axes of length 1: all, or those named."""
    if rank_of(input) == 0:
        return input
    lengths = lengths_of(input)
    axes = list(range(len(lengths))) if dim is None else axes_of(dim, len(lengths))
    if dim is not None and not is_known([lengths[axis] for axis in axes]):
        raise refused("squeeze of an axis whose length only the Program knows: it may stay or go; write x[:, 0] to drop it")
    for axis in range(len(lengths)) if dim is None else ():
        if not isinstance(lengths[axis], int):
            found = input.shape[axis]
            input = of_length("squeeze", input, axis, found + (found == 1) * 1, "an axis of length 1 would go; name the axes")
    axes = [axis for axis in axes if lengths[axis] == 1]
    return api.squeeze(input, axes) if axes else input


@row("expand_copy")
def expand_copy(input: Any, size: Any, *, implicit: bool = False) -> Any:
    """Axes of length 1 repeated."""
    return expand(input, size).clone()


@row("Tensor.expand", "broadcast_to", "Tensor.broadcast_to")
def expand(input: Any, *size: Any, implicit: bool = False, **named: Any) -> Any:
    """Axes of length 1 repeated, without a copy."""
    return _expanded(input, listed(size or tuple(named.values())))


def _expanded(x: Tensor, lengths: Any) -> Tensor:
    """x repeated; where no axis is, a view that can be written."""
    found = api.expand(x, lengths)
    shape = x.static_shape
    return x[...] if shape is not None and shape == found.static_shape and is_known(shape) else found


row("Tensor.expand_as")(lambda self, other: _expanded(self, list(other.shape)))


@row("Tensor.sum_to_size")
def sum_to_size(self: Any, *size: Any) -> Any:
    """Sums along the axes that an expansion from `size` repeats."""
    lengths, rank, dtype = listed(size), rank_of(self), self.type.dtype
    front = list(range(rank - len(lengths)))
    own = lengths_of(self)[len(front) :]
    if front:
        self = api.sum(self, axis=front)
    axes = [k for k, (n, length) in enumerate(zip(own, lengths)) if type(length) is int and length == 1 and n != 1]
    found = api.sum(self, axis=axes, keepdim=True) if axes else self if lengths else self.clone()
    if dtype == "bool" and (front or axes or not lengths):
        return found.astype("int64")
    return found if found.type.dtype == dtype else found.astype(dtype)


@row("select", "Tensor.select")
def select(input: Any, dim: int, index: Any) -> Any:
    """One slice, without the axis."""
    if rank_of(input) == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    return api.select(input, axis_of(dim, rank_of(input)), index.item() if isinstance(index, Tensor) else index)


@row("ops.aten.slice", "ops.aten.slice.Tensor")
def slice_(input: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    """A part along one axis."""
    return input[(slice(None),) * axis_of(dim, rank_of(input)) + (slice(start, end, step),)]


@row("narrow", "Tensor.narrow")
def narrow(input: Any, dim: int, start: Any, length: Any) -> Any:
    """A part along one axis."""
    axis = axis_of(dim, rank_of(input))
    if isinstance(start, Tensor):
        is_within = (start >= -input.shape[axis]) & (start <= input.shape[axis])
        start = demanded(start, is_within, "narrow: start out of range", "IndexError")
    start, length = (x.item() if isinstance(x, Tensor) else x for x in (start, length))
    whole = input.shape[axis]
    if isinstance(start, int):
        start = whole + start if start < 0 else start
        if isinstance(whole, int) and isinstance(length, int) and not 0 <= start <= start + length <= whole:
            raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({whole}).")
    part = api.narrow(input, axis, start, length)
    shape = [length if k == axis else -1 for k in range(rank_of(input))]
    return lookup("expect")(part, shape=shape, what="the part that narrow takes")


row("narrow_copy", "Tensor.narrow_copy")(lambda input, dim, start, length: narrow(input, dim, start, length).clone())


@row("Tensor.unfold")
def unfold(self: Any, dimension: int, size: int, step: int) -> Any:
    """Windows along an axis, as a view; their elements come last. Those that overlap can't be written to, as in torch."""
    if rank_of(self) == 0:
        return api.unsqueeze(self, 0)[: known(size, "size")]
    axis = axis_of(dimension, rank_of(self))
    return sliding.windows(self, axis=axis, size=known(size, "size"), step=known(step, "step"))


row("unfold_copy")(lambda input, dimension, size, step: unfold(input, dimension, size, step).clone())


def _copies(name: str, view: Any) -> None:
    def copy(*args: Any, **kwargs: Any) -> Any:
        found = view(*args, **kwargs)
        return tuple(x.clone() for x in found) if isinstance(found, tuple) else found.clone()

    copy.__name__ = f"{name}_copy"
    row(f"{name}_copy")(copy)


for _view in (permute, squeeze, unsqueeze, transpose, t, select):
    _copies(_view.__name__, _view)
row("alias_copy")(lambda input: input.clone())


def _renewed(name: str, instead: str) -> None:
    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise refused(f"x.{name}(...) gives x another shape under its name; write x = x.{instead}(...)")

    row(f"Tensor.{name}", *([name] if hasattr(torch(), name) else []))(refuse)


for _name in "squeeze unsqueeze transpose t swapaxes swapdims".split():
    _renewed(f"{_name}_", _name)
for _name in "resize_", "resize_as_", "as_strided_", "set_":
    _renewed(_name, "reshape")


def _several(name: str, function: Any) -> None:
    def compute(*tensors: Any) -> Any:
        found = [function(x) for x in listed(tensors)]
        return found[0] if len(tensors) == 1 and isinstance(tensors[0], Tensor) else tuple(found)

    compute.__name__ = name
    row(name)(compute)


def at_least_1d(x: Any) -> Any:
    """x with one axis or more."""
    return reshaped(x, [1]) if rank_of(x) == 0 else x


def at_least_2d(x: Any) -> Any:
    """x with two axes or more, new ones in front."""
    x = at_least_1d(x)
    return api.unsqueeze(x, 0) if rank_of(x) == 1 else x


def at_least_3d(x: Any) -> Any:
    """x with three axes or more: a matrix gets a last one."""
    x = at_least_2d(x)
    return api.unsqueeze(x, 2) if rank_of(x) == 2 else x


_several("atleast_1d", at_least_1d)
_several("atleast_2d", at_least_2d)
_several("atleast_3d", at_least_3d)

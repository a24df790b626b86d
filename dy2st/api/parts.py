"""Parts of a tensor, and its axes and elements in another order; under Paddle's names."""

from __future__ import annotations

import math
from typing import Any

from ..errors import ShapeError
from ..ops import views
from ..ops.index import gather, getitem
from ..runtime.proxies.base import as_index
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank
from .creation import arange
from .joining import _cut, _length
from .known import is_known, is_less, larger, need_known, of_length
from .manipulation import moveaxis, reshape, transpose, unsqueeze
from .shape_args import at_axis, axis_leaf, int_list
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "crop",
    "dsplit",
    "hsplit",
    "permute",
    "ravel",
    "reverse",
    "rot90",
    "swapdims",
    "tensor_split",
    "unflatten",
    "unfold",
    "vsplit",
)


@tensor_method()
def tensor_split(x: Tensor, num_or_indices: Any, axis: int = 0, name: str | None = None) -> list[Tensor]:
    """Views of x along `axis`, as a list: as many as an int `num_or_indices` says, or the parts between the indices in a list.

    Of a number of parts the first are longer by 1 where they can't be equal. They have the dtype of x. ValueError: no positive
    number.

    >>> [part.tolist() for part in dy2st.tensor_split(dy2st.arange(5), 2)]
    [[0, 1, 2], [3, 4]]
    """
    axis = axis_leaf("tensor_split", axis)
    length = _length("tensor_split", x, axis)
    if not isinstance(num_or_indices, (list, tuple)):
        need_known("tensor_split", num_or_indices=num_or_indices)
    if isinstance(num_or_indices, int):
        if num_or_indices < 1:
            raise ValueError(f"tensor_split: the number of parts must be positive, not {num_or_indices}")
        short, longer = length // num_or_indices, length % num_or_indices
        return _cut(x, [short + is_less(at, longer) for at in range(num_or_indices)], axis)
    cuts = [0, *int_list("tensor_split", num_or_indices, "num_or_indices"), length]
    if not all(isinstance(c, int) for c in cuts):
        return _cut(x, [b - a for a, b in zip(cuts, cuts[1:])], axis)
    cuts = [min(c + length if c < 0 else c, length) for c in cuts]
    return [getitem(x, index=at_axis(axis, {"slice": [a, b, None]})) for a, b in zip(cuts, cuts[1:])]


def _split_along(op: str, x: Tensor, num_or_indices: Any, axis: int, least: int) -> list[Tensor]:
    if known_rank(op, x) < least:
        raise ShapeError(f"{op} takes a tensor of at least {least} axes, not {x.type}")
    return tensor_split(x, num_or_indices, axis)


@tensor_method()
def hsplit(x: Tensor, num_or_indices: Any, name: str | None = None) -> list[Tensor]:
    """Views of x along the second axis, of a vector along its only one, as `tensor_split` with `num_or_indices` gives them.

    ShapeError: x has no axis.
    """
    return _split_along("hsplit", x, num_or_indices, 0 if known_rank("hsplit", x) == 1 else 1, 1)


@tensor_method()
def vsplit(x: Tensor, num_or_indices: Any, name: str | None = None) -> list[Tensor]:
    """Views of x along the first axis, as `tensor_split` with `num_or_indices` gives them. ShapeError: fewer than 2 axes."""
    return _split_along("vsplit", x, num_or_indices, 0, 2)


@tensor_method()
def dsplit(x: Tensor, num_or_indices: Any, name: str | None = None) -> list[Tensor]:
    """Views of x along the third axis, as `tensor_split` with `num_or_indices` gives them. ShapeError: fewer than 3 axes."""
    return _split_along("dsplit", x, num_or_indices, 2, 3)


@tensor_method()
def crop(x: Tensor, shape: Any = None, offsets: Any = None, name: str | None = None) -> Tensor:
    """The part of x that has `shape` (-1 or None: up to the end) and begins at `offsets` (None: at the front).

    shape, offsets: one int for each axis. The result is a view in the dtype of x. ShapeError: another number of them.

    >>> dy2st.crop(dy2st.ones([3, 3]), [2, -1], [1, 0]).shape
    [2, 3]
    """
    lengths = list(x.shape) if shape is None else int_list("crop", shape, "shape")
    starts = [0] * len(lengths) if offsets is None else int_list("crop", offsets, "offsets")
    if not len(lengths) == len(starts) == known_rank("crop", x):
        raise ShapeError(f"crop: {len(lengths)} lengths and {len(starts)} offsets for {x.type}")
    starts, lengths = list(map(as_index, starts)), list(map(as_index, lengths))
    ends = [_end(x, axis, start, n) for axis, (start, n) in enumerate(zip(starts, lengths))]
    return getitem(x, index=[{"slice": [start, end, None]} for start, end in zip(starts, ends)])


def _end(x: Tensor, axis: int, start: Any, length: Any) -> Any:
    """Where a part ends; -1 stands for what is left, also where only the Program knows it."""
    if isinstance(length, int):
        return None if length == -1 else start + length
    return start + length + (length == -1) * (x.shape[axis] - start + 1)


@tensor_method()
def permute(input: Tensor, *dims: Any) -> Tensor:
    """As `transpose` of `input`; the axes `dims` may be given one by one, or as a list. The result is a view."""
    return transpose(input, dims[0] if len(dims) == 1 and isinstance(dims[0], (list, tuple)) else list(dims))


@tensor_method()
def swapdims(x: Tensor, dim0: int, dim1: int, name: str | None = None) -> Tensor:
    """x with its axes `dim0` and `dim1` exchanged, as by `swapaxes`."""
    return x.swapaxes(dim0, dim1)


@tensor_method()
def ravel(input: Tensor) -> Tensor:
    """`input`, of any shape, as a vector: a view where memory allows, in its dtype."""
    return reshape(input, [-1])


@tensor_method()
def reverse(x: Tensor, axis: Any, name: str | None = None) -> Tensor:
    """As `flip`: x in reverse order along each of `axis`."""
    return x.flip(axis)


@tensor_method()
def rot90(x: Tensor, k: int = 1, axes: Any = (0, 1), name: str | None = None) -> Tensor:
    """x turned `k` times by 90 degrees, from the first of two `axes` towards the second, in the dtype of x.

    The result has the lengths of the two axes exchanged where k is odd. ValueError: not two different axes.

    >>> dy2st.rot90(dy2st.to_tensor([[1, 2], [3, 4]])).tolist()
    [[2, 4], [1, 3]]
    """
    need_known("rot90", k=k)
    if len(axes) != 2:
        raise ValueError(f"rot90 takes two axes, not {list(axes)}")
    first, second = (axis_leaf("rot90", a, known_rank("rot90", x)) for a in axes)
    if first == second:
        raise ValueError(f"rot90: the axes {list(axes)} are one")
    turns = k % 4
    if turns == 2:
        return x.flip([first, second])
    turned = x.flip(second).swapaxes(first, second) if turns == 1 else x
    return turned if turns != 3 else x.swapaxes(first, second).flip(second)


@tensor_method()
def unflatten(x: Tensor, axis: int, shape: Any, name: str | None = None) -> Tensor:
    """The axis `axis` of x made several, of the lengths `shape`, one of which may be -1.

    The result has the dtype of x and is a view where memory allows. ShapeError: lengths that don't multiply to that of the axis.

    >>> dy2st.unflatten(dy2st.ones([6, 2]), 0, [2, -1]).shape
    [2, 3, 2]
    """
    axis = axis_leaf("unflatten", axis, known_rank("unflatten", x))
    lengths, length = int_list("unflatten", shape, "shape"), x.shape[axis]
    if is_known(lengths) and lengths.count(-1) < 2 and 0 not in lengths:
        rest = math.prod(n for n in lengths if n != -1)
        lengths = [length // rest if n == -1 else n for n in lengths]
        x = of_length("unflatten", x, axis, math.prod(lengths), "the lengths don't multiply to that of the axis")
    return views.reshape(x, shape=[*x.shape[:axis], *lengths, *x.shape[axis + 1 :]])


@tensor_method()
def unfold(x: Tensor, axis: int, size: int, step: int, name: str | None = None) -> Tensor:
    """The windows of `size` elements of x along `axis`, `step` apart: their number stands in its place, `size` comes last.

    The result is a copy, in the dtype of x. ValueError: no such windows.

    >>> dy2st.unfold(dy2st.arange(5), 0, 2, 2).tolist()
    [[0, 1], [2, 3]]
    """
    rank = known_rank("unfold", x)
    axis = axis_leaf("unfold", axis, rank)
    need_known("unfold", size=size, step=step)
    if size < 1 or step < 1:
        raise ValueError(f"unfold: no windows of {size}, {step} apart")
    length = x.shape[axis]
    x = of_length("unfold", x, axis, larger(length, size), "there is no window in so short an axis")
    places = unsqueeze(arange(0, length - size + 1, step), 1) + arange(0, size)
    windows = gather(x, places, axis=axis)
    return moveaxis(windows, axis + 1, -1)

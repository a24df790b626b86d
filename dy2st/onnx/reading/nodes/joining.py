"""Several tensors to one, one to several, and what moves elements about."""

from __future__ import annotations

from typing import Any

from ....errors import ConversionError
from ....ops.creation import tril, triu
from ....ops.index import getitem
from ....ops.manipulate import concat as concat_op
from ....ops.padding import pad as pad_op
from ....ops.registry import lookup
from ....ops.views import reshape, transpose
from ....runtime.convert import convert_ifelse
from ....runtime.tensors.tensor import Tensor
from ..axes import normal
from ..registry import Int, Ints, Value, node
from ..slices import ALL, part
from ..values import MOST_STEPS, as_ints


@node("Concat", since=4)
def concat(*xs: Tensor, axis: int) -> Tensor:
    return concat_op(*xs, axis=axis)


@node("Concat")
def concat_from_one(*xs: Tensor, axis: int = 1) -> Tensor:
    return concat_op(*xs, axis=axis)


@node("Split", since=13)
def split_into(
    x: Tensor, sizes: Value | None = None, *, axis: int = 0, num_outputs: int | None = None, outputs: int = 1
) -> Any:
    """Parts of these sizes, or of one size each but for the last."""
    return _split(x, None if sizes is None else as_ints(sizes, "the sizes", most=MOST_STEPS), axis, num_outputs, outputs)


def _split(x: Tensor, sizes: list[Any] | None, axis: int, num_outputs: int | None, outputs: int) -> Any:
    (axis,) = normal([axis], x.ndim)
    if num_outputs not in (None, outputs):
        raise ConversionError(f"num_outputs is {num_outputs}, and there are {outputs} outputs")
    if sizes is None:
        length = -(-x.shape[axis] // outputs)
        starts = [length * k for k in range(outputs)]
        return tuple(part(x, axis, start, start + length) for start in starts)
    found, start = [], 0
    for size in sizes:
        found.append(part(x, axis, start, start + size))
        start = start + size
    return tuple(found)


@node("Split")
def split_at(x: Tensor, *, axis: int = 0, split: list[int] | None = None, outputs: int = 1) -> Any:
    return _split(x, split, axis, None, outputs)


@node("Slice", since=10)
def slice_(x: Tensor, starts: Ints, ends: Ints, axes: Ints | None = None, steps: Ints | None = None) -> Tensor:
    """x[start:end:step] along each axis; what lies beyond an end counts as the end."""
    rank = x.ndim
    chosen = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    if not all(isinstance(axis, int) for axis in chosen):
        return _slice_anywhere(x, starts, ends, chosen, steps)
    index: list[Any] = [ALL] * rank
    for axis, start, end, step in zip(normal(chosen, rank), starts, ends, steps):
        index[axis] = {"slice": _bounds(x.shape[axis], start, end, step)}
    return getitem(x, index=index)


def _bounds(length: Any, start: Any, end: Any, step: Any) -> list[Any]:
    """As Python has them. A negative step goes on to the first element where the end lies before it."""
    if isinstance(step, int) and step > 0:
        return [start, end, step]
    if isinstance(step, int) and isinstance(length, int) and isinstance(end, int):
        return [start, None if end < -length else end, step]
    return [start, _end(length, end, step), step]


def _end(length: Any, end: Any, step: Any) -> Any:
    """Where a negative step would go beyond the first element, None; the Program finds out."""
    return convert_ifelse((step < 0) & (end < -length), lambda: None, lambda: end)


def _slice_anywhere(x: Tensor, starts: list, ends: list, axes: list, steps: list) -> Tensor:
    """Along axes that only the Program knows: each axis of x is asked which of the bounds are its own."""
    rank, index = x.ndim, []
    for axis, length in enumerate(x.shape):
        hits = [(at + rank) % rank == axis for at in axes]
        whole = 1
        for hit in hits:
            whole = whole - hit * 1
        start = sum(hit * value for hit, value in zip(hits, starts))
        end = sum(hit * value for hit, value in zip(hits, ends)) + whole * length
        step = sum(hit * value for hit, value in zip(hits, steps)) + whole
        index.append({"slice": _bounds(length, start, end, step)})
    return getitem(x, index=index)


@node("Slice")
def slice_at(x: Tensor, *, starts: list[int], ends: list[int], axes: list[int] | None = None) -> Tensor:
    return slice_(x, starts, ends, axes)


MODES = {"constant": "constant", "reflect": "reflect", "edge": "replicate", "wrap": "circular"}


@node("Pad", since=11, folds=False)
def pad(x: Tensor, pads: Value, value: Tensor | None = None, axes: Ints | None = None, *, mode: str = "constant") -> Tensor:
    """Elements around x; negative numbers take some away."""
    pairs = _pairs(x.ndim, as_ints(pads, "pads", 2 * (x.ndim if axes is None else len(axes))), axes)
    if mode != "constant":
        return pad_op(x, pads=pairs, mode=MODES[mode])
    if value is None:
        return pad_op(x, pads=pairs, mode="constant", value=False if x.dtype.name == "bool" else 0)
    if not value.is_staged:
        return pad_op(x, pads=pairs, mode="constant", value=value._data.reshape(-1)[0].item())
    return pad_op(x, pads=pairs, mode="constant", value=lookup("py.item")(value))


def _pairs(rank: int, pads: list[Any], axes: list[Any] | None) -> list[list[Any]]:
    """How many elements come before and after each axis."""
    count = len(pads) // 2
    chosen = list(range(rank)) if axes is None else axes
    if all(isinstance(axis, int) for axis in chosen):
        places = {axis: k for k, axis in enumerate(normal(chosen, rank))}
        return [[pads[places[at]], pads[places[at] + count]] if at in places else [0, 0] for at in range(rank)]
    hits = [[((axis + rank) % rank == at) * 1 for axis in chosen] for at in range(rank)]
    return [[sum(h * p for h, p in zip(hit, part)) for part in (pads[:count], pads[count:])] for hit in hits]


@node("Pad")
def pad_at(x: Tensor, *, pads: list[int] | None = None, paddings: list[int] | None = None, mode: str = "constant",
           value: float = 0.0) -> Tensor:  # fmt: skip
    return pad_op(x, pads=_pairs(x.ndim, pads or paddings or [], None), mode=MODES[mode], value=value)


@node("Trilu")
def triangle(x: Tensor, k: Int | None = None, *, upper: int = 1) -> Tensor:
    """The upper or lower triangle of matrices, also of bools and of none."""
    return (triu if upper else tril)(x, diagonal=0 if k is None else k)


@node("DepthToSpace")
def depth_to_space(x: Tensor, *, blocksize: int, mode: str = "DCR") -> Tensor:
    n, c, h, w = x.shape
    b, left = blocksize, c // (blocksize * blocksize)
    if mode == "DCR":
        spread = transpose(reshape(x, shape=[n, b, b, left, h, w]), perm=[0, 3, 4, 1, 5, 2])
    else:
        spread = transpose(reshape(x, shape=[n, left, b, b, h, w]), perm=[0, 1, 4, 2, 5, 3])
    return reshape(spread, shape=[n, left, h * b, w * b])


@node("SpaceToDepth")
def space_to_depth(x: Tensor, *, blocksize: int, mode: str = "DCR") -> Tensor:
    n, c, h, w = x.shape
    b = blocksize
    perm = [0, 3, 5, 1, 2, 4] if mode == "DCR" else [0, 1, 3, 5, 2, 4]
    return reshape(transpose(reshape(x, shape=[n, c, h // b, b, w // b, b]), perm=perm), shape=[n, c * b * b, h // b, w // b])


@node("CenterCropPad")
def center(x: Tensor, shape: Ints, *, axes: list[int] | None = None) -> Tensor:
    """x in the middle of a tensor of these lengths, or its middle."""
    pads: list[Any] = [[0, 0]] * x.ndim
    for axis, wanted in zip(normal(axes if axes is not None else range(x.ndim), x.ndim), shape):
        more = wanted - x.shape[axis]
        before = _half(more)
        pads[axis] = [before, more - before]
    return pad_op(x, pads=pads, mode="constant", value=0)


def _half(more: Any) -> Any:
    """Half of what is added, rounded down; of what is cut off, too, which is a negative number."""
    if isinstance(more, int):
        return more // 2 if more >= 0 else -(-more // 2)
    return more // 2 + (more < 0) * (more % 2)

"""Several tensors to one and one to several, and repetitions, under Paddle's names. The parts of a split are views."""

from __future__ import annotations

from typing import Any

from ..errors import ShapeError
from ..ops import manipulate, views
from ..ops.index import getitem
from ..ops.registry import lookup
from ..runtime.proxies.base import as_index
from ..runtime.tensors.tensor import Tensor
from .checks import describe, known_rank, listed_or_each, need_tensor
from .known import is_known, known_length, need_known, of_length, of_multiple
from .shape_args import (
    at_axis,
    axis_leaf,
    axis_list,
    check_name,
    int_leaf,
    int_list,
    is_staged_list,
    listed,
    of_tensors,
    same_dtype,
)
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "chunk",
    "concat",
    "flip",
    "meshgrid",
    "repeat_interleave",
    "roll",
    "split",
    "stack",
    "tile",
    "unbind",
    "unstack",
)


def concat(x: Any, axis: int = 0, name: str | None = None) -> Tensor:
    """The tensors of the list `x`, of one shape but for `axis`, one after the other along `axis`; dtypes are promoted.

    The result is a new tensor, as long there as all of them together. ShapeError: shapes that don't go together. TypeError: an
    empty list.

    >>> dy2st.concat([dy2st.ones([1, 2]), dy2st.zeros([2, 2])]).shape
    [3, 2]
    """
    x, axis = listed(x), _axis("concat", x, axis)
    if is_staged_list(x):
        return lookup("list.concat_tensors")(of_tensors("concat", x), axis=axis)
    return manipulate.concat(*same_dtype("concat", x), axis=axis)


def _axis(op: str, x: Any, axis: Any) -> int:
    """TypeError: no int, for example a second tensor that stands beside the first and not in one list with it."""
    if isinstance(x, Tensor) and isinstance(axis, Tensor):
        raise TypeError(f"{op}: write {op}([a, b]): the tensors are one list, not given one by one")
    return axis_leaf(op, axis)


def stack(x: Any, axis: int = 0, name: str | None = None) -> Tensor:
    """The tensors of the list `x`, all of one shape, along a new axis at the place `axis` of the result; dtypes are promoted.

    ShapeError: shapes that differ. TypeError: an empty list.

    >>> dy2st.stack([dy2st.ones([3]), dy2st.zeros([3])], axis=1).shape
    [3, 2]
    """
    x, axis = listed(x), _axis("stack", x, axis)
    if is_staged_list(x):
        return lookup("list.stack")(of_tensors("stack", x), axis=axis)
    return manipulate.stack(*same_dtype("stack", x), axis=axis)


ADDED = "the sections don't add up to the length of the axis"


def _length(op: str, x: Tensor, axis: int) -> Any:
    """The length of an axis: an int, or a staged int."""
    return x.shape[axis_leaf(op, axis, known_rank(op, x))]


@tensor_method()
def split(x: Tensor, num_or_sections: Any, axis: int = 0, name: str | None = None) -> list[Tensor]:
    """Views of x along `axis`, as a list: an int `num_or_sections` of equal length, or of the lengths in a list.

    One of these may be -1 (what is left). The parts have the dtype of x. ShapeError: lengths that don't add up to that of the
    axis, or an int that doesn't divide it.

    >>> [part.shape for part in dy2st.split(dy2st.ones([5, 2]), [2, -1])]
    [[2, 2], [3, 2]]
    """
    axis = axis_leaf("split", axis)
    length = _length("split", x, axis)
    if not isinstance(num_or_sections, (list, tuple)):
        need_known("split", num_or_sections=num_or_sections)
    if isinstance(num_or_sections, int):
        if num_or_sections < 1 or (isinstance(length, int) and length % num_or_sections):
            raise ShapeError(f"split: length {length} doesn't divide into {num_or_sections} parts")
        x = of_multiple("split", x, axis, num_or_sections)
        sections = [length // num_or_sections] * num_or_sections
    else:
        given = [n if isinstance(n, int) else as_index(n) for n in int_list("split", num_or_sections, "num_or_sections")]
        sections = _sections(given, length)
        x = of_length("split", x, axis, sum(sections) if is_known(given) else _checked_sum(given, sections), ADDED)
    return _cut(x, sections, axis)


def _sections(sections: list, length: Any) -> list:
    """The lengths of the parts, the one that is -1 as what the others leave."""
    if not is_known(sections):
        return _staged_sections(sections, length)
    if sections.count(-1) > 1:
        raise ShapeError(f"split: at most one section may be -1, not {sections}")
    rest = sum(s for s in sections if s != -1)
    if -1 not in sections and isinstance(length, int) and rest != length:
        raise ShapeError(f"split: sections {sections} don't add up to length {length}")
    return [length - rest if s == -1 else s for s in sections]


def _staged_sections(sections: list, length: Any) -> list:
    """The same, where the Program finds out which one is -1."""
    missing = [(s == -1) * 1 for s in sections]
    rest = length - sum(sections) - sum(missing)
    return [s + is_missing * (rest + 1) for s, is_missing in zip(sections, missing)]


def _checked_sum(given: list, sections: list) -> Any:
    """The sum of the sections; no length where more than one was given as -1."""
    total, missing = sum(sections), sum((s == -1) * 1 for s in given)
    return total - (missing > 1) * (abs(total) + 2)


def _cut(x: Tensor, sections: list, axis: int) -> list[Tensor]:
    parts: list[Tensor] = []
    start: Any = 0
    for section in sections:
        stop = start + section
        parts.append(getitem(x, index=at_axis(axis, {"slice": [start, stop, None]})))
        start = stop
    return parts


@tensor_method()
def chunk(x: Tensor, chunks: int, axis: int = 0, name: str | None = None) -> list[Tensor]:
    """x in `chunks` parts of equal length along `axis`: a list of views, in the dtype of x and otherwise in its shape.

    ShapeError: the length of the axis isn't a multiple of `chunks`.

    >>> [part.shape for part in dy2st.chunk(dy2st.ones([4, 2]), 2)]
    [[2, 2], [2, 2]]
    """
    need_known("chunk", chunks=chunks)
    chunks = int_leaf("chunk", chunks, "chunks")
    length = _length("chunk", x, axis)
    if isinstance(length, int) and isinstance(chunks, int) and chunks > 0 and length % chunks:
        raise ShapeError(f"chunk: length {length} of axis {axis} doesn't divide into {chunks} parts")
    return split(x, chunks, axis)


@tensor_method()
def unbind(input: Tensor, axis: int = 0) -> list[Tensor]:
    """The slices of `input` along `axis`, without that axis: a list of views in its dtype.

    ShapeError: an axis out of range. ConversionError: a length that is unknown while staging.

    >>> [part.shape for part in dy2st.unbind(dy2st.ones([2, 3]))]
    [[3], [3]]
    """
    axis = axis_leaf("unbind", axis)
    _length("unbind", input, axis)
    length = known_length("unbind", input, axis)
    return [getitem(input, index=at_axis(axis, {"int": i})) for i in range(length)]


@tensor_method()
def unstack(x: Tensor, axis: int = 0, num: int | None = None) -> list[Tensor]:
    """As `unbind`, of x; `num`, where given, must be the length of the `axis`: ShapeError."""
    need_known("unstack", num=num)
    if num is not None and not isinstance(_length("unstack", x, axis), int):
        x = of_length("unstack", x, axis, num, "num isn't the length of the axis")
    parts = unbind(x, axis)
    if num is not None and num != len(parts):
        raise ShapeError(f"unstack: num is {num}, but axis {axis} has length {len(parts)}")
    return parts


@tensor_method()
def tile(x: Tensor, repeat_times: Any, name: str | None = None) -> Tensor:
    """x repeated repeat_times[i] times along axis i, in the dtype of x.

    repeat_times: ints as in the shape of `reshape`; where there are more than axes, x gets axes of length 1 in front.

    >>> dy2st.tile(dy2st.to_tensor([1, 2]), [2, 2]).tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    check_name("tile", name, repeat_times)
    return manipulate.tile(need_tensor("tile", x), repeat_times=int_list("tile", repeat_times, "repeat_times"))


@tensor_method()
def repeat_interleave(x: Tensor, repeats: int, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each slice of x along `axis` (None: each element of x flattened) `repeats` times in a row, in the dtype of x.

    repeats: one int. The result has the shape of x, `repeats` times as long there.

    >>> dy2st.repeat_interleave(dy2st.to_tensor([1, 2]), 2).tolist()
    [1, 1, 2, 2]
    """
    need_tensor("repeat_interleave", x)
    if axis is None:
        x, axis = views.reshape(x, shape=[-1]), 0
    return manipulate.repeat_interleave(
        x, repeats=int_leaf("repeat_interleave", repeats, "repeats"), axis=axis_leaf("repeat_interleave", axis)
    )


@tensor_method()
def flip(x: Tensor, axis: Any, name: str | None = None) -> Tensor:
    """x in reverse order along each of `axis`, an int or a list of ints: a new tensor of its shape and dtype.

    >>> dy2st.flip(dy2st.to_tensor([1, 2, 3]), 0).tolist()
    [3, 2, 1]
    """
    check_name("flip", name, axis)
    return manipulate.flip(need_tensor("flip", x), axis=axis_list("flip", axis))


@tensor_method()
def roll(x: Tensor, shifts: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """x moved by `shifts` along `axis`, what leaves at the end coming back in front; without `axis`, x is flattened for it.

    shifts, axis: ints, or lists of as many ints. The result has the shape and dtype of x.

    >>> dy2st.roll(dy2st.to_tensor([1, 2, 3]), 1).tolist()
    [3, 1, 2]
    """
    axes = None if axis is None else axis_list("roll", axis)
    return manipulate.roll(need_tensor("roll", x), shifts=int_list("roll", shifts, "shifts"), axis=axes)


def meshgrid(*args: Any, name: str | None = None) -> list[Tensor]:
    """From vectors of lengths n, m, ...: a list of one [n, m, ...] tensor for each, repeating it along the other axes.

    args: the tensors, or a list of them; a 0-d one counts as [1]. The results are views, each in the dtype of its vector.
    ShapeError: a tensor of more than 1 axis.

    >>> [grid.shape for grid in dy2st.meshgrid(dy2st.arange(2), dy2st.arange(3))]
    [[2, 3], [2, 3]]
    """
    vectors = listed_or_each(args)
    for v in vectors:
        if need_tensor("meshgrid", v).type.rank not in (0, 1):
            raise ShapeError(f"meshgrid takes vectors, not {describe(v)}")
    lengths = [v.shape[0] if v.type.rank == 1 else 1 for v in vectors]
    places = [[-1 if at == i else 1 for at in range(len(vectors))] for i in range(len(vectors))]
    return [views.broadcast_to(views.reshape(v, shape=p), shape=lengths) for v, p in zip(vectors, places)]

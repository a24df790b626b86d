"""Operators that put elements into a new order or a new tensor: concat, stack, tile, flip, roll, repeat_interleave."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..errors import DTypeError, ShapeError
from ..ir.types import Dim, TensorType, Type
from .dims import axes_of, axis_of, known, leaf, merge
from .lowered import manipulate as lowered
from .registry import define
from .rules import need_tensor
from .walks import whole_numbers

# --- concat and stack ------------------------------------------------------------------------------------------------


def _one_dtype(types: tuple[Type, ...], op: str) -> str:
    if not types:
        raise ShapeError(f"{op} takes at least one tensor")
    dtypes = {need_tensor(op, t).dtype for t in types}
    if len(dtypes) > 1:
        raise DTypeError(f"{op} takes tensors of one dtype, not {', '.join(sorted(dtypes))}")
    return dtypes.pop()


def _infer_concat(*types, axis):
    dtype = _one_dtype(types, "concat")
    shapes = [t.shape for t in types]
    rank = next((len(s) for s in shapes if s is not None), None)
    if rank is None:
        return TensorType(dtype, None)
    at = axis_of(axis, rank, "concat")
    lengths: list[Dim] = [None if s is None else s[at] if len(s) == rank else None for s in shapes]
    result = merge([None if s is None else (*s[:at], None, *s[at + 1 :]) for s in shapes], "concat")
    assert result is not None
    total = lengths[0] if len(lengths) == 1 else sum(lengths) if known(*lengths) else None  # type: ignore[arg-type]
    return TensorType(dtype, (*result[:at], total, *result[at + 1 :]))


def _grad_concat(ctx, g):
    """Each operand's stretch of `g` along the axis."""
    from .index import getitem

    rank = len(g.shape)
    axis, start, parts = ctx.attrs["axis"] % rank, 0, []
    for x in ctx.inputs:
        stop = start + x.shape[axis]
        index = [{"slice": [None, None, None]}] * axis + [{"slice": [start, stop, None]}]
        parts.append(getitem(g, index=index))
        start = stop
    return tuple(parts)


_MOST = (1 << 63) - 1  # elements along an axis, as NumPy counts them


def joined(arrays: Sequence[np.ndarray], axis: int) -> np.ndarray:
    """`np.concatenate`, which doesn't notice that lengths add up to more than it can count, and writes beyond its memory."""
    if sum([x.size for x in arrays]) > _MOST:
        raise ShapeError("concat: more elements than an array can have")
    return np.concatenate(arrays, axis)


concat = define(
    "concat",
    kernel=lambda *arrays, axis: joined(arrays, axis),
    in_words=True,
    infer=_infer_concat,
    grad=_grad_concat,
    onnx=lowered.concat,
)


def stacked(arrays: Sequence[np.ndarray], axis: int) -> np.ndarray:
    """np.stack, in half the time along the first axis."""
    first = arrays[0].shape
    if axis == 0 and first and all(array.shape == first for array in arrays):
        return np.concatenate(arrays).reshape((len(arrays), *first))
    return np.stack(arrays, axis)


def _infer_stack(*types, axis):
    dtype = _one_dtype(types, "stack")
    shape = merge([t.shape for t in types], "stack")
    if shape is None:
        return TensorType(dtype, None)
    at = axis_of(axis, len(shape) + 1, "stack")
    return TensorType(dtype, (*shape[:at], len(types), *shape[at:]))


def _stack_source(attrs: dict[str, Any], names: list[str], types: list[Type]) -> str | None:
    """The template: as `stacked` does it, where arrays are known to have one shape."""
    arrays, first = f"({', '.join(names)},)", types[0]
    shape = first.shape if isinstance(first, TensorType) else None
    if int(attrs["axis"]) == 0 and shape and all(isinstance(d, int) for d in shape) and all(t == first for t in types):
        return f"np.concatenate({arrays}).reshape({(len(names), *shape)})"
    return f"np.stack({arrays}, {int(attrs['axis'])})"


def _grad_stack(ctx, g):
    from .index import getitem

    axis = ctx.attrs["axis"] % len(g.shape)
    before = [{"slice": [None, None, None]}] * axis
    return tuple(getitem(g, index=[*before, {"int": i}]) for i in range(len(ctx.inputs)))


stack = define(
    "stack",
    kernel=lambda *arrays, axis: stacked(arrays, axis),
    in_words=True,
    infer=_infer_stack,
    grad=_grad_stack,
    template=_stack_source,
    onnx=lowered.stack,
)

# --- tile, repeat_interleave -----------------------------------------------------------------------------------------


def _infer_tile(x, repeat_times):
    """`repeat_times` has one count per axis; counts beyond the rank add axes in front."""
    shape = need_tensor("tile", x).shape
    if shape is None:
        return TensorType(x.dtype, None)
    rank = max(len(shape), len(repeat_times))
    dims = (1,) * (rank - len(shape)) + shape
    times = [1] * (rank - len(repeat_times)) + [leaf(t) for t in repeat_times]
    return TensorType(x.dtype, tuple(d if t == 1 else d * t if known(d, t) else None for d, t in zip(dims, times)))


def _grad_tile(ctx, g):
    """Fold each axis into (repeats, length) and sum the repeats."""
    from .reduce import reduce_sum
    from .views import reshape

    shape, times = list(ctx.inputs[0].shape), list(ctx.attrs["repeat_times"])
    rank = max(len(shape), len(times))
    dims, times = [1] * (rank - len(shape)) + shape, [1] * (rank - len(times)) + times
    folded = reshape(g, shape=[n for pair in zip(times, dims) for n in pair])
    return (reshape(reduce_sum(folded, axis=tuple(range(0, 2 * rank, 2)), keepdim=False), shape=shape),)


def _counts(op: str, x: np.ndarray, repeats: Iterable[int]) -> list[int]:
    """How often to repeat, as ints; ShapeError where NumPy would multiply lengths further than it can count, and not notice."""
    counts = whole_numbers(op, repeats, least=0)
    if math.prod(max(n, 1) for n in (*x.shape, *counts)) > _MOST:
        raise ShapeError(f"{op}: {counts} times the shape {list(x.shape)} is more than an array can have")
    return counts


def _tile(x: np.ndarray, repeat_times: Any) -> np.ndarray:
    return np.tile(x, _counts("tile", x, repeat_times))


tile = define("tile", kernel=_tile, in_words=True, infer=_infer_tile, grad=_grad_tile, onnx=lowered.tile)


def _infer_repeat(x, repeats, axis):
    shape = need_tensor("repeat_interleave", x).shape
    if shape is None:
        return TensorType(x.dtype, None)
    at = axis_of(axis, len(shape), "repeat_interleave")
    count = leaf(repeats)
    length = shape[at] * count if known(shape[at], count) else None  # type: ignore[operator]
    return TensorType(x.dtype, (*shape[:at], length, *shape[at + 1 :]))


def _grad_repeat(ctx, g):
    from .reduce import reduce_sum
    from .views import reshape

    shape = list(ctx.inputs[0].shape)
    at = ctx.attrs["axis"] % len(shape)
    folded = reshape(g, shape=[*shape[: at + 1], ctx.attrs["repeats"], *shape[at + 1 :]])
    return (reduce_sum(folded, axis=(at + 1,), keepdim=False),)


def _repeat(x: np.ndarray, repeats: int, axis: int) -> np.ndarray:
    (times,) = _counts("repeat_interleave", x, [repeats])
    return np.repeat(x, times, axis)


repeat_interleave = define(
    "repeat_interleave",
    kernel=_repeat,
    in_words=True,
    infer=_infer_repeat,
    grad=_grad_repeat,
    onnx=lowered.repeat_interleave,
)

# --- flip, roll ------------------------------------------------------------------------------------------------------


def _infer_flip(x, axis):
    shape = need_tensor("flip", x).shape
    if shape is not None:
        axes_of(axis, len(shape), "flip")
    return x


flip = define(
    "flip",
    kernel=lambda x, axis: np.flip(x, tuple(axis)).copy(),
    infer=_infer_flip,
    grad=lambda ctx, g: (flip(g, axis=ctx.attrs["axis"]),),
    onnx=lowered.flip,
)


def _infer_roll(x, shifts, axis):
    """axis None rolls the flattened tensor."""
    shape = need_tensor("roll", x).shape
    if axis is not None and len(shifts) != len(axis):
        raise ShapeError(f"roll: {len(shifts)} shifts for {len(axis)} axes")
    for a in axis or ():
        if shape is not None:
            axis_of(a, len(shape), "roll")
    return x


def _kernel_roll(x, shifts, axis):
    return np.roll(x, sum(shifts) if axis is None else tuple(shifts), None if axis is None else tuple(axis))


roll = define(
    "roll",
    kernel=_kernel_roll,
    infer=_infer_roll,
    grad=lambda ctx, g: (roll(g, shifts=[-s for s in ctx.attrs["shifts"]], axis=ctx.attrs["axis"]),),
    onnx=lowered.roll,
)

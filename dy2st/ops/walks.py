"""Where NumPy doesn't look where elements lie: views of memory by steps, and adding at indices. All such calls are here."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..errors import ShapeError


def whole_numbers(op: str, numbers: Any, least: int | None = None, count: int | None = None) -> list[int]:
    """`numbers` as Python ints, which don't overflow; ShapeError unless they are `count` whole numbers, none below `least`."""
    try:
        found = [operator.index(n) for n in numbers]
    except TypeError:
        raise ShapeError(f"{op} takes whole numbers, not {reprlib.repr(numbers)}") from None
    if count is not None and len(found) != count:
        raise ShapeError(f"{op} takes {count} whole numbers, not {len(found)}")
    if least is not None and any(n < least for n in found):
        raise ShapeError(f"{op} takes whole numbers from {least} on, not {reprlib.repr(found)}")
    return found


def whole_number(op: str, number: Any, least: int | None = None) -> int:
    """One number as a Python int; ShapeError where it is no whole number, or less than `least`."""
    return whole_numbers(op, (number,), least)[0]


def check_walk(op: str, room: Sequence[int], shape: list[int], steps: list[int], axes: Sequence[int], start: int) -> None:
    """ShapeError where a walk, as `walk` takes it, leaves a tensor whose axes have the lengths `room`."""
    if len(shape) != len(steps):
        raise ShapeError(f"{op}: {len(shape)} lengths and {len(steps)} strides")
    if 0 in shape or not room:
        return
    lowest = [start] + [0] * (len(room) - 1)
    highest = lowest.copy()
    for n, step, axis in zip(shape, steps, axes):
        ends = lowest if step < 0 else highest
        ends[axis] += (n - 1) * step
    for first, last, length in zip(lowest, highest, room):
        if first < 0 or last >= length:
            places = f"the places {first} to {last} of {length}"
            raise ShapeError(f"{op}: shape {shape} with strides {steps} from {start} on takes {places} elements")


def walk(
    op: str, x: np.ndarray, shape: Any, steps: Any, axes: Sequence[int] | None = None, start: Any = 0, writeable: bool = False
) -> np.ndarray:
    """The view of `x` whose axis k has shape[k] elements, each steps[k] further along axis axes[k] of `x`.

    axes: the first axis of `x` for all, where they aren't given. start: where along the first axis of `x` to begin.
    ShapeError where an element would lie outside of `x`.

        walk("rows", np.arange(6), [2, 2], [3, 1])      # [[0, 1], [3, 4]]
    """
    lengths, jumps, begin = whole_numbers(op, shape, least=0), whole_numbers(op, steps), whole_number(op, start)
    along = [0] * len(lengths) if axes is None else list(axes)
    check_walk(op, x.shape, lengths, jumps, along, begin)
    # A step that nobody takes is 0: as a number of bytes it may be beyond what NumPy can hold.
    strides = [step * x.strides[axis] if n > 1 and 0 not in lengths else 0 for n, step, axis in zip(lengths, jumps, along)]
    try:
        return as_strided(x if 0 in lengths else x[begin:], lengths, strides, writeable=writeable and x.flags.writeable)
    except (ValueError, OverflowError) as error:
        raise ShapeError(f"{op}: a view can't have the shape {reprlib.repr(lengths)}: {error}") from None


def add_at(x: np.ndarray, where: Any, value: Any, function: np.ufunc = np.add) -> None:
    """`function.at(x, where, value)`, which by itself crashes for a value of more axes than x[where] has: ShapeError."""
    part = np.broadcast_to(np.False_, x.shape)[where].shape
    if np.ndim(value) > len(part):
        raise ShapeError(f"a value of shape {list(np.shape(value))} doesn't broadcast to the part of shape {list(part)}")
    function.at(x, where, value)

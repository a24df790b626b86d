"""Operators that lay elements out anew. Lengths, axes and places are known: JAX compiles a Program for each set of shapes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....dtypes import DTYPES


def ints(x: Any) -> list[int]:
    """A known tensor of ints as a list."""
    return [int(n) for n in np.asarray(x).reshape(-1)]


def _reshape(m: Any, x: Any, shape: Any, allowzero: int = 0) -> Any:
    dims = [x.shape[k] if n == 0 and not allowzero else n for k, n in enumerate(ints(shape))]
    if -1 in dims:
        others = math.prod(n for n in dims if n != -1)
        dims[dims.index(-1)] = x.size // others if others else 0
    return m.reshape(x, dims)


def _slice(m: Any, x: Any, starts: Any, ends: Any, axes: Any = None, steps: Any = None) -> Any:
    starts, ends = ints(starts), ints(ends)
    axes = ints(axes) if axes is not None else range(len(starts))
    steps = ints(steps) if steps is not None else [1] * len(starts)
    where: list[Any] = [slice(None)] * x.ndim
    for start, end, axis, step in zip(starts, ends, axes, steps):
        length = x.shape[axis]
        if step > 0:
            first, last = (max(n + length, 0) if n < 0 else n for n in (start, end))
            where[axis] = slice(first, last, step)
        else:
            first = min(start + length if start < 0 else start, length - 1)
            last = end + length if end < 0 else end
            where[axis] = slice(first, None if last < 0 else last, step) if first >= 0 else slice(0, 0)
    return x[tuple(where)]


def _squeeze(m: Any, x: Any, axes: Any = None) -> Any:
    return m.squeeze(x, tuple(ints(axes)) if axes is not None else None)


def _unsqueeze(m: Any, x: Any, axes: Any) -> Any:
    return m.expand_dims(x, tuple(ints(axes)))


def _expand(m: Any, x: Any, shape: Any) -> Any:
    return m.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(ints(shape))))


def _pad(m: Any, x: Any, pads: Any, value: Any = None, axes: Any = None, mode: Any = "constant") -> Any:
    sizes, places = ints(pads), ints(axes) if axes is not None else [*range(x.ndim)]
    widths = [(0, 0)] * x.ndim
    for k, axis in enumerate(places):
        widths[axis] = (sizes[k], sizes[k + len(places)])
    cut = tuple(slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(widths, x.shape))
    grown = [(max(a, 0), max(b, 0)) for a, b in widths]
    way = {"constant": "constant", "reflect": "reflect", "edge": "edge", "wrap": "wrap"}[
        mode if isinstance(mode, str) else mode.decode()
    ]
    if way != "constant":
        return m.pad(x[cut], grown, mode=way)
    return m.pad(x[cut], grown, constant_values=m.zeros((), x.dtype) if value is None else value)


def _split(m: Any, x: Any, sizes: Any = None, axis: int = 0, num_outputs: int = 1) -> Any:
    if sizes is None:
        each = -(-x.shape[axis] // num_outputs)
        return tuple(m.split(x, [each * k for k in range(1, num_outputs)], axis))
    return tuple(m.split(x, [int(n) for n in np.cumsum(ints(sizes))[:-1]], axis))


def _range(m: Any, start: Any, stop: Any, step: Any) -> Any:
    return np.arange(np.asarray(start).item(), np.asarray(stop).item(), np.asarray(step).item()).astype(start.dtype)


def _filled(m: Any, shape: Any, value: Any, dtype: str) -> Any:
    return m.full(tuple(ints(shape)), value, DTYPES[dtype].numpy)


def _shape(m: Any, x: Any, start: int = 0, end: int | None = None) -> Any:
    return np.asarray(x.shape[start:end], np.int64)


def _concat(m: Any, *xs: Any, axis: int) -> Any:
    return m.concatenate(xs, axis)


def _trilu(m: Any, x: Any, k: Any = None, upper: int = 1) -> Any:
    return (m.triu if upper else m.tril)(x, 0 if k is None else int(np.asarray(k)))


def _flatten(m: Any, x: Any, axis: int = 1) -> Any:
    return m.reshape(x, (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])))


NODES = {
    "Concat": _concat,
    "Expand": _expand,
    "Flatten": _flatten,
    "Pad": _pad,
    "Range": _range,
    "Reshape": _reshape,
    "Shape": _shape,
    "Size": lambda m, x: np.asarray(x.size, np.int64),
    "Slice": _slice,
    "Split": _split,
    "Squeeze": _squeeze,
    "Tile": lambda m, x, repeats: m.tile(x, ints(repeats)),
    "Transpose": lambda m, x, perm=None: m.transpose(x, perm),
    "Trilu": _trilu,
    "Unsqueeze": _unsqueeze,
}

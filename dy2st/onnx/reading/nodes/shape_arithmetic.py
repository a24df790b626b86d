"""Shapes as arrays of ints, of which some are staged: what is computed with them stays ints.

Where one of these functions gives None, it can't do so, and the operator is computed on tensors.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ..axes import normal, size_of
from ..folding import LARGEST, is_small
from ..registry import on_arrays
from ..values import of_ints


@on_arrays("Reshape")
def reshape_array(x: Any, shape: Any = None, *, allowzero: int = 0) -> np.ndarray | None:
    if shape is None or shape.dtype == object or allowzero:
        return None
    return x.reshape([x.shape[at] if n == 0 else n for at, n in enumerate(shape.tolist())])


@on_arrays("Squeeze")
def squeeze_array(x: Any, at: Any = None, *, axes: Any = None) -> np.ndarray | None:
    chosen = at if axes is None else np.array(axes)
    return np.squeeze(x, None if chosen is None else tuple(normal(chosen.reshape(-1).tolist(), x.ndim)))


@on_arrays("Unsqueeze")
def unsqueeze_array(x: Any, at: Any = None, *, axes: Any = None) -> np.ndarray | None:
    chosen = (at if axes is None else np.array(axes)).reshape(-1).tolist()
    return np.expand_dims(x, tuple(normal(chosen, x.ndim + len(chosen))))


@on_arrays("Concat")
def concat_arrays(*xs: Any, axis: int) -> np.ndarray | None:
    return np.concatenate(xs, axis) if is_small(sum(x.size for x in xs), *xs) else None


@on_arrays("Gather")
def gather_array(x: Any, indices: Any, *, axis: int = 0) -> np.ndarray | None:
    if indices.dtype == object:
        return None
    axis = normal([axis], x.ndim)[0]
    if not is_small(x.size // max(x.shape[axis], 1) * indices.size, x):
        return None
    found = x.take(indices.reshape(-1), axis)  # by an index without an axis NumPy would give the staged int itself
    return found.reshape((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


@on_arrays("Slice")
def slice_array(
    x: Any, begin: Any = None, end: Any = None, at: Any = None, by: Any = None, *, starts: Any = None, ends: Any = None,
    axes: Any = None,
) -> np.ndarray | None:  # fmt: skip
    given = [begin, end, at, by] if starts is None else [np.array(starts), np.array(ends), axes and np.array(axes), None]
    if any(part is not None and part.dtype == object for part in given):
        return None
    first, last, chosen, steps = ([] if part is None else part.tolist() for part in given)
    index = [slice(None)] * x.ndim
    for k, axis in enumerate(chosen or range(len(first))):
        step = steps[k] if steps else 1
        index[axis] = slice(first[k], None if step < 0 and last[k] < -x.shape[axis] else last[k], step)
    return x[tuple(index)]


@on_arrays("Add", "Sub", "Mul", "Div")
def arithmetic(a: Any, b: Any, *, mark: Any) -> np.ndarray | None:
    """With staged ints; known arrays are computed as tensors are."""
    if object not in (a.dtype, b.dtype) or a.dtype.kind not in "iO" or b.dtype.kind not in "iO":
        return None
    a, b = np.broadcast_arrays(a, b)
    if not is_small(a.size, a, b):
        return None
    found = map(_ARITHMETIC[mark.op_type], a.reshape(-1).tolist(), b.reshape(-1).tolist())
    return of_ints(map(_wrapped, found), a.shape)


def _wrapped(n: Any) -> Any:
    """An int as int64 has it; a staged int stays."""
    return (n + (1 << 63)) % (1 << 64) - (1 << 63) if isinstance(n, int) else n


def _quotient(a: Any, b: Any) -> Any:
    """Without its fraction, as ONNX has it; Python rounds down."""
    found = a // b
    return found + ((found * b != a) & ((a < 0) ^ (b < 0)))


_ARITHMETIC = {"Add": operator.add, "Sub": operator.sub, "Mul": operator.mul, "Div": _quotient}


@on_arrays("ReduceProd")
def product(x: Any, at: Any = None, *, axes: Any = None, keepdims: int = 1) -> np.ndarray | None:
    if x.dtype != object or x.ndim != 1:
        return None
    return of_ints([_wrapped(size_of(list(x)))], (1,) if keepdims else ())


@on_arrays("Split")
def split_array(
    x: Any, sizes: Any = None, *, axis: int = 0, split: Any = None, num_outputs: int | None = None, outputs: int = 1
) -> Any:
    given = sizes.tolist() if sizes is not None and sizes.dtype != object else split
    if (sizes is not None and given is None) or num_outputs not in (None, outputs):
        return None
    length = -(-x.shape[axis] // outputs)
    ends = np.cumsum(given)[:-1] if given is not None else [*range(length, x.shape[axis], length)]
    return tuple(np.split(x, ends, axis))


@on_arrays("ConstantOfShape")
def constant_array(shape: Any, *, value: Any = None) -> np.ndarray | None:
    lengths = shape.tolist()
    if shape.dtype == object or math.prod(lengths) > LARGEST or min(lengths, default=0) < 0:
        return None
    return np.zeros(lengths, np.float32) if value is None else np.full(lengths, value.reshape(-1)[0], value.dtype)


@on_arrays("Expand")
def expand_array(x: Any, shape: Any) -> np.ndarray | None:
    if shape.dtype == object:
        return None
    lengths = np.broadcast_shapes(x.shape, tuple(shape.tolist()))
    return np.broadcast_to(x, lengths).copy() if is_small(math.prod(lengths), x) else None

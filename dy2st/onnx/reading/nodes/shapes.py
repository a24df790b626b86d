"""Shapes, and what makes another shape of a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors import ShapeError
from ....ops import views
from ....ops.creation import arange, eye, full
from ....ops.manipulate import tile as tile_op
from ....ops.registry import lookup
from ....ops.shape import numel
from ....ops.shape import shape as shape_of
from ....runtime.tensors.tensor import Tensor
from ..axes import flat_at, for_axes, size_of
from ..folding import LARGEST
from ..registry import Ints, Value, node
from ..tensors import dtype_of
from ..values import as_int, as_ints, as_tensor, is_known, of_ints


@node("Shape")
def shape(x: Value, *, start: int = 0, end: int | None = None) -> Any:
    """The lengths, as far as they are known; of a tensor whose rank isn't, a tensor."""
    if isinstance(x, np.ndarray):
        return of_ints(x.shape[start:end])
    if x.type.rank is None:
        return shape_of(x)[slice(start, end)]
    return of_ints(x.shape[start:end])


@node("Size")
def size(x: Value) -> Any:
    if isinstance(x, np.ndarray):
        return np.array(x.size)
    if x.type.rank is None:
        return numel(x)
    return of_ints([size_of(x.shape)], ())


@node("Identity")
def identity(x: Value) -> Any:
    return x


@node("Reshape", since=5)
def reshape(x: Tensor, shape: Ints, *, allowzero: int = 0) -> Tensor:
    """0 keeps a length, unless `allowzero`; -1 is what is left."""
    if allowzero:
        return views.reshape(x, shape=shape)
    wanted = [_kept(n, x, at) for at, n in enumerate(shape)]
    same = {at for at, n in enumerate(shape) if isinstance(n, int) and n == 0}
    if same and -1 in shape:  # the lengths that stay may be 0: what is left is told by the others
        others = [n for at, n in enumerate(wanted) if at not in same and not (isinstance(n, int) and n == -1)]
        rest = size_of([n for at, n in enumerate(x.shape) if at not in same])
        wanted[shape.index(-1)] = rest // size_of(others)
    return views.reshape(x, shape=wanted)


def _kept(n: Any, x: Tensor, axis: int) -> Any:
    if isinstance(n, int):
        return x.shape[axis] if n == 0 else n
    return n + (n == 0) * x.shape[axis] if axis < x.ndim else n


@node("Reshape")
def reshape_to(x: Tensor, *, shape: list[int]) -> Tensor:
    return reshape(x, shape)


@node("Flatten")
def flatten(x: Tensor, *, axis: int = 1) -> Tensor:
    return flat_at(x, axis)


@node("Squeeze", since=13)
def squeeze(x: Tensor, axes: Ints | None = None) -> Tensor:
    """Without axes, all that are of length 1: their lengths have to be known."""
    if axes is None:
        return views.squeeze(x, axis=None)
    may_go = [at for at, n in enumerate(x.shape) if not isinstance(n, int) or n == 1]
    return for_axes(axes, x.ndim, lambda known: _without(x, known), may_go)


def _without(x: Tensor, axes: list[int]) -> Tensor:
    lengths = x.shape
    if any(isinstance(lengths[a], int) and lengths[a] != 1 for a in axes):
        raise ShapeError(f"the axes {axes} of {x.type} aren't all of length 1")
    return views.reshape(x, shape=[n for at, n in enumerate(lengths) if at not in axes])


@node("Squeeze")
def squeeze_at(x: Tensor, *, axes: list[int] | None = None) -> Tensor:
    return squeeze(x, axes)


@node("Unsqueeze", since=13)
def unsqueeze(x: Tensor, axes: Ints) -> Tensor:
    return for_axes(axes, x.ndim + len(axes), lambda known: views.unsqueeze(x, axis=known))


@node("Unsqueeze")
def unsqueeze_at(x: Tensor, *, axes: list[int]) -> Tensor:
    return unsqueeze(x, axes)


@node("Transpose")
def transpose(x: Tensor, *, perm: list[int] | None = None) -> Tensor:
    return views.transpose(x, perm=[*reversed(range(x.ndim))] if perm is None else perm)


@node("Expand", folds=False)
def expand(x: Tensor, shape: Ints) -> Tensor:
    """Lengths of 1, on either side, take that of the other."""
    own = [1] * (len(shape) - x.ndim) + x.shape
    wanted = [1] * (len(own) - len(shape)) + shape
    return views.broadcast_to(x, shape=[_wider(a, b) for a, b in zip(own, wanted)])


def _wider(own: Any, wanted: Any) -> Any:
    if isinstance(wanted, int):
        return own if wanted == 1 else wanted
    if isinstance(own, int) and own == 1:
        return wanted
    return wanted + (wanted == 1) * (own - 1)


@node("Tile", since=6, folds=False)
def tile(x: Tensor, repeats: Value) -> Tensor:
    return tile_op(x, repeat_times=as_ints(repeats, "repeats", x.ndim))


@node("ConstantOfShape", folds=False)
def constant_of_shape(shape: Ints, *, value: Any = None) -> Tensor:
    filled = np.zeros(1, np.float32) if value is None else value
    return full(shape=shape, fill_value=filled.reshape(-1)[0].item(), dtype=as_tensor(filled).dtype.name)


@node("Constant")
def constant(
    *, value: Any = None, value_float: float | None = None, value_floats: Any = None, value_int: int | None = None,
    value_ints: Any = None, sparse_value: Any = None,
) -> Any:  # fmt: skip
    if sparse_value is not None:
        return sparse_value.dense()
    if value is not None:
        return value
    if value_float is not None or value_floats is not None:
        return np.array(value_floats if value_float is None else value_float, np.float32)
    return np.array(value_ints if value_int is None else value_int, np.int64)


@node("Range", folds=False)
def numbers(start: Value, limit: Value, delta: Value, *, stash_type: int = 1) -> Any:
    """start, start + delta, ... up to but not including the limit; computed in float64, whatever is asked for."""
    given = [start, limit, delta]
    if all(map(is_known, given)):
        first, last, step = (x.reshape(-1)[0].item() for x in given)
        if step and (last - first) / step <= LARGEST:
            return np.arange(first, last, step).astype(start.dtype)
    dtype = as_tensor(start).dtype
    first, last, step = (as_int(x) if dtype.is_integer else lookup("py.item")(as_tensor(x)) for x in given)
    return arange(start=first, end=last, step=step, dtype=dtype.name)


@node("EyeLike", folds=False)
def eye_like(x: Tensor, *, dtype: int | None = None, k: int = 0) -> Tensor:
    rows, columns = x.shape
    name = x.dtype.name if dtype is None else dtype_of(dtype)
    if not k:
        return eye(num_rows=rows, num_columns=columns, dtype=name)
    wide = eye(num_rows=rows + columns + abs(k), num_columns=None, dtype=name)
    return wide[max(k, 0) : max(k, 0) + rows, max(-k, 0) : max(-k, 0) + columns]

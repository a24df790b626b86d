"""Between tensors and Python's numbers in a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....dtypes import DTYPES
from ....ir.types import BOOL, FLOAT, INT, NUMBER, SequenceType, Type
from .scalars import is_float, is_in, real, whole

_NO_AXES = np.zeros(0, np.int64)


def only_element(g: Any, x: Any, use: str) -> Any:
    """The only element as a tensor without axes; ValueError where there are more or fewer."""
    if x.shape == ():
        return x.as_tensor()
    if x.shape is not None and all(dim == 1 for dim in x.shape):
        return g.Reshape(x, _NO_AXES)
    single = g.Equal(g.Size(x), 1)
    shape = f", not one of shape {[*x.shape]}" if x.type.is_fixed else ""
    g.check(single, "ValueError", f"{use} takes a tensor of one element{shape}; reduce it first (any, all, sum ...)")
    return g.branch(single, lambda: [g.Reshape(x, _NO_AXES)], lambda: [g.zeros(x.dtype, [])])[0]


def item(g: Any, x: Any) -> Any:
    """x.item()."""
    return g.cast(only_element(g, x, "a Python number"), _item_dtype(x))


def _item_dtype(x: Any) -> str:
    return "bool" if x.dtype == "bool" else "int64" if DTYPES[x.dtype].is_integer else "float64"


def to_tensor(g: Any, x: Any, dtype: str) -> Any:
    """A number as a tensor of a dtype without axes."""
    if g.type_of(x) == BOOL:
        return g.cast(x, dtype)
    as_int = whole(g, x)
    if DTYPES[dtype].is_integer and dtype != "int64":
        ends = np.iinfo(DTYPES[dtype].numpy)
        with g.only_if(g.Not(is_float(g, x))):
            message = f"an int that the Program has computed is beyond {dtype}, as which it gives one back; return it as int64"
            g.check(is_in(g, as_int, int(ends.min), int(ends.max)), "OverflowError", message)
    if g.type_of(x) == INT and not DTYPES[dtype].is_floating:
        return g.cast(as_int, dtype)
    as_float = g.cast(real(g, x), dtype)  # as NumPy rounds an int
    if g.type_of(x) != NUMBER or DTYPES[dtype].is_floating:
        return as_float
    return g.cast(g.Where(is_float(g, x), g.cast(as_float, "int64"), g.cast(g.cast(as_int, dtype), "int64")), dtype)


def tolist(g: Any, x: Any) -> Any:
    """x.tolist(), as sequences."""
    row = g.cast(x, _item_dtype(x))
    if g.rank_of(x) == 0:
        return row
    elem: Type = {"bool": BOOL, "int64": INT, "float64": FLOAT}[row.dtype]
    for _ in range(g.rank_of(x)):
        elem = SequenceType(elem)
    return g.packed(elem, _nested(g, row))


def _nested(g: Any, x: Any) -> list:
    """The leaves of nested sequences: those of the items in a row, and before each, how many of them are of one item."""
    if x.rank == 1:
        return [x]
    shape = g.shape_of(x)
    count = g.Slice(shape, [0], [1], [0])
    merged = g.Reshape(x, g.Concat(g.Mul(count, g.Slice(shape, [1], [2], [0])), g.Slice(shape, [2], [len(x.shape)], [0]), axis=0))
    found = []
    for leaf in _nested(g, merged):
        each = g.Div(g.shape_of(leaf), g.Max(count, 1))
        found += [g.Expand(each, count), leaf]
    return found


def dim(g: Any, x: Any, axis: Any = 0) -> Any:
    """The length of an axis."""
    axis = g.known(axis)
    if axis is not None:
        found = g.length(x, axis)
        g.lengths.add(found.name)
        return found
    g.refuse("the length of an axis that isn't known; write an if for each axis")


def rank(g: Any, x: Any) -> Any:
    """The number of axes."""
    return g.const(x.rank) if x.rank is not None else g.length(g.Shape(x), 0)


def dims(g: Any, x: Any) -> Any:
    """The lengths of all axes, as a sequence of ints."""
    return g.packed(SequenceType(INT), [g.shape_of(x)])

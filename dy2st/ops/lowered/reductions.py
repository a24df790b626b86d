"""Reductions as NumPy promises them: an extreme of nan is nan, of nothing there is none, a mean of nothing is nan."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .elementary import is_floating
from .integer_sums import multiplied, summed

Lowering = Callable[..., Any]
_NARROW = ("bool", "uint8", "int8", "int16")  # of which no sum of a tensor in memory is beyond 2 ** 53


_OF_ONE = frozenset("ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum".split())  # one element is what they give of it


def reduced(g: Any, operator: str, x: Any, axis: Any = None, keepdim: bool = False) -> Any:
    """A Reduce operator over `axis`: None is all of them, a tuple several; () is none."""
    if operator in _OF_ONE and _known_count(x, axis) == 1:
        return _without(g, x, axis, keepdim)
    if axis is None or x.rank == 0:
        return g.reduce(operator, x, None, keepdim)
    axes = axes_of(axis)
    return g.reduce(operator, x, axes, keepdim) if axes else x


def axes_of(axis: Any) -> list:
    """One axis or several as a list."""
    return [*axis] if isinstance(axis, (list, tuple)) else [axis]


def _without(g: Any, x: Any, axis: Any, keepdim: bool) -> Any:
    """`x` without axes of length 1."""
    axes = [*range(x.rank)] if axis is None else axes_of(axis)
    return x if keepdim or not axes or x.rank == 0 else g.Squeeze(x, axes)


def _known_count(x: Any, axis: Any) -> int | None:
    """How many elements a result of a reduction is made of, where the lengths are known."""
    dims = x.shape
    if dims is None:
        return None
    axes = range(len(dims)) if axis is None else axes_of(axis) if dims else []
    is_known = all(isinstance(a, int) and isinstance(dims[a], int) for a in axes)
    return math.prod(dims[a] for a in axes) if is_known else None


def counted(g: Any, x: Any, axis: Any = None) -> Any:
    """How many elements a result of a reduction is made of: an int where the lengths are known, else int64[]."""
    known = _known_count(x, axis)
    if known is not None:
        return known
    if axis is None and x.dtype in ("float32", "float64"):
        return g.Size(x)  # for which onnxruntime has kernels of these dtypes
    lengths = g.Shape(x) if axis is None else g.Gather(g.Shape(x), g.ints(axes_of(axis)), axis=0)
    return g.reduce("ReduceProd", lengths, None)


def is_of_some(g: Any, x: Any, axis: Any = None) -> Any:
    """Whether a result is made of any element: a bool, or bool[]."""
    count = counted(g, x, axis)
    return count > 0 if isinstance(count, int) else g.Greater(count, 0)


def total(operator: str) -> Lowering:
    """Sums and products; those of integers and bools are int64, and wrap."""
    exact, narrow = (summed, _NARROW) if operator == "ReduceSum" else (multiplied, ("bool",))

    def lowering(g: Any, x: Any, axis: Any = None, keepdim: bool = False) -> Any:
        if is_floating(x):
            return reduced(g, operator, x, axis, keepdim)
        wide, is_rounded = g.cast(x, "int64"), g.rounds_integers and x.dtype not in narrow
        if not is_rounded or x.rank == 0 or _known_count(x, axis) == 1:
            return reduced(g, operator, wide, axis, keepdim)
        return exact(g, wide, None if axis is None else axes_of(axis), keepdim)

    return lowering


def mean(g: Any, x: Any, axis: Any = None, keepdim: bool = False) -> Any:
    """The sum over the number of elements: nan where there is none."""
    count = counted(g, x, axis)
    if isinstance(count, int) and count:
        return reduced(g, "ReduceMean", x, axis, keepdim)
    wide = g.cast(x, "float32") if x.dtype == "float16" else x
    return g.cast(g.Div(reduced(g, "ReduceSum", wide, axis, keepdim), g.cast(g.value(count), wide.dtype)), x.dtype)


def extreme(operator: str) -> Lowering:
    """The largest or smallest element, or a nan among them."""

    def lowering(g: Any, x: Any, axis: Any = None, keepdim: bool = False) -> Any:
        found = _of_some(g, operator, x, axis, keepdim)
        if is_floating(x) and _known_count(x, axis) != 1:
            total = reduced(g, "ReduceL1", x, axis, keepdim)  # which is nan where an element is, and only there
            found = g.Where(g.IsNaN(total), math.nan, found)
        return found

    return lowering


def _of_some(g: Any, operator: str, x: Any, axis: Any, keepdim: bool) -> Any:
    """An extreme; the run fails where it is of nothing."""
    found = reduced(g, operator, x, axis, keepdim)
    has_one_axis = isinstance(axis, int) or axis is None and not keepdim
    if _known_count(x, axis) is not None or not has_one_axis:
        return g.checked(found, is_of_some(g, x, axis))
    # To take the first element fails, too, and costs two nodes in loops, where to ask for the length costs five.
    line = g.Reshape(x, [-1]) if axis is None and x.rank != 1 else x
    first = g.Gather(line, g.ints([0]) if keepdim else 0, axis=axis or 0)
    return (g.Max if operator == "ReduceMax" else g.Min)(found, first)


def truth(operator: str) -> Lowering:
    """Whether all or any are true."""

    def lowering(g: Any, x: Any, axis: Any = None, keepdim: bool = False) -> Any:
        if _known_count(x, axis) == 1:
            return _without(g, g.cast(x, "bool"), axis, keepdim)
        flags = g.cast(g.cast(x, "bool"), "uint8")
        return g.cast(reduced(g, operator, flags, axis, keepdim), "bool")

    return lowering


def position(operator: str) -> Lowering:
    """Where the first extreme is, or the first nan."""

    def lowering(g: Any, x: Any, axis: Any = None, keepdim: bool = False, dtype: str = "int64") -> Any:
        axis = g.fixed(axis, "the axis")
        flat = g.Reshape(x, [-1]) if axis is None or x.rank == 0 else x
        at, keep = (axis, keepdim) if flat is x else (0, False)
        given = _nan_as_extreme(g, operator, flat) if x.dtype in _WIDER and not g.finds_nan else flat
        found = g.place(operator, given, at, keep)
        if x.dtype == "float64" and not g.finds_nan:
            nans = g.cast(g.IsNaN(flat), "uint8")
            some = g.cast(g.reduce("ReduceMax", nans, [at], keep), "bool")
            found = g.Where(some, g.place("ArgMax", nans, at, keep), found)
        found = g.checked(found, is_of_some(g, flat, at))
        if keepdim and flat is not x:
            found = g.Reshape(found, [1] * g.rank_of(x))
        return g.cast(found, dtype)

    return lowering


_WIDER = {  # a wider dtype, and a number in it that is beyond all finite ones of the other
    "float16": ("float32", 3.4e38),
    "bfloat16": ("float32", 3.4e38),
    "float32": ("float64", 1e300),
}


def _nan_as_extreme(g: Any, operator: str, x: Any) -> Any:
    """The elements in their order in a wider dtype, where an infinity is finite and a nan is beyond it."""
    wide, beyond = _WIDER[x.dtype]
    clamp, sign = (g.Min, 1) if operator == "ArgMax" else (g.Max, -1)
    given = g.cast(x, wide)
    return g.Where(g.IsNaN(given), sign * math.inf, clamp(given, sign * beyond))


def logsumexp(g: Any, x: Any, axis: Any = None, keepdim: bool = False) -> Any:
    """log(sum(exp(x))); of nothing it is -inf."""
    return reduced(g, "ReduceLogSumExp", x, axis, keepdim)


def product_of_others(g: Any, x: Any, axis: Any = None) -> Any:
    """The product of a matrix of all elements in each row, with 1 in its diagonal."""
    rank = g.rank_of(x)
    axes = sorted(a % rank for a in (range(rank) if axis is None else axes_of(axis))) if rank else []
    kept = [a for a in range(rank) if a not in axes]
    order = [*kept, *axes]
    moved = g.Transpose(x, perm=order) if order != [*range(rank)] else x
    count = g.value(counted(g, x, tuple(axes)))
    flat = g.Reshape(moved, g.ints([*(g.length(x, a) for a in kept), count]), allowzero=1)
    places = g.Range(g.const(0), count, g.const(1))
    is_own = g.Equal(g.Unsqueeze(places, [1]), places)
    others = g.Where(is_own, 1, g.Unsqueeze(flat, [-2]))
    products = reduced(g, "ReduceProd", others, -1) if is_floating(x) else g.cast(total("ReduceProd")(g, others, -1), x.dtype)
    back = g.Reshape(products, g.shape_of(moved), allowzero=1)
    return g.Transpose(back, perm=[order.index(a) for a in range(rank)]) if moved is not x else back

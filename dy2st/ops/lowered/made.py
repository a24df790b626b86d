"""Tensors made of shapes and numbers."""

from __future__ import annotations

from typing import Any

from .elementary import is_floating


def full_like(g: Any, x: Any, fill_value: Any = 0, dtype: str | None = None) -> Any:
    """One number in the shape of another tensor."""
    return g.filled(dtype or x.dtype, fill_value, g.shape_of(x))


def arange(g: Any, start: Any, end: Any, step: Any, dtype: str) -> Any:
    """start, start + step ... before end. Of fractions, the steps are counted in float64, as NumPy counts them."""
    parts = [g.value(part) for part in (start, end, step)]
    if not any(map(is_floating, parts)):
        return g.cast(g.Range(*(_single(g, part, "int64") for part in parts)), dtype)
    first, last, by = (_single(g, part, "float64") for part in parts)
    places = g.Range(first, last, by)
    if "float" in dtype:
        return g.cast(places, dtype)
    start = g.cast(first, "int64")  # integers go on by what the first step is, cut off
    numbers = g.Range(g.const(0), g.length(places, 0), g.const(1))
    return g.cast(g.Add(start, g.Mul(numbers, g.Sub(g.cast(g.Add(first, by), "int64"), start))), dtype)


def linspace(g: Any, start: Any, stop: Any, num: Any, dtype: str) -> Any:
    """`num` numbers from start to stop, computed in float64."""
    first, last = (_single(g, g.value(part), "float64") for part in (start, stop))
    count = _single(g, g.value(num), "int64")
    steps = g.Max(g.Sub(count, 1), 1)
    places = g.cast(g.Range(g.const(0), count, g.const(1)), "float64")
    found = g.Add(g.Mul(places, g.Div(g.Sub(last, first), g.cast(steps, "float64"))), first)
    is_last = g.Equal(places, g.cast(steps, "float64"))
    return g.checked(g.cast(g.Where(is_last, last, found), dtype), g.Greater(count, 0))


def eye(g: Any, num_rows: Any, num_columns: Any, dtype: str) -> Any:
    """1 where the row is the column."""
    rows, columns = (_counted(g, num_rows if count is None else count) for count in (num_rows, num_columns))
    return g.cast(g.Equal(g.Unsqueeze(rows, [1]), columns), dtype)


def triangle(upper: bool) -> Any:
    """Trilu of matrices."""

    def lowering(g: Any, x: Any, diagonal: Any = 0) -> Any:
        return g.Trilu(x, _single(g, g.value(diagonal), "int64"), upper=int(upper))

    return lowering


def one_hot(g: Any, x: Any, num_classes: Any, dtype: str = "float32") -> Any:
    """1 where the class is the place in the last axis; -1 classes are as many as the largest one says."""
    classes = g.cast(x, "int64")
    if g.known(num_classes) == -1:
        some = g.Greater(g.reduce("ReduceProd", g.shape_of(x), None), 0)
        num_classes = g.checked(g.Add(g.reduce("ReduceMax", classes, None), 1), some)
    return g.cast(g.Equal(g.Unsqueeze(classes, [-1]), _counted(g, num_classes)), dtype)


def _counted(g: Any, count: Any) -> Any:
    """0, 1 ... before `count`."""
    return g.Range(g.const(0), _single(g, g.value(count), "int64"), g.const(1))


def _single(g: Any, x: Any, dtype: str) -> Any:
    """A number, or a tensor of one element, as a tensor without axes."""
    x = g.cast(x, dtype)
    return x if x.rank == 0 else g.Reshape(x, [])

"""Items of tuples and sequences in a graph: by index, by slice, one by one."""

from __future__ import annotations

from typing import Any

from .integers import floordiv, sub
from .scalars import MOST, whole


def get(g: Any, container: Any, index: Any, of: str = "tuple") -> Any:
    """container[index]; IndexError where there is no such item. of: "tuple", "list", or "pop" for what a list gives up."""
    if of == "pop":
        g.check(g.Greater(container.length(), 0), "IndexError", "pop from empty list")
    there = has_place(g, container, index)
    g.check(there, "IndexError", f"{of} index out of range")
    elem = container.columns()[0]
    return g.either(there, lambda: container.at(whole(g, index)), lambda: g.blank(elem), elem)


def length(g: Any, container: Any) -> Any:
    """len(container)."""
    found = container.length()
    g.lengths.add(found.name)
    return found


def has_place(g: Any, container: Any, index: Any) -> Any:
    """Whether there is an item at an index, which may count from the end."""
    at, length = whole(g, index), container.length()
    return g.And(g.Less(at, length), g.GreaterOrEqual(at, g.Neg(length)))


def normal_place(g: Any, container: Any, index: Any) -> Any:
    """An index counted from the front; 0 where there is no such item."""
    at = whole(g, index)
    return g.Max(g.Where(g.Less(at, 0), g.Add(at, container.length()), at), 0)


def clipped_end(g: Any, index: Any, length: Any) -> Any:
    """One end of a slice, counted from the front, within the items."""
    return g.Min(_end(g, index, length, 0, 0), length)


def get_dynamic(g: Any, container: Any, index: Any) -> Any:
    """An item of a tuple of known length."""
    at, count = whole(g, index), len(container.type.elems)
    there = g.And(g.Less(at, count), g.GreaterOrEqual(at, -count))
    g.check(there, "IndexError", "tuple index out of range")
    return container.at(g.Where(there, at, 0)) if count else g.blank(container.columns()[0])


def cut(g: Any, container: Any, start: Any = None, stop: Any = None, step: Any = None) -> Any:
    """container[start:stop:step]."""
    by = 1 if step is None else g.known(step)
    if by is None:
        g.refuse("the step of a slice is known only when it runs; write a loop")
    if by == 0:
        g.check(g.const(False), "ValueError", "slice step cannot be zero")
        return container.stretch(g.const(0), g.const(0))
    length = container.length()
    if by == 1:
        return container.stretch(_end(g, start, length, 0, 0), _end(g, stop, length, MOST, 0))
    least, most = (0, length) if by > 0 else (-1, g.Sub(length, 1))
    defaults = (least, most) if by > 0 else (most, least)
    ends = [_end(g, x, length, default, least) for x, default in zip((start, stop), defaults)]
    return container.taken(steps(g, g.Min(ends[0], most), g.Min(ends[1], most), by))


def steps(g: Any, start: Any, stop: Any, by: int) -> Any:
    """The places from `start` up to `stop` without it: all at least 0.

    Of a Gather at a Range onnxruntime makes a Slice, for which the end of a range that goes down to 0, -1, is the last place.
    """
    found = g.Range(start, stop, g.const(by))
    return g.Abs(found) if by < 0 else found


def _end(g: Any, x: Any, length: Any, default: Any, least: int) -> Any:
    """One end of a slice, counted from the front and at least `least`."""
    if x is None:
        return g.value(default, "int64").as_tensor()
    known = g.known(x)
    if known is not None and known >= 0:
        return g.const(known)
    at = whole(g, g.value(x, "int64"))
    return g.Max(g.Where(g.Less(at, 0), g.Add(at, length), at), least)


def repeat(g: Any, container: Any, times: Any) -> Any:
    """container * times."""
    length = container.length()
    places = g.Range(g.const(0), g.Mul(length, g.Max(whole(g, times), 0)), g.const(1))
    return container.taken(g.Mod(places, g.Max(length, 1)))


def range_length(g: Any, start: Any, stop: Any, step: Any) -> Any:
    """How many numbers range(start, stop, step) has."""
    first, by = whole(g, start), whole(g, step)
    nonzero = g.Not(g.Equal(by, 0)) if not by.item else g.const(True)
    g.check(nonzero, "ValueError", "range() arg 3 must not be zero")
    distance = sub(g, whole(g, stop), first)
    if by.item == 1:
        return g.Max(distance, 0)
    divisor = by if by.item else g.Where(nonzero, by, 1)
    below = floordiv(g, distance, divisor)
    rounded_up = g.Add(below, g.cast(g.Not(g.Equal(g.Mul(below, divisor), distance)), "int64"))
    return g.Max(rounded_up, 0)

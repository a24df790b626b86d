"""Which items a slice takes of a sequence: the bounds as Python computes them, of ints that only the Program knows."""

import operator


def indices_of(start, stop, step, length):
    """`slice(start, stop, step).indices(length)`"""
    length = operator.index(length)
    if length < 0:
        raise ValueError("length should not be negative")
    step = 1 if step is None else as_bound(step)
    start, stop = clipped(None if start is None else as_bound(start), None if stop is None else as_bound(stop), step, length)
    return start, stop, step


def as_bound(value):
    """The int of a bound, which may be an object with an `__index__`."""
    if not hasattr(value, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return operator.index(value)


def clipped(start, stop, step, length):
    """Start and stop within a sequence of this length."""
    if step == 0:
        raise ValueError("slice step cannot be zero")
    low, high = (0, length) if step > 0 else (-1, length - 1)
    if start is None:
        start = low if step > 0 else high
    else:
        start = max(start + length, low) if start < 0 else min(start, high)
    if stop is None:
        stop = high if step > 0 else low
    else:
        stop = max(stop + length, low) if stop < 0 else min(stop, high)
    return start, stop

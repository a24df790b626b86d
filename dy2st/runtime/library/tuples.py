"""`tuple`, for classes of the user's that derive from it: as Python's C code, its methods call none of the subclass."""

from __future__ import annotations

from .base import Sequence, held_by, written


@written(tuple)
class Tuple(Sequence):
    """A tuple that an object holds. Python fills one before its `__init__` runs."""

    def __init__(self, /, *args, **named):
        pass

    def _fill(self, iterable=(), /):
        self._items = tuple(iterable)

    def __add__(self, other):
        if not isinstance(other, tuple):
            raise TypeError(f'can only concatenate tuple (not "{type(other).__name__}") to tuple')
        return (*self._items, *held_by(other))

    def __radd__(self, other):
        return (*held_by(other), *self._items) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times):
        return self._items * times

    __rmul__ = __mul__

    def __eq__(self, other):
        return self._items == held_by(other) if isinstance(other, tuple) else NotImplemented

    def __lt__(self, other):
        return (*self._items,) < (*held_by(other),) if isinstance(other, tuple) else NotImplemented

    def __le__(self, other):
        return (*self._items,) <= (*held_by(other),) if isinstance(other, tuple) else NotImplemented

    def __gt__(self, other):
        return (*self._items,) > (*held_by(other),) if isinstance(other, tuple) else NotImplemented

    def __ge__(self, other):
        return (*self._items,) >= (*held_by(other),) if isinstance(other, tuple) else NotImplemented

    def __hash__(self):
        return hash(self._items)

"""Tuples whose length is known only at run time."""

from __future__ import annotations

from ...ops.registry import lookup
from .containers import StagedContainer, not_concatenated


class StagedTuple(StagedContainer):
    """A tuple whose length is known only at run time."""

    __slots__ = ()
    stands_for = tuple

    def __getitem__(self, index):
        if isinstance(index, slice):
            return lookup("sequence.slice")(self, start=index.start, stop=index.stop, step=index.step)
        return lookup("sequence.get")(self, index)

    def __add__(self, other):
        if isinstance(other, tuple):
            other = lookup("sequence.from_tuple")(other)
        return lookup("sequence.concat")(self, other) if isinstance(other, StagedTuple) else not_concatenated(tuple, other)

    def __radd__(self, other):
        return lookup("sequence.from_tuple")(other) + self if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times):
        return lookup("sequence.repeat")(self, times)

    __rmul__ = __mul__

    def index(self, item, *bounds):
        return self.to_list().index(item, *bounds)

    def count(self, item):
        return self.to_list().count(item)

    def to_list(self):
        return lookup("sequence.to_list")(self)

    def length(self):
        return lookup("sequence.len")(self)

    def contains(self, item):
        return lookup("sequence.contains")(self, item)

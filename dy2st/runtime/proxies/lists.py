"""Lists whose length or contents are known only at run time."""

from __future__ import annotations

import sys
from typing import Any

from ...ops.registry import lookup
from ..tensors.tensor import Tensor
from .base import Staged, as_index, recorder
from .containers import StagedContainer, not_concatenated
from .scalars import PYTHON_CLASS
from .sums import StagedSum


class StagedList(StagedContainer):
    """A list whose length or contents are known only at run time; shared by reference, like a list."""

    __slots__ = ()
    stands_for = list

    def __getitem__(self, index):
        if isinstance(index, slice):
            return lookup("list.slice")(self, start=index.start, stop=index.stop, step=index.step)
        return lookup("list.get")(self, index)

    def __setitem__(self, index, value):
        if isinstance(index, slice):
            value = recorder().as_list(value)
            lookup("list.set_slice")(self, value, start=index.start, stop=index.stop, step=index.step)
            return
        lookup("list.set")(self, index, value)

    def __delitem__(self, index):
        if isinstance(index, slice):
            lookup("list.delete_slice")(self, start=index.start, stop=index.stop, step=index.step)
            return
        lookup("list.delete")(self, index)

    def append(self, item, /):
        lookup("list.append")(self, item)

    def extend(self, items, /):
        lookup("list.extend")(self, recorder().as_list(items))

    def insert(self, index, item, /):
        lookup("list.insert")(self, index, item)

    def pop(self, index=-1, /):
        return lookup("list.pop")(self, index)

    def remove(self, item, /):
        lookup("list.remove")(self, item)

    def index(self, item, /, *bounds):
        return lookup("list.index")(self, item, *bounds)

    def count(self, item, /):
        return lookup("list.count")(self, item)

    def reverse(self):
        lookup("list.reverse")(self)

    def sort(self, *, key=None, reverse=False):
        reverse = as_flag(reverse)
        if key is None:
            lookup("list.sort")(self, reverse=reverse)
        else:
            rec = recorder()
            lookup("list.sort_by")(self, rec.convert_call(list)(rec.convert_call(map)(key, self)), reverse=reverse)

    def clear(self):
        lookup("list.clear")(self)

    def copy(self):
        return lookup("list.copy")(self)

    def __add__(self, other):
        is_list = isinstance(other, list | StagedList)
        return lookup("list.concat")(self, recorder().as_list(other)) if is_list else not_concatenated(list, other)

    def __radd__(self, other):
        return lookup("list.concat")(recorder().as_list(other), self) if isinstance(other, list) else NotImplemented

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, times):
        if isinstance(times, Tensor):
            return NotImplemented  # Python asks the tensor first
        return lookup("list.repeat")(self, times)

    def __rmul__(self, times):
        return NotImplemented if isinstance(times, Tensor) else self * times

    def __imul__(self, times):
        self[:] = lookup("list.repeat")(self, times)
        return self

    def length(self):
        return lookup("list.len")(self)

    def contains(self, item):
        return lookup("list.contains")(self, item)


def as_flag(value: Any) -> Any:
    """The order of a sort as the Program can take it; until Python 3.12, it has to be an int."""
    rec = recorder()
    value = rec.heap.resolve(value)
    if not isinstance(value, Staged | Tensor):
        return value
    if isinstance(value, StagedSum):
        return rec.on_alternatives(value, as_flag)
    if sys.version_info < (3, 12) and isinstance(value, Tensor):
        value = as_index(value)
    cls = PYTHON_CLASS.get(type(value), getattr(value, "stands_for", int))
    if sys.version_info < (3, 12) and not issubclass(cls, int):
        raise TypeError(f"{cls.__name__!r} object cannot be interpreted as an integer")
    return rec.truth(value)

"""Dicts whose keys or values are known only at run time."""

from __future__ import annotations

from ...ops.registry import lookup
from ..library import view_of
from .base import recorder
from .containers import StagedContainer


class StagedDict(StagedContainer):
    """A dict whose keys or values are known only at run time; shared by reference."""

    __slots__ = ()
    stands_for = dict

    def __getitem__(self, key):
        return lookup("dict.get")(self, key)

    def __setitem__(self, key, value):
        lookup("dict.set")(self, key, value)

    def __delitem__(self, key):
        self._note_change(key)
        lookup("dict.delete")(self, key)

    def get(self, key, default=None, /):
        return lookup("dict.get_default")(self, key, default)

    def pop(self, key, /, *default):
        self._note_change(key)
        return lookup("dict.pop")(self, key, *default)

    def setdefault(self, key, default=None, /):
        return lookup("dict.setdefault")(self, key, default)

    def update(self, other=(), /, **more):
        rec = recorder()
        if not isinstance(other, StagedDict):
            other, more = rec.heap.resolve(rec.convert_call(dict)(other, **more)), {}
        if isinstance(other, StagedDict):
            lookup("dict.update")(self, other)
            other = more
        for key, value in other.items():
            self[key] = value

    def __ior__(self, other):
        self.update(other)
        return self

    def __or__(self, other):
        if not isinstance(other, dict | StagedDict):
            return NotImplemented
        merged = self.copy()
        merged.update(other)
        return merged

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        merged = recorder().heap.materialise(recorder().new(dict(other)))
        merged.update(self)
        return merged

    def popitem(self):
        recorder().iterators.note_change(self, lambda: True)
        return lookup("dict.popitem")(self)

    def keys(self):
        return recorder().new(view_of(self, "keys"))

    def values(self):
        return recorder().new(view_of(self, "values"))

    def items(self):
        return recorder().new(view_of(self, "items"))

    def copy(self):
        return lookup("dict.copy")(self)

    def clear(self):
        recorder().iterators.note_change(self, lambda: self.length() != 0)
        lookup("dict.clear")(self)

    def length(self):
        return lookup("dict.len")(self)

    def contains(self, key):
        return lookup("dict.contains")(self, key)

    def _note_change(self, key):
        recorder().iterators.note_change(self, lambda: self.contains(key))

"""What a guard remembers of a value from outside, and whether that still holds: which object it is, and what a container held."""

from __future__ import annotations

from collections import OrderedDict
from operator import is_
from typing import Any

import numpy as np

from ...pytree import contents_of, is_container
from ..heap.arrays import Held
from ..heap.identity import same_object
from .kept_by_c import Said, says

ROWS, TABLES = (list, tuple), (dict, OrderedDict)
EMPTIED = (list, dict, OrderedDict, set)  # of which `bool` tells that they hold nothing


class Contents:
    """What a container held."""

    def __init__(self, container: Any):
        self.container = container
        self.keys, items = contents_of(container)
        self.items = [_remembered_part(item) for item in items]
        self.was_empty = type(container) in EMPTIED and not self.items
        plain = not any(isinstance(item, OF_CONTENTS) for item in self.items)
        self._row, self._table = plain and type(container) in ROWS, plain and type(container) in TABLES

    def still(self, new: Any) -> bool:
        """Whether the same container holds the same."""
        if new is not self.container:
            return False
        if self._row and len(new) == len(self.items) and all(map(is_, new, self.items)):
            return True  # as nearly always
        if self._table and len(new) == len(self.items) and all(map(is_, new, self.keys)):
            if all(map(is_, new.values(), self.items)):
                return True
        keys, items = contents_of(new)
        return keys == self.keys and all(is_unchanged(old, item) for old, item in zip(self.items, items))


OF_CONTENTS = (Contents, Held, Said)  # what remembers more than which object it was


def remembered(value: Any) -> Any:
    """What a guard remembers of a value: of a container, an array or a buffer, its contents too."""
    if is_container(value):
        return Contents(value)
    return _remembered_part(value)


def _remembered_part(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return Held(value)
    return Said(value) if says(value) else value


def is_unchanged(old: Any, new: Any) -> bool:
    """Whether a value still is what is remembered of it."""
    if isinstance(old, OF_CONTENTS):
        return old.still(new)
    return same_object(old, new)

"""Methods of Python's own lists, dicts and sets: what they act on is decided when they are called, after their arguments."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ...heap.staged_objects import contents
from ...library import View, view_of
from ...proxies import StagedContainer
from ...recorder.recorder import Recorder
from ...where.faults import as_the_user
from ..iteration.compare import convert_in
from ..operations.access import at
from ..operations.ifelse import convert_ifelse, convert_raise
from ..operations.iteration import Iteration
from ..operations.ranges import StagedRange
from ..operations.structures import is_staged_in
from .foreign import foreign_function
from .ordering import sort

MUTATORS: dict[type, set[str]] = {
    list: {"append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "__setitem__", "__delitem__", "__iadd__"},
    dict: {"update", "pop", "popitem", "setdefault", "clear", "__setitem__", "__delitem__"},
    set: {
        *("add", "discard", "remove", "pop", "clear", "update"),
        *("difference_update", "intersection_update", "symmetric_difference_update"),
    },
}
REMOVERS = {"pop", "popitem", "clear"}
TAKING = {"update", "union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint"}
STORING = {"append", "insert"}
TAKING |= {"difference_update", "intersection_update", "symmetric_difference_update"}
SEARCHES = {*TAKING, "index", "count", "get", "pop", "remove", "add", "discard"}  # which look for what they are given
COMPARING = {"index", "count", "remove"}  # ... among items that may be staged themselves


VIEWS = ("keys", "values", "items")
READERS = {*VIEWS, *"get index count most_common elements total __len__ __iter__ __contains__ __reversed__ __getitem__".split()}


def container_method(rec: Recorder, method: Any, owner: Any) -> Callable:
    """The method of a list, dict or set that was looked up."""
    name = method.__name__

    def call(*args: Any, **kwargs: Any) -> Any:
        if name in STORING and args:
            rec.facts.policy.before_item(rec, owner, args[-1])
        if name == "extend":
            args = tuple(map(rec.convert_call(list), args))
        else:
            args = tuple(_items_of(rec, a) for a in args) if name in TAKING else args
            args = tuple(rec.heap.resolve(a) if type(a) in (set, dict) else a for a in args)
        if type(owner) is not list or name == "extend":
            if any(isinstance(a, StagedContainer) for a in args):
                rec.heap.materialise(owner)
        proxy = rec.heap.staged(owner)
        if name == "sort" and proxy is None and rec.heap.is_local(owner):
            return as_the_user(sort, rec, owner, **kwargs)
        if proxy is None and name in MUTATORS[type(owner)]:
            if name == "setdefault":
                return as_the_user(_set_default, rec, owner, *args, **kwargs)
            if name == "update" and type(owner) is dict:
                return _update(rec, owner, *args, **kwargs)
            proxy = rec.heap.change(owner)
        if proxy is not None and proxy is not owner:
            return _on_proxy(proxy, name, args, kwargs)
        asked = (owner, *args) if name in COMPARING else args if name in SEARCHES else args[:1] if name == "insert" else ()
        if any(map(is_staged_in, asked)):
            return _on_proxy(rec.heap.materialise(owner), name, args, kwargs)
        if name in VIEWS and not args:
            return rec.new(view_of(owner, name))
        if name in REMOVERS and type(owner) is dict:
            rec.note_removal(owner, lambda: as_the_user(operator.contains, owner, *args[:1]) if name == "pop" else len(owner) > 0)
        found = as_the_user(method, *args, **kwargs)
        return rec.new(found) if name == "copy" else found

    return call


def _on_proxy(proxy: Any, name: str, args: tuple, kwargs: dict) -> Any:
    """The method of what stands for a list, dict or set."""
    return as_the_user(as_the_user(getattr, proxy, name), *args, **kwargs)


def tuple_method(rec: Recorder, method: Any, owner: Any) -> Callable:
    """`t.index(x)` and `t.count(x)`: of a list of the same items, in the words of a tuple."""

    def call(item: Any, *bounds: Any) -> Any:
        if not any(map(is_staged_in, (owner, item, *bounds))):
            return as_the_user(method, item, *bounds)
        items = rec.heap.materialise(found) if type(found := rec.convert_call(list)(owner)) is list else found
        if method.__name__ == "count":
            return items.count(item)
        searched = items[bounds[0] : bounds[1] if len(bounds) > 1 else None] if bounds else items
        error = ValueError("tuple.index(x): x not in tuple")
        return convert_ifelse(convert_in(item, searched), lambda: items.index(item, *bounds), lambda: convert_raise(error))

    return call


def library_method(rec: Recorder, method: Any, owner: Any) -> Callable:
    """The method of a deque or the like from outside: of what stands for it, unless it only reads what staging knows."""
    name = method.__name__

    def call(*args: Any, **kwargs: Any) -> Any:
        known = name in READERS and rec.heap.staged(owner) is None and not any(map(is_staged_in, args))
        written = None if known else rec.heap.written(owner)
        if written is None:
            return foreign_function(rec, method)(*args, **kwargs)
        return rec.convert_call(getattr(written, name))(*args, **kwargs)

    return call


def _items_of(rec: Recorder, value: Any) -> Any:
    """What a method that takes anything with items is given for a view or a generator, or for a deque and the like."""
    is_read_once = isinstance(value, View | Iteration | StagedRange)
    return rec.heap.resolve(rec.convert_call(list)(value) if is_read_once else contents(rec.heap.resolve(value)))


def _set_default(rec: Recorder, owner: dict, key: Any, default: Any = None, /) -> Any:
    """`dict.setdefault`"""
    if rec.heap.birth(owner) is not None and not rec.heap.is_local(owner):
        return rec.heap.materialise(owner).setdefault(key, default)
    if not as_the_user(operator.contains, owner, key):
        at(owner)[key] = default
    return at(owner)[key]


def _update(rec: Recorder, owner: dict, *args: Any, **kwargs: Any) -> None:
    """`dict.update`, item by item."""
    found = rec.heap.resolve(rec.convert_call(dict)(*args, **kwargs))
    if isinstance(found, StagedContainer):
        rec.heap.materialise(owner).update(found)
        return
    for key, value in found.items():
        at(owner)[key] = value

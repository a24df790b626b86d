"""Structures that go from PyTorch into a Program and back: the same objects, with tensors of the other library in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from .. import pytree


def tensors_in(tree: Any, cls: Any) -> list[Any]:
    """The tensors of a class in lists, dicts, objects and the like, at any depth."""
    return [tree] if isinstance(tree, cls) else list(pytree.walk(tree, lambda x: isinstance(x, cls)))


def replaced(value: Any, cls: Any, change: Callable[[Any], Any], seen: dict[int, Any]) -> Any:
    """A value with `change(tensor)` for each tensor of `cls` in it; a list, dict, set or object stays itself."""
    if isinstance(value, cls):
        return change(value)
    if id(value) in seen or not pytree.holds_leaf(value, lambda x: isinstance(x, cls)):
        return value
    seen[id(value)] = value
    if isinstance(value, tuple):
        return pytree.rebuilt(value, [replaced(part, cls, change, seen) for part in pytree.items_of(value)])
    if pytree.is_container(value):
        keys, items = pytree.contents_of(value)
        given = [replaced(item, cls, change, seen) for item in items]
        pytree.refill(value, dict(zip(keys, given)) if isinstance(value, dict) else given)
    if pytree.has_attributes(type(value)):
        attributes = pytree.attributes_of(value).items()
        pytree.set_attributes(value, {name: replaced(x, cls, change, seen) for name, x in attributes})
    return value


class Crossing:
    """The arguments of one call, with `change(tensor)` for each tensor of `cls`. What is changed of them is handed back."""

    def __init__(self, args: tuple, kwargs: dict[str, Any], cls: Any, change: Callable[[Any], Any]):
        self._cls, self._change = cls, change
        self._copies: dict[int, Any] = {}  # by the id of the original
        self._originals: dict[int, tuple[Any, Any, list]] = {}  # by the id of the copy: itself, the original, its first parts
        self._without: list[Any] = []  # what holds no tensors, and may by and by
        self.args = tuple([self._copied(x) for x in args])
        self.kwargs = {name: self._copied(x) for name, x in kwargs.items()}

    def _copied(self, value: Any) -> Any:
        if isinstance(value, self._cls):
            return self._change(value)
        if pytree.kind_of(value) is None:
            return value
        if not self._holds_tensors(value):
            self._without.append(value)
            return value
        if id(value) not in self._copies:
            parts = [self._copied(part) for part in pytree.items_of(value)]
            copy = self._copies[id(value)] = pytree.rebuilt(value, parts)
            self._originals[id(copy)] = copy, value, parts
        return self._copies[id(value)]

    def _holds_tensors(self, value: Any) -> bool:
        return pytree.holds_leaf(value, lambda x: isinstance(x, self._cls))

    @property
    def parts(self) -> list[Any]:
        """What may hold other tensors after the call than before."""
        return [*(copy for copy, *_ in self._originals.values()), *self._without]

    def hand_back(self, result: Any, cls: Any, change: Callable[[Any], Any]) -> Any:
        """The result with `change(tensor)` for each tensor of `cls`; the same in what the call has changed of the caller's."""
        back = partial(self._back, cls, change, {})
        for copy, original, parts in list(self._originals.values()):
            now = pytree.items_of(copy)
            if len(now) != len(parts) or any(new is not old for new, old in zip(now, parts)):
                _update(original, copy, back)
        for value in self._without:
            replaced(value, cls, change, {})
        return back(result)

    def _back(self, cls: Any, change: Callable[[Any], Any], made: dict[int, tuple[Any, Any]], value: Any) -> Any:
        """A method, since a function inside that calls itself would keep what it refers to until a garbage collection."""
        if isinstance(value, cls):
            return change(value)
        if id(value) in self._originals:
            return self._originals[id(value)][1]
        if not pytree.holds_leaf(value, lambda x: isinstance(x, cls) or id(x) in self._originals):
            return value
        if id(value) not in made:
            parts = [self._back(cls, change, made, part) for part in pytree.items_of(value)]
            made[id(value)] = value, pytree.rebuilt(value, parts)
        return made[id(value)][1]


def _update(original: Any, copy: Any, back: Callable[[Any], Any]) -> None:
    """Let a container or object of the caller's hold what its copy does by now."""
    if pytree.is_container(copy):
        keys, items = pytree.contents_of(copy)
        given = [back(item) for item in items]
        pytree.refill(original, dict(zip(keys, given)) if isinstance(copy, dict) else given)
    if pytree.has_attributes(type(copy)):
        pytree.replace_attributes(original, {name: back(part) for name, part in pytree.attributes_of(copy).items()})

"""Nested Python containers: arguments and results of calls. Their leaves are all that is no container; a set is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .. import pytree


def map_tree(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same containers with `function(leaf)` in place of each leaf."""
    return pytree.copied(tree, pytree.is_unordered, function)


def leaves(tree: Any) -> Iterator[Any]:
    """The leaves from left to right."""
    return pytree.walk(tree, pytree.is_unordered)


def same_tree(a: Any, b: Any, same_leaf: Callable[[Any, Any], bool]) -> bool:
    """Whether two trees have the same containers, and leaves of which `same_leaf` says so."""
    if pytree.is_unordered(a) or pytree.is_unordered(b):
        return pytree.is_unordered(a) and pytree.is_unordered(b) and same_leaf(a, b)
    if pytree.setting_of(a) != pytree.setting_of(b):
        return False
    first, second = pytree.parts_of(a), pytree.parts_of(b)
    return len(first) == len(second) and all(
        key == other and same_tree(x, y, same_leaf) for (key, x), (other, y) in zip(first, second)
    )


def twin(value: Any) -> Any:
    """Another object with the same attributes. `copy.copy` asks for methods of pickling first, which takes four times as long."""
    made = object.__new__(type(value))
    vars(made).update(vars(value))
    return made

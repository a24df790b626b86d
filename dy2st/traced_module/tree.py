"""Nested Python containers: arguments and results of calls. Their leaves are all that is no container; a set is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .. import pytree


def _is_leaf(value: Any) -> bool:
    return not pytree.is_container(value) or isinstance(value, set | frozenset)


def map_tree(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same containers with `function(leaf)` in place of each leaf."""
    return pytree.copied(tree, _is_leaf, function)


def leaves(tree: Any) -> Iterator[Any]:
    """The leaves from left to right."""
    return pytree.walk(tree, _is_leaf)


def same_tree(a: Any, b: Any, same_leaf: Callable[[Any, Any], bool]) -> bool:
    """Whether two trees have the same containers, and leaves of which `same_leaf` says so."""
    if _is_leaf(a) or _is_leaf(b):
        return _is_leaf(a) and _is_leaf(b) and same_leaf(a, b)
    if pytree.setting_of(a) != pytree.setting_of(b):
        return False
    first, second = pytree.parts_of(a), pytree.parts_of(b)
    return len(first) == len(second) and all(
        key == other and same_tree(x, y, same_leaf) for (key, x), (other, y) in zip(first, second)
    )

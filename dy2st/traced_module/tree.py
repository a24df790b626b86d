"""Nested Python containers: arguments and results of calls. Their leaves are everything that is no container."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def map_tree(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same containers with `function(leaf)` in place of each leaf."""
    if type(tree) is tuple:
        return tuple([map_tree(function, part) for part in tree])
    if type(tree) is list:
        return [map_tree(function, part) for part in tree]
    if isinstance(tree, dict):
        return {key: map_tree(function, part) for key, part in tree.items()}
    if type(tree) is slice:
        return slice(*[map_tree(function, part) for part in (tree.start, tree.stop, tree.step)])
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*[map_tree(function, part) for part in tree])
    return function(tree)


def leaves(tree: Any) -> Iterator[Any]:
    """The leaves from left to right."""
    if isinstance(tree, list | tuple):
        for part in tree:
            yield from leaves(part)
    elif isinstance(tree, dict):
        for part in tree.values():
            yield from leaves(part)
    elif type(tree) is slice:
        yield from leaves((tree.start, tree.stop, tree.step))
    else:
        yield tree


def same_tree(a: Any, b: Any, same_leaf: Callable[[Any, Any], bool]) -> bool:
    """Whether two trees have the same containers, and leaves of which `same_leaf` says so."""
    if type(a) is slice:
        return type(b) is slice and same_tree((a.start, a.stop, a.step), (b.start, b.stop, b.step), same_leaf)
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(same_tree(x, y, same_leaf) for x, y in zip(a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same_tree(a[k], b[k], same_leaf) for k in a)
    return not isinstance(b, list | tuple | dict | slice) and same_leaf(a, b)

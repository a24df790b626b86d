"""Where a class of the user's stores an attribute."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

from ...errors import SourceUnavailableError
from ...transformers.source import find_function
from .reached import is_users


def methods(owner: Any) -> Iterator[ast.AST]:
    """The trees of all methods of an object whose source is at hand."""
    for cls in type(owner).__mro__:
        for function in vars(cls).values():
            if isinstance(function, types.FunctionType) and (tree := _tree(function)) is not None:
                yield tree


def stores(owner: Any, name: str) -> Iterator[tuple[str, ast.stmt]]:
    """(file, statement) of each assignment to the attribute `name` in the methods of the owner's classes."""
    for cls in filter(is_users, type(owner).__mro__):
        for function in vars(cls).values():
            if isinstance(function, types.FunctionType):
                yield from ((function.__code__.co_filename, part) for part in _assignments(function) if _stores(part, name))


def _assignments(function: types.FunctionType) -> list[ast.Assign | ast.AnnAssign]:
    tree = _tree(function)
    return [] if tree is None else [part for part in ast.walk(tree) if isinstance(part, ast.Assign | ast.AnnAssign)]


def _tree(function: types.FunctionType) -> ast.AST | None:
    """The tree of a function; None where its source isn't there."""
    try:
        return find_function(function).node
    except SourceUnavailableError:
        return None


def _stores(part: ast.Assign | ast.AnnAssign, name: str) -> bool:
    targets = part.targets if isinstance(part, ast.Assign) else [part.target]
    return any(isinstance(target, ast.Attribute) and target.attr == name for target in targets)

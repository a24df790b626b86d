"""Names that nothing binds, and attributes that are nowhere: a line that reads one raises, whatever the inputs are.

The conversion says so, too, of the paths that it takes. This rule reads all of them, and needs no inputs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from inspect import getattr_static
from types import ModuleType
from typing import Any

from ...nn.layer import Layer
from ..naming.pytorch import is_module
from .finding import FAILING, Finding, raises
from .names import UNKNOWN, stored_in
from .reached import Reached
from .stores import methods


def missing(reached: Reached) -> Iterator[Finding]:
    """A Finding for each name, and each attribute of a module, a Layer or `self`, that there is none of."""
    bound = set(_bound_in(reached.node))
    spared = {id(part) for node in ast.walk(reached.node) for apart in _spared(node) for part in ast.walk(apart)}
    for node in reached.walk():
        if id(node) in spared or not isinstance(getattr(node, "ctx", None), ast.Load):
            continue
        if isinstance(node, ast.Name) and node.id not in bound and node.id not in reached.names:
            known = [*bound, *reached.names]
            yield _finding(reached, node, f"NameError: name {node.id!r} is not defined", node.id, known)
        elif isinstance(node, ast.Attribute) and not _is_mentioned(reached.node, node.attr):
            yield from _missing_attribute(reached, node)


def _spared(node: ast.AST) -> list[ast.AST]:
    """What in a node may name what there is none of: what a `try` catches, and annotations, which Python may never look at."""
    if isinstance(node, ast.Try | getattr(ast, "TryStar", ast.Try)):  # TryStar came with Python 3.11
        return [*node.body] if node.handlers else []
    found = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    return [part for part in found if isinstance(part, ast.AST)]


def _missing_attribute(reached: Reached, node: ast.Attribute) -> Iterator[Finding]:
    owner = reached.names.value(node.value)
    if owner is UNKNOWN or not (isinstance(owner, ModuleType | Layer) or is_module(owner) or owner is reached.owner):
        return
    is_private = node.attr.startswith("__") and not node.attr.endswith("__")  # Python gives it another name
    if is_private or getattr_static(type(owner), node.attr, None) is not None or _may_get(owner, node.attr):
        return
    try:
        getattr(owner, node.attr)
    except AttributeError as error:
        yield _finding(reached, node, f"AttributeError: {error}", node.attr, dir(owner), f"{ast.unparse(node.value)}.")


def _may_get(owner: Any, name: str) -> bool:
    """Whether a method of the owner may give it the attribute: it stores one of this name, or has its name as a text."""
    return any(_is_mentioned(tree, name) for tree in methods(owner))


def _is_mentioned(tree: ast.AST, name: str) -> bool:
    """Whether something in a tree stores an attribute of this name, or is a text that is its name, as `hasattr` takes it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == name and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.Constant) and node.value == name:
            return True
    return False


def _finding(reached: Reached, node: ast.expr, error: str, name: str, known: Iterable[str], before: str = "") -> Finding:
    """A Finding with the name that comes closest."""
    like = get_close_matches(name, known, 1, 0.75)
    return reached.finding(node, FAILING, raises(error), f"{before}{like[0]}" if like else "")


def _bound_in(node: ast.AST) -> Iterator[str]:
    """All names that a function, or what is in it, binds in any way."""
    yield from stored_in(node)
    for part in ast.walk(node):
        if isinstance(part, ast.alias):
            yield (part.asname or part.name).partition(".")[0]
        elif isinstance(part, ast.Global | ast.Nonlocal):
            yield from part.names
        else:
            yield from _named(part)


def _named(part: ast.AST) -> Iterator[str]:
    """What is bound by the name in a node: functions, classes, handlers and patterns."""
    found: Any = getattr(part, "name", None) or getattr(part, "rest", None)
    if isinstance(found, str):
        yield found

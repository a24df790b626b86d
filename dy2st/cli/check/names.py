"""What the names in a function stand for, as far as the live objects tell."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import types
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import pytree

UNKNOWN = object()
PLAIN = (bool, int, float, complex, str, type(None), np.dtype, np.ndarray, np.generic)
CASTS = (bool, int, float, complex, str)
MADE_OF_PARTS = (
    ast.Tuple, ast.List, ast.UnaryOp, ast.BinOp, ast.keyword, ast.Attribute, ast.Subscript, ast.Slice, ast.Call,
)  # fmt: skip


class Names:
    """The globals, closure variables and the object `self` of one function.

    function, node: the function and its tree. owner: the object that it is a method of; None for a plain function.
    """

    def __init__(self, function: types.FunctionType, node: Any, owner: Any):
        self._known = {**vars(builtins), **function.__globals__, **inspect.getclosurevars(function).nonlocals}
        stores = Counter(stored_in(node))
        for name in stores:
            self._known.pop(name, None)
        self._known.update(_imported_in(node))
        arguments = [*node.args.posonlyargs, *node.args.args]
        self.self_name = arguments[0].arg if owner is not None and arguments else None
        if self.self_name is not None:
            self._known[self.self_name] = owner
        self._constants: set[str] = set()  # local variables
        for name, value in _assigned_in(node):
            if stores[name] == 1 and self.is_constant(value):
                self._constants.add(name)

    def __contains__(self, name: str) -> bool:
        """Whether a name has its value before the function runs."""
        return name in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def value(self, node: ast.AST) -> Any:
        """The object that a name or a chain of attributes stands for; UNKNOWN where only a run tells."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._known.get(node.id, UNKNOWN)
        if isinstance(node, ast.Attribute):
            owner = self.value(node.value)
            if owner is UNKNOWN or isinstance(inspect.getattr_static(type(owner), node.attr, None), property):
                return UNKNOWN
            return getattr(owner, node.attr, UNKNOWN)
        return UNKNOWN

    def is_constant(self, node: ast.AST) -> bool:
        """Whether an expression is known before the model runs: of numbers, strings, arrays, and what NumPy makes of these."""
        value = self.value(node)
        if value is not UNKNOWN:
            return is_numpy(value) or all(map(_is_plain, pytree.nodes(value)))
        if isinstance(node, ast.Name):
            return node.id in self._constants
        children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr | ast.keyword)]
        return isinstance(node, MADE_OF_PARTS) and not draws(node) and all(map(self.is_constant, children))

    def module_name(self, module_root: str, default: str) -> str:
        """What the file calls a package: `paddle` after `import dy2st as paddle`."""
        for name, value in self._known.items():
            if isinstance(value, types.ModuleType) and value.__name__ == module_root:
                return name
        return default


def is_numpy(value: Any) -> bool:
    """Whether an object is a function or class of NumPy's."""
    if value is UNKNOWN or not callable(value):
        return False
    home = getattr(value, "__self__", None)
    module = getattr(value, "__module__", None) or type(home).__module__
    return isinstance(value, np.ufunc) or module.partition(".")[0] == "numpy"


def draws(node: ast.AST) -> bool:
    """Whether a node is a call of NumPy's random numbers."""
    is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return is_method and ".random." in f".{ast.unparse(node.func.value)}."  # type: ignore[attr-defined]


def _is_plain(value: Any) -> bool:
    return type(value) in (list, tuple, dict) or isinstance(value, PLAIN) or any(value is cast for cast in CASTS)


def _assigned_in(node: ast.AST) -> list[tuple[str, ast.expr]]:
    """The variables that are assigned by themselves, with what they are given, in the order of the lines."""
    found = sorted((part for part in ast.walk(node) if isinstance(part, ast.Assign)), key=lambda part: part.lineno)
    alone = [(part.targets[0], part.value) for part in found if len(part.targets) == 1]
    return [(target.id, value) for target, value in alone if isinstance(target, ast.Name)]


def stored_in(node: ast.AST) -> Iterator[str]:
    """The names that a function, or a function in it, stores into, takes as arguments or gives to functions."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            yield part.id
        elif isinstance(part, ast.arg):
            yield part.arg
        elif isinstance(part, ast.FunctionDef) and part is not node:
            yield part.name


def _imported_in(node: ast.AST) -> dict[str, Any]:
    """What a function imports itself, by name."""
    found: dict[str, Any] = {}
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            for alias in part.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or name] = sys.modules.get(name, UNKNOWN)
        elif isinstance(part, ast.ImportFrom):
            module = sys.modules.get(part.module or "")
            found.update({alias.asname or alias.name: getattr(module, alias.name, UNKNOWN) for alias in part.names})
    return found

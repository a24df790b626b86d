"""What the names in a function stand for, as far as the live objects tell."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import types
from collections.abc import Iterator
from typing import Any

UNKNOWN = object()
PLAIN = (bool, int, float, complex, str, type(None))


class Names:
    """The globals, closure variables and the object `self` of one function.

    function, node: the function and its tree. owner: the object that it is a method of; None for a plain function.
    """

    def __init__(self, function: types.FunctionType, node: Any, owner: Any):
        self._known = {**vars(builtins), **function.__globals__, **inspect.getclosurevars(function).nonlocals}
        for name in stored_in(node):
            self._known.pop(name, None)
        self._known.update(_imported_in(node))
        arguments = [*node.args.posonlyargs, *node.args.args]
        self.self_name = arguments[0].arg if owner is not None and arguments else None
        if self.self_name is not None:
            self._known[self.self_name] = owner

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
        """Whether an expression is made of numbers, strings and None that are known before the model runs."""
        if isinstance(node, ast.Constant | ast.Name | ast.Attribute):
            return isinstance(self.value(node), PLAIN)
        children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr | ast.keyword)]
        is_pure = isinstance(node, ast.Tuple | ast.List | ast.UnaryOp | ast.BinOp | ast.keyword)
        return is_pure and all(map(self.is_constant, children))

    def module_name(self, module_root: str, default: str) -> str:
        """What the file calls a package: `paddle` after `import dy2st as paddle`."""
        for name, value in self._known.items():
            if isinstance(value, types.ModuleType) and value.__name__ == module_root:
                return name
        return default


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

"""`self.__k` in a method of `Net`  ->  `self._Net__k`: outside the class body Python wouldn't mangle it."""

import gast

from .analysis.scope import annotations_of
from .base import children


def mangle_private_names(function, class_name):
    """Mangles in place; the bodies of inner classes are left to their own class name."""
    stripped = (class_name or "").lstrip("_")
    if stripped:
        name = getattr(function, "name", None)
        _mangle(function, "_" + stripped)
        if name:
            function.name = name      # the callers of the function are outside of its class


def _mangle(node, prefix):
    for field in () if isinstance(node, gast.alias) else ("id", "name", "rest"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            setattr(node, field, _mangled(value, prefix))
    if isinstance(node, gast.Attribute):
        node.attr = _mangled(node.attr, prefix)
    elif isinstance(node, (gast.Global, gast.Nonlocal)):
        node.names = [_mangled(name, prefix) for name in node.names]
    elif isinstance(node, gast.alias):
        bound = node.asname or node.name
        if is_private(bound):
            node.asname = prefix + bound
        return
    inner = [*node.decorator_list, *node.bases, *node.keywords] if isinstance(node, gast.ClassDef) else children(node)
    if isinstance(node, gast.FunctionDef):
        inner += annotations_of(node)
    for child in inner:
        _mangle(child, prefix)


def is_private(name):
    return name.startswith("__") and not name.endswith("__") and "." not in name


def _mangled(name, prefix):
    return prefix + name if is_private(name) else name

"""What is in a file or a module that a command may be given."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from ...annotations import signature_text
from ...jit.static.static_function import StaticFunction
from ...nn.layer import Layer
from .objects import own_names
from .pytorch import is_layer_class, is_module


class Listed(NamedTuple):
    """A name, what it is, the line where that is made (None: nobody knows), and how it is called."""

    name: str
    kind: str
    line: int | None
    signature: str


def listing(module: ModuleType) -> list[Listed]:
    """The functions, classes with their methods, static functions and layers that a module makes, in its order."""
    return [row for name in own_names(module) for row in _rows(name, getattr(module, name))]


def _rows(name: str, value: Any) -> Iterator[Listed]:
    if isinstance(value, type):
        yield _row(name, "layer class" if _makes_layers(value) else "class", value)
        for method, function in vars(value).items():
            if not method.startswith("_") or method == "__call__":
                yield from _functions(f"{name}.{method}", "method", function)
    elif isinstance(value, Layer) or is_module(value):
        yield Listed(name, f"layer, a {type(value).__name__}", None, _signature(value.forward))
    else:
        yield from _functions(name, "function", value)


def _functions(name: str, kind: str, value: Any) -> Iterator[Listed]:
    """The row of a function or method, where it is one."""
    if isinstance(value, StaticFunction):
        yield _row(name, f"static {kind}", value.dygraph_function)
    elif isinstance(value, staticmethod | classmethod):
        yield from _functions(name, f"@{type(value).__name__}", value.__func__)
    elif isinstance(value, FunctionType):
        yield _row(name, kind, value)


def _makes_layers(cls: type) -> bool:
    return issubclass(cls, Layer) or is_layer_class(cls)


def _row(name: str, kind: str, value: Any) -> Listed:
    value = inspect.unwrap(value)
    try:
        line = inspect.getsourcelines(value)[1]
    except (OSError, TypeError):  # its source isn't there
        line = None
    return Listed(name, kind, line, _signature(value))


def _signature(value: Any) -> str:
    try:
        return signature_text(value)
    except (TypeError, ValueError):  # some built-in classes tell none
        return "(...)"

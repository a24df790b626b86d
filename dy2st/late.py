"""Packages whose names stand in one of their modules, which is imported when the first of them is used.

A process that loads and runs a saved model uses none of them, so that it starts at once.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def late_names(namespace: dict[str, Any], module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of the package with this namespace: its modules, and the public names of one of them."""
    package = namespace["__name__"]

    def filled() -> dict[str, Any]:
        """The public names, which the package has from now on."""
        public = {name: value for name, value in vars(import_module(f"{package}.{module}")).items() if name[0] != "_"}
        for name, value in public.items():
            namespace.setdefault(name, value)
        return public

    def get(name: str) -> Any:
        if name == "__all__":
            return sorted(filled())
        if name.startswith("__"):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
        if name not in filled():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return namespace[name]

    def names() -> list[str]:
        from pkgutil import iter_modules

        modules = iter_modules(namespace["__path__"])
        return sorted({*filled(), *namespace, *(m.name for m in modules if not m.name.startswith("_"))})

    return get, names

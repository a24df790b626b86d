"""What the classes that are written in `library` have in common, and which of Python's each stands for."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from ...ops import dispatch
from ..pythons import TEXTS, empty, refill
from ..where.faults import as_the_user

CLASSES: dict[type, type] = {}  # a class of `collections` -> the one that is written
PYTHONS: dict[type, type] = {}  # a class that is written -> Python's


class Written:
    """Base of the classes: what an object holds is in `_items`, a list or a dict."""

    __module__ = "collections"
    __hash__ = None  # type: ignore[assignment]
    _items: Any

    def __iter__(self):
        """For code that isn't converted: what staging knows of the items."""
        return iter(dispatch.current_mode().as_list(self))

    def __copy__(self):
        return self.copy()  # type: ignore[attr-defined]


def written(python: type) -> Callable[[type], type]:
    """Say which class of Python's a class stands for. Special methods are converted where Python itself calls them, too."""

    def note(cls: type) -> type:
        methods = {name: getattr(cls, name) for name in dir(cls) if name.startswith("__")}
        for name, method in methods.items():
            if name not in ("__init__", "__iter__") and isinstance(method, FunctionType):
                setattr(cls, name, _converted(method))
        cls.__module__, cls.__qualname__ = "collections", f"collections.{python.__qualname__}"
        PYTHONS[cls] = python
        if python in TEXTS:
            CLASSES[python] = cls
        return cls

    return note


def _converted(method: FunctionType) -> Any:
    def call(*args: Any) -> Any:
        mode = dispatch.current_mode()
        return as_the_user(mode.convert_call(method) if hasattr(mode, "convert_call") else method, *args)

    call.__name__ = method.__name__
    call.__dy2st_original__ = method  # type: ignore[attr-defined]
    return call


def to_python(value: Any) -> Any:
    """An object of Python's class that holds what one holds that is written here."""
    fields = dict(vars(value))
    items = fields.pop("_items")
    made = empty(PYTHONS[type(value)], fields)
    refill(made, items)
    return made

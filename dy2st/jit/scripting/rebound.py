"""Functions that hold an object, made to hold its copy: bound methods, closures and partials."""

from __future__ import annotations

import types
from functools import partial
from typing import Any

from ...annotations import copy_description


def rebound(value: Any, copies: dict[int, Any]) -> Any:
    """The function `value`, with copies in the place of the objects it holds; what holds none, as it is.

    copies: by the id of the object.
    """
    if isinstance(value, types.MethodType) and id(value.__self__) in copies:
        return types.MethodType(value.__func__, copies[id(value.__self__)])
    if isinstance(value, partial):
        function, *args = (_copy_of(part, copies) for part in (value.func, *value.args))
        keywords = {name: _copy_of(part, copies) for name, part in value.keywords.items()}
        return type(value)(function, *args, **keywords)  # type: ignore[operator]
    if isinstance(value, types.FunctionType) and any(_held(cell, copies) is not None for cell in value.__closure__ or ()):
        return _with_cells(value, tuple(_held(cell, copies) or cell for cell in value.__closure__ or ()))
    return value


def _copy_of(part: Any, copies: dict[int, Any]) -> Any:
    return copies[id(part)] if id(part) in copies else rebound(part, copies)


def _held(cell: types.CellType, copies: dict[int, Any]) -> types.CellType | None:
    """A cell with the copy of what this one holds, where there is one."""
    try:
        content = cell.cell_contents
    except ValueError:
        return None  # nothing is assigned to it yet
    return types.CellType(copies[id(content)]) if id(content) in copies else None


def _with_cells(function: types.FunctionType, cells: tuple) -> types.FunctionType:
    made = types.FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, cells)
    made.__kwdefaults__ = function.__kwdefaults__
    copy_description(made, function)
    made.__dict__.update(function.__dict__)
    return made

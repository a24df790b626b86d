"""The classes of `collections` that are written in `runtime/library`: made while staging in place of Python's own."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from ... import library
from ...heap.staged_objects import python_class
from ...recorder.recorder import current_recorder
from ...where.faults import as_the_user
from .foreign import foreign_function


def _constructor(python: type, cls: type) -> Callable:
    def construct(*args: Any, **kwargs: Any) -> Any:
        rec = current_recorder()
        if rec is None:
            return as_the_user(python, *args, **kwargs)
        made = rec.new(object.__new__(cls))
        as_the_user(rec.convert_call(cls.__init__), made, *args, **kwargs)  # type: ignore[misc]
        return made

    return construct


def convert_copy(value: Any) -> Any:
    """`copy.copy(value)`"""
    rec = current_recorder()
    if rec is None:
        return as_the_user(copy.copy, value)
    if python_class(value) is not None:
        return rec.convert_call(value.copy)()
    return foreign_function(rec, copy.copy)(value)


CONVERTED: dict[Any, Callable] = {python: _constructor(python, cls) for python, cls in library.CLASSES.items()}
CONVERTED[copy.copy] = convert_copy

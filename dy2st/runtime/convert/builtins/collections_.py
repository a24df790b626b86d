"""The classes of `collections` that are written in `runtime/library`: made while staging in place of Python's own."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from .... import pytree
from ... import library
from ...heap.staged_objects import python_class
from ...pythons import fields_of
from ...recorder.recorder import current_recorder
from ...where.faults import as_the_user
from .foreign import foreign_function


def constructor(python: type) -> Callable:
    """What to call in place of a class of `collections`, or of the user's that derives from a container."""
    cls: Any = library.twin_of(python)

    def construct(*args: Any, **kwargs: Any) -> Any:
        rec = current_recorder()
        if rec is None:
            return as_the_user(python, *args, **kwargs)
        made = rec.new(object.__new__(cls))
        rec.heap.fill(made, _empty(python))
        if issubclass(python, tuple):
            as_the_user(rec.convert_call(library.tuples.Tuple._fill), made, *args, **kwargs)
        as_the_user(rec.convert_call(cls.__init__), made, *args, **kwargs)
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


def _empty(python: type) -> dict[str, Any]:
    """The contents of a container before its `__init__` has run."""
    return fields_of(pytree.built(python, (), {}))


def convert_super(*args: Any) -> Any:
    """`super(cls, obj)`: of what stands for a container, by the twin of the class."""
    rec = current_recorder()
    if rec is None or len(args) != 2:
        return as_the_user(super, *args)
    cls, obj = args[0], rec.heap.spoken_for(args[1])
    return as_the_user(super, cls if python_class(obj) is None else library.twin_of(cls) or cls, obj)


CONVERTED: dict[Any, Callable] = {python: constructor(python) for python in library.CLASSES}
CONVERTED[super] = convert_super
CONVERTED[copy.copy] = convert_copy

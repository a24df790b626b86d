"""Dataclasses: their `__init__` was never source, so it runs as it is; what it calls of the user's is converted.

So are `replace`, `asdict` and `astuple`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ....annotations import signature_of
from ...library import dataclass_values
from ...proxies import StagedSum
from ...recorder.recorder import Recorder, current_recorder
from ...where.faults import as_the_user
from ..operations.structures import class_of

FRESH = (list, dict, set)


def has_generated_init(cls: type) -> bool:
    """Whether a class is a dataclass whose `__init__` the decorator has written, and nothing comes before that."""
    init = cls.__init__  # type: ignore[misc]
    written = isinstance(init, FunctionType) and init.__code__.co_filename == "<string>"
    return written and dataclasses.is_dataclass(cls) and cls.__new__ is object.__new__


def construct_dataclass(rec: Recorder, cls: Any, args: tuple, kwargs: dict) -> Any:
    """An instance of a dataclass: it is born here, with what its `__init__` makes for it."""
    made = rec.new(cls.__new__(cls))

    def post_init(*values: Any) -> None:
        """A function that the generated `__init__` calls at its end in place of `__post_init__`."""
        del vars(made)["__post_init__"]
        _note_births(rec, made)
        rec.convert_call(as_the_user(getattr, made, "__post_init__"))(*values)

    given = _with_defaults(rec, cls, args, kwargs)
    if not isinstance(getattr(cls, "__post_init__", None), FunctionType):
        as_the_user(cls.__init__, made, *args, **given)
        _note_births(rec, made)
    elif hasattr(made, "__dict__"):
        vars(made)["__post_init__"] = post_init
        as_the_user(cls.__init__, made, *args, **given)
    else:
        fields = _Fields()
        as_the_user(cls.__init__, fields, *args, **given)
        for name, value in vars(fields).items():
            object.__setattr__(made, name, value)
        _note_births(rec, made)
        rec.convert_call(cls.__post_init__)(made, *fields.values)
    return made


class _Fields:
    """What a generated `__init__` fills in place of an object that has slots only. values: what `__post_init__` is given."""

    __slots__ = ("__dict__", "values")

    def __post_init__(self, *values: Any) -> None:
        self.values = values


def _with_defaults(rec: Recorder, cls: type, args: tuple, kwargs: dict) -> dict:
    """The keyword arguments with what the converted default factories give, where an argument is missing."""
    made_by = {f.name: f.default_factory for f in dataclasses.fields(cls) if f.init}  # type: ignore[arg-type]
    made_by = {name: factory for name, factory in made_by.items() if factory is not dataclasses.MISSING and name not in kwargs}
    if not made_by:
        return kwargs
    given = list(signature_of(cls).parameters)[: len(args)]
    return {**kwargs, **{name: rec.convert_call(factory)() for name, factory in made_by.items() if name not in given}}


def _note_births(rec: Recorder, made: Any) -> None:
    """The containers of the fields that no argument gives."""
    for field in dataclasses.fields(made):
        if not field.init and field.default_factory in FRESH and hasattr(made, field.name):  # a `__setattr__` may not store it
            rec.new(getattr(made, field.name))


def convert_replace(obj: Any, /, **changes: Any) -> Any:
    """`dataclasses.replace(obj, **changes)`"""
    rec = current_recorder()
    if isinstance(obj, StagedSum):
        return rec.on_alternatives(obj, lambda x: convert_replace(x, **changes))  # type: ignore[union-attr]
    cls = class_of(obj)
    if rec is None or not dataclasses.is_dataclass(cls):
        return as_the_user(dataclasses.replace, obj, **changes)
    kept = [f.name for f in dataclasses.fields(cls) if f.init and f.name not in changes]
    given = {**changes, **{name: as_the_user(getattr, obj, name) for name in kept}}
    try:
        signature_of(cls).bind(**given)
    except TypeError:
        return as_the_user(dataclasses.replace, obj, **changes)  # Python says what is wrong
    return rec.convert_call(cls)(**given)


def convert_is_dataclass(obj: Any) -> Any:
    """`dataclasses.is_dataclass(obj)`"""
    rec = current_recorder()
    if rec is not None and isinstance(obj, StagedSum):
        return rec.on_alternatives(obj, convert_is_dataclass)
    return dataclasses.is_dataclass(obj if isinstance(obj, type) else class_of(obj))


def convert_asdict(obj: Any, *, dict_factory: Callable = dict) -> Any:
    """`dataclasses.asdict(obj)`"""
    return _told(obj, dataclasses.asdict, dataclass_values.as_dict, dict_factory=dict_factory)


def convert_astuple(obj: Any, *, tuple_factory: Callable = tuple) -> Any:
    """`dataclasses.astuple(obj)`"""
    return _told(obj, dataclasses.astuple, dataclass_values.as_tuple, tuple_factory=tuple_factory)


def _told(obj: Any, function: Callable, written: Callable, **factory: Callable) -> Any:
    """What a function tells of a dataclass: as it is `written` in the library."""
    rec = current_recorder()
    if isinstance(obj, StagedSum):
        return rec.on_alternatives(obj, lambda x: _told(x, function, written, **factory))  # type: ignore[union-attr]
    if rec is None or isinstance(obj, type) or not dataclasses.is_dataclass(class_of(obj)):
        return as_the_user(function, obj, **factory)
    return rec.convert_call(written)(obj, *factory.values())


CONVERTED: dict[Callable, Callable] = {
    dataclasses.replace: convert_replace,
    dataclasses.is_dataclass: convert_is_dataclass,
    dataclasses.asdict: convert_asdict,
    dataclasses.astuple: convert_astuple,
}

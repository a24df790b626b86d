"""Type hints: which IR type a hint means, or a value tells by itself."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any

from ...ir.native import TYPES, columns
from ...ir.types import FLOAT, INT, NONE, STR, ClassType, SumType, TensorType, TupleType, Type
from ...runtime.tensors.tensor import Tensor
from .dtypes import ANY
from .scalars import SCALARS

KEYS = (STR, INT, FLOAT)


class Hints:
    """Turns hints into types; `classes` collects what the Program has to know by name."""

    def __init__(self, fields_of: Any) -> None:
        self.classes: dict[str, type] = {}
        self.fields_of = fields_of  # class -> {field: hint} of a scripted class, or None

    def type_of(self, hint: Any) -> Type:
        """The IR type of a hint; TypeError in words where it has none."""
        if isinstance(hint, type) and issubclass(hint, Tensor):
            return TensorType(ANY)
        if hint in SCALARS:
            return SCALARS[hint]
        if isinstance(hint, typing.ForwardRef) or isinstance(hint, str):
            raise TypeError(f"{hint!r} isn't known where the function is defined")
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType):
            return self._optional(hint, args)
        if hint in (*TYPES, typing.List, typing.Dict, typing.Set) or hint is tuple:  # noqa: UP006
            raise TypeError(f"{_text(hint)} has to say what it holds: {_text(hint)}[...]")
        if origin in TYPES:
            parts = [self.type_of(arg) for arg in args]
            if origin is dict and parts[0] not in KEYS:
                raise TypeError(f"the keys of a dict are str, int or float, not {_text(args[0])}")
            return TYPES[origin](*parts)
        if origin is tuple:
            return TupleType(tuple(map(self.type_of, () if args == ((),) else args)))
        if isinstance(hint, type):
            return self._class(hint)
        raise TypeError(f"{_text(hint)} is no type that a compiled function can take")

    def _optional(self, hint: Any, args: tuple) -> Type:
        kinds = [self.type_of(arg) for arg in args]
        if NONE not in kinds or len(kinds) != 2:
            raise TypeError(f"{_text(hint)}: of unions, Optional[T] is the one that a compiled function can take")
        return SumType((NONE, next(kind for kind in kinds if kind != NONE)))

    def _class(self, cls: type) -> Type:
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            hints = typing.get_type_hints(cls)
            elems = tuple(self.type_of(hints.get(name, Tensor)) for name in cls._fields)
            self.know(f"tuple {cls.__name__}", cls)
            return TupleType(elems, cls.__name__, tuple(cls._fields))
        fields = self.fields_of(cls)
        if fields is None and dataclasses.is_dataclass(cls):
            hints = typing.get_type_hints(cls)
            fields = {field.name: self.type_of(hints[field.name]) for field in dataclasses.fields(cls)}
        if fields is None:
            raise TypeError(f"{_text(cls)} is no type that a compiled function can take; decorate the class with jit.script")
        self.know(f"class {cls.__qualname__}", cls)
        return ClassType(cls.__qualname__, tuple(fields.items()))

    def know(self, text: str, cls: type) -> None:
        """A class that the Program has to know by a text; TypeError where it knows another one by that."""
        if self.classes.setdefault(text, cls) is not cls:
            raise TypeError(f"two classes are called {cls.__name__}; a compiled function can take one of them: rename the other")


def of_value(hints: Hints, value: Any) -> Type | None:
    """The type that a value tells by itself; None where it doesn't: an empty list or dict, None, any other object."""
    kind = type(value)
    if kind in SCALARS:
        return SCALARS[kind]
    if isinstance(value, Tensor):
        return TensorType(value.type.dtype)
    if isinstance(value, tuple):
        parts = [of_value(hints, part) for part in value]
        if None in parts:
            return None
        if hasattr(value, "_fields"):
            hints.know(f"tuple {kind.__name__}", kind)
            return TupleType(tuple(parts), kind.__name__, tuple(value._fields))  # type: ignore[arg-type]
        return TupleType(tuple(parts))  # type: ignore[arg-type]
    if kind in (list, dict):
        told = [{of_value(hints, part) for part in column} for column in columns(value)]
        known = all(len(types) == 1 and None not in types for types in told)
        return TYPES[kind](*[types.pop() for types in told]) if known else None  # type: ignore[arg-type]
    if hints.fields_of(kind) is not None or dataclasses.is_dataclass(kind):
        return hints.type_of(kind)
    return None


def _text(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint).replace("typing.", "")

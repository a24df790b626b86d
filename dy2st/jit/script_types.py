"""Type hints and their values: which IR type a hint means, and how a Python value is checked against it.

A Tensor has no dtype in a hint. Each place in a hint where a Tensor may stand takes its dtype from the values that are passed;
before any are, it is the default dtype.
"""

from __future__ import annotations

import dataclasses
import itertools
import types
import typing
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..dtype import get_default_dtype
from ..ir.join import alternatives, map_tensors
from ..ir.types import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    STR,
    ClassType,
    DictType,
    ListType,
    SetType,
    SumType,
    TensorType,
    TupleType,
    Type,
    parse_type,
)
from ..runtime.heap.natives import PLAIN
from ..runtime.tensors.tensor import Tensor
from .argument_tree import by_name
from .script_errors import ScriptTypeError

SCALARS: dict[Any, Type] = {int: INT, float: FLOAT, bool: BOOL, str: STR, None: NONE, type(None): NONE}
PYTHON_CLASSES: dict[Type, type] = {INT: int, FLOAT: float, BOOL: bool, STR: str}
KEYS = (STR, INT, FLOAT)
NAMES: dict[Type, str] = {INT: "int", FLOAT: "float", BOOL: "bool", STR: "str", NONE: "None"}
ANY = "any"  # the dtype of a Tensor in a hint, until a value tells it


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
        if hint in (list, dict, set, typing.List, typing.Dict, typing.Set) or hint is tuple:  # noqa: UP006
            raise TypeError(f"{_text(hint)} has to say what it holds: {_text(hint)}[...]")
        if origin is list:
            return ListType(self.type_of(args[0]))
        if origin is set:
            return SetType(self.type_of(args[0]))
        if origin is dict:
            key = self.type_of(args[0])
            if key not in KEYS:
                raise TypeError(f"the keys of a dict are str, int or float, not {_text(args[0])}")
            return DictType(key, self.type_of(args[1]))
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
            self.classes[f"tuple {cls.__name__}"] = cls
            return TupleType(elems, cls.__name__, tuple(cls._fields))
        fields = self.fields_of(cls)
        if fields is None and dataclasses.is_dataclass(cls):
            hints = typing.get_type_hints(cls)
            fields = {field.name: self.type_of(hints[field.name]) for field in dataclasses.fields(cls)}
        if fields is None:
            raise TypeError(f"{_text(cls)} is no type that a compiled function can take; decorate the class with jit.script")
        self.classes[f"class {cls.__qualname__}"] = cls
        return ClassType(cls.__qualname__, tuple(fields.items()))


def of_value(hints: Hints, value: Any) -> Type | None:
    """The type that a value tells by itself; None where it doesn't: an empty list or dict, None, any other object."""
    kind = type(value)
    if kind in (int, float, bool, str):
        return SCALARS[kind]
    if isinstance(value, Tensor):
        return TensorType(value.type.dtype)
    if isinstance(value, tuple):
        parts = [of_value(hints, part) for part in value]
        if None in parts:
            return None
        if hasattr(value, "_fields"):
            hints.classes[f"tuple {kind.__name__}"] = kind
            return TupleType(tuple(parts), kind.__name__, tuple(value._fields))  # type: ignore[arg-type]
        return TupleType(tuple(parts))  # type: ignore[arg-type]
    if kind is list:
        found = {of_value(hints, item) for item in value}
        return ListType(found.pop()) if len(found) == 1 and None not in found else None  # type: ignore[arg-type]
    if kind is dict:
        keys, values = ({of_value(hints, part) for part in parts} for parts in (value.keys(), value.values()))
        known = len(keys) == len(values) == 1 and None not in keys | values
        return DictType(keys.pop(), values.pop()) if known else None  # type: ignore[arg-type]
    if hints.fields_of(kind) is not None or dataclasses.is_dataclass(kind):
        return hints.type_of(kind)
    return None


def _text(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint).replace("typing.", "")


def readable(type_: Type) -> str:
    """The name of a type as a hint has it."""
    if isinstance(type_, TensorType):
        return "Tensor"
    if type_ in NAMES:
        return NAMES[type_]
    if isinstance(type_, ListType):
        return f"List[{readable(type_.elem)}]"
    if isinstance(type_, SetType):
        return f"Set[{readable(type_.elem)}]"
    if isinstance(type_, DictType):
        return f"Dict[{readable(type_.key)}, {readable(type_.value)}]"
    if isinstance(type_, TupleType):
        return type_.name or f"Tuple[{', '.join(map(readable, type_.elems)) or '()'}]"
    if isinstance(type_, ClassType):
        return type_.name
    if isinstance(type_, SumType):
        kinds = list(dict.fromkeys(readable(t) for t in type_.alternatives if t != NONE))
        inner = kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"
        return f"Optional[{inner}]" if NONE in type_.alternatives else inner
    return str(type_)


# --- dtypes ----------------------------------------------------------------------------------------------------------


def tensors_in(type_: Type) -> Iterator[TensorType]:
    """The places of a type where a Tensor may stand."""
    if isinstance(type_, TensorType):
        yield type_
    for part in type_.parts():
        yield from tensors_in(part)


def with_dtypes(type_: Type, dtypes: Iterator[str]) -> Type:
    """The type with a dtype for each place where a Tensor may stand."""

    def given(_: TensorType) -> Type:
        dtype = next(dtypes)
        return parse_type(dtype) if "[" in dtype else TensorType(dtype)

    return map_tensors(type_, given)


def given_dtypes(type_: Type, value: Any, where: str) -> Iterator[str]:
    """The dtype and rank of the Tensor at each place of a type, `float32[?,?]`; the default dtype where there is none."""
    if isinstance(type_, TensorType):
        known = isinstance(value, Tensor | np.ndarray)
        yield f"{value.dtype.name}[{','.join('?' * len(value.shape))}]" if known else get_default_dtype()
    elif isinstance(type_, ListType | SetType | DictType):
        if next(tensors_in(type_), None) is None:
            return
        elem, items = (type_.value, list(value.values())) if isinstance(type_, DictType) else (type_.elem, list(value or ()))
        found = {tuple(given_dtypes(elem, item, where)) for item in items}
        if len(found) > 1:
            found = set(map(of_any_rank, found))
        if len(found) > 1:
            raise ScriptTypeError(f"argument {where} holds tensors of different dtypes: cast them to one")
        yield from found.pop() if found else (get_default_dtype() for _ in tensors_in(elem))
    elif isinstance(type_, TupleType):
        for part, item in zip(type_.elems, value if value is not None else [None] * len(type_.elems)):
            yield from given_dtypes(part, item, where)
    elif isinstance(type_, ClassType):
        for name, part in type_.fields or ():
            yield from given_dtypes(part, getattr(value, name, None), where)
    elif isinstance(type_, SumType):
        for part in type_.alternatives:
            yield from given_dtypes(part, value, where) if value is not None else (get_default_dtype() for _ in tensors_in(part))


def staged_dtypes(type_: Type, own: Type) -> Iterator[str]:
    """The same of a value that only a Program knows, whose type is `own`: `float32` where the number of axes isn't known."""
    if isinstance(type_, TensorType):
        if not isinstance(own, TensorType):
            yield get_default_dtype()
        else:
            yield own.dtype if own.shape is None else f"{own.dtype}[{','.join('?' * len(own.shape))}]"
    elif isinstance(type_, SumType):
        for part in type_.alternatives:
            yield from staged_dtypes(part, next((a for a in alternatives(own) if type(a) is type(part)), NEVER))
    else:
        parts, owns = type_.parts(), own.parts()
        for part, inner in zip(parts, owns if len(owns) == len(parts) else [NEVER] * len(parts)):
            yield from staged_dtypes(part, inner)


def default_types(type_: Type) -> Type:
    """A type with the default dtype wherever a Tensor may stand."""
    return with_dtypes(type_, itertools.repeat(get_default_dtype()))


def general(type_: Type) -> Type:
    """A type with Tensors of any dtype and shape."""
    return with_dtypes(type_, itertools.repeat(ANY))


def of_any_rank(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The dtypes without the ranks."""
    return tuple(kind.partition("[")[0] for kind in kinds)


# --- values ----------------------------------------------------------------------------------------------------------


def checked(type_: Type, value: Any, where: str) -> Any:
    """The value as an input of this type (an int becomes the float that is asked for); ScriptTypeError names the argument."""
    if type_ == FLOAT and type(value) is int:
        return float(value)
    if isinstance(type_, TensorType) and isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(type_, SumType):
        return None if value is None else checked(_other(type_), value, where)
    if isinstance(type_, TupleType) and isinstance(value, tuple) and len(value) == len(type_.elems):
        parts = [checked(t, x, f"{where}[{i}]") for i, (t, x) in enumerate(zip(type_.elems, value))]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if not fits(type_, value):
        raise ScriptTypeError(f"argument {where} is {_described(value)}; the function takes {readable(type_)}{_hint(type_)}")
    return value


def checked_attribute(type_: Type, value: Any, name: str) -> Any:
    """The value of an attribute of this type (an int becomes the float that is asked for); ScriptTypeError names it."""
    if type_ == FLOAT and type(value) is int:
        return float(value)
    if not fits(type_, value):
        raise ScriptTypeError(f"{name} is {_described(value)} now; the layer was compiled with it as {readable(type_)}")
    return value


def bind(function: str, names: list[str], defaults: dict[str, Any], args: tuple, kwargs: dict) -> dict[str, Any]:
    """The arguments by name, with defaults; TypeError in words where they don't fit."""
    if len(args) == len(names) and not kwargs:
        return dict(zip(names, args))
    head = f"{function}({', '.join(names)})"
    if len(args) > len(names):
        raise TypeError(f"{head} takes {len(names)} arguments, not {len(args)}")
    given = by_name(head, names, args, kwargs)
    missing = [name for name in names if name not in given and name not in defaults]
    if missing:
        raise TypeError(f"{head}: missing a required argument: {missing[0]!r}")
    return {name: given.get(name, defaults.get(name)) for name in names}


def tensors(value: Any) -> Iterator[Tensor]:
    """The Tensors in a value."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple | set) and not PLAIN.issuperset(map(type, value)):
        for item in value:
            yield from tensors(item)
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))
    elif hasattr(value, "__dict__") and not isinstance(value, type):
        yield from tensors(list(vars(value).values()))


def _hint(type_: Type) -> str:
    """What to write where a Tensor was meant by having no hint."""
    return " (an argument without a hint is a Tensor)" if isinstance(type_, TensorType) else ""


def _other(type_: SumType) -> Type:
    return next(t for t in type_.alternatives if t != NONE)


def _described(value: Any) -> str:
    return f"{value!r} ({type(value).__name__})" if isinstance(value, bool | int | float | str) else f"a {type(value).__name__}"


def fits(type_: Type, value: Any) -> bool:
    """Whether a live value is of a type."""
    if isinstance(type_, TensorType):
        return isinstance(value, Tensor | np.ndarray) and (type_.dtype == ANY or value.dtype.name == type_.dtype)
    if type_ in NAMES:
        return SCALARS[type(value)] == type_ if type(value) in SCALARS else False
    if isinstance(type_, ListType):
        return type(value) is list and _all_fit(type_.elem, value)
    if isinstance(type_, SetType):
        return type(value) is set and _all_fit(type_.elem, value)
    if isinstance(type_, DictType):
        return isinstance(value, dict) and all(fits(type_.key, k) and fits(type_.value, v) for k, v in value.items())
    if isinstance(type_, TupleType):
        return isinstance(value, tuple) and len(value) == len(type_.elems) and all(map(fits, type_.elems, value))
    if isinstance(type_, ClassType):
        return type(value).__qualname__ == type_.name and all(fits(t, getattr(value, f, None)) for f, t in type_.fields or ())
    return any(fits(t, value) for t in alternatives(type_)) if isinstance(type_, SumType) else False


def _all_fit(elem: Type, items: list | set) -> bool:
    """Whether all items are of a type: their classes tell, of numbers and texts."""
    cls = PYTHON_CLASSES.get(elem)
    return all(fits(elem, item) for item in items) if cls is None else {cls}.issuperset(map(type, items))

"""The native form of values: what a Value is while a Program runs on NumPy, and how the alternatives of a sum are told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from reprlib import recursive_repr
from typing import Any

import numpy as np

from ..dtypes import DTYPES
from .shape import shape_fits
from .types import (
    AtomType,
    CellType,
    ClassType,
    DictType,
    ExceptionType,
    FunctionType,
    ListType,
    RecordType,
    ScalarType,
    SequenceType,
    SetType,
    SumType,
    TensorType,
    TupleType,
    Type,
    UnboundType,
)


class Instance:
    """An object of the user's class `cls`, known by name only, with its fields.

    text: where one Python object was meant, its name among the objects that staging knew (as an Atom's).
    """

    def __init__(self, cls: str, **fields: Any):
        self.cls = cls
        self.text = ""
        self.fields = fields

    @recursive_repr()
    def __repr__(self) -> str:
        return f"{self.cls}({', '.join(f'{k}={v!r}' for k, v in self.fields.items())})"

    def __lt__(self, other: object) -> bool:
        raise _unordered(self, other)

    def __gt__(self, other: object) -> bool:
        raise _unordered(other, self)


def _unordered(a: object, b: object) -> TypeError:
    """What Python raises for `a < b` where one is an object whose class has no order: with the names of the user's classes."""
    names = [x.cls.rstrip("'") if isinstance(x, Instance) else type(x).__name__ for x in (a, b)]
    return TypeError(f"'<' not supported between instances of '{names[0]}' and '{names[1]}'")


class Atom:
    """A Python object known by name only; equal names are the same object.

    repr, str: what these functions give of it, where that is known and isn't what the name tells.
    """

    __slots__ = ("text", "_repr", "_str")

    def __init__(self, text: str, repr: str | None = None, str: str | None = None):
        self.text, self._repr, self._str = text, repr, str

    def saying(self, text: str) -> Atom:
        """The same object, of which `str` gives this text."""
        return Atom(self.text, self._repr, text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<{self.text}>" if self._repr is None else self._repr

    def __str__(self) -> str:
        return repr(self) if self._str is None else self._str


class Record(tuple):
    """A namedtuple known by its class name and field names only."""

    name: str = ""
    fields: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, fields: tuple[str, ...], values: Any) -> Record:
        record = cls(values)
        record.name, record.fields = name, fields
        return record


class _Unbound:
    __slots__ = ()

    def __repr__(self) -> str:
        return "<unbound>"

    def __deepcopy__(self, memo: dict) -> _Unbound:
        return self  # there is one, also in copied state


UNBOUND = _Unbound()


class Cell:
    """A mutable variable, empty at first."""

    __slots__ = ("value",)

    def __init__(self, value: Any = UNBOUND):
        self.value = value


def blank(type_: Type) -> Any:
    """Some native value of a type, to stand where no path reads it: what converts it unread must not fail."""
    kind = type(type_)
    if kind is TensorType:
        shape = [d if isinstance(d, int) else 1 for d in type_.shape or ()]  # type: ignore[attr-defined]
        return np.broadcast_to(np.zeros((), DTYPES[type_.dtype].numpy), shape)  # type: ignore[attr-defined]
    if kind is ScalarType:
        return {"int": 0, "float": 0.0, "bool": False, "str": "", "number": 0}.get(type_.name)  # type: ignore[attr-defined]
    if kind in CONTAINERS:
        return CONTAINERS[kind]()
    if kind is TupleType:
        values = map(blank, type_.elems)  # type: ignore[attr-defined]
        return Record.of(type_.name, type_.fields, values) if type_.name else tuple(values)  # type: ignore[attr-defined]
    if kind is ClassType:
        return Instance(type_.name, **{name: blank(t) for name, t in type_.fields or ()})  # type: ignore[attr-defined]
    if kind is SumType:
        return blank(type_.alternatives[0])  # type: ignore[attr-defined]
    if kind is AtomType:
        return Atom(type_.text)  # type: ignore[attr-defined]
    if kind is CellType:
        return Cell()
    return UNBOUND if kind is UnboundType else None


SHARED = (list, dict, set, Instance, Cell, np.ndarray)  # what is shared by reference, so that aliases matter


def columns(value: Any) -> tuple:
    """What a list, tuple, set or dict holds, by the parts of its type: its items, or the keys and the values of a dict."""
    return (value.keys(), value.values()) if isinstance(value, dict) else (value,)


def parts(value: Any) -> tuple:
    """What a native value holds directly."""
    if isinstance(value, dict):
        return (*value.keys(), *value.values())
    if isinstance(value, (list, tuple, set)):
        return tuple(value)
    if isinstance(value, Instance):
        return tuple(value.fields.values())
    return (value.value,) if isinstance(value, Cell) else ()


def leaves(value: Any, is_leaf: Callable[[Any], bool], inside: Callable | None = None, seen: set | None = None) -> Iterator[Any]:
    """The parts of a native value that are leaves, in order; what is shared is entered once.

    inside: what is looked at for the parts of a shared value.
    """
    seen = set() if seen is None else seen
    if is_leaf(value):
        yield value
        return
    if isinstance(value, SHARED):
        if id(value) in seen:
            return
        seen.add(id(value))
        value = value if inside is None else inside(value)
    for part in parts(value):
        yield from leaves(part, is_leaf, inside, seen)


def mapped(change: Callable, enters: Callable[[Any], bool], value: Any, *others: Any) -> Any:
    """A native value with `change(part)` for each part, or key, that `enters` isn't true of, in containers of their own.

    others: values of the same structure, whose parts `change` gets, too.
    """
    if not enters(value):
        return change(value, *others)
    return rebuilt(value, [mapped(change, enters, *same) for same in zip(*map(parts, (value, *others)))])


def with_leaves(value: Any, change: Callable[[Any], Any], memo: dict[int, Any] | None = None) -> Any:
    """A copy of a native value with `change` applied to all in it that holds nothing else; aliases stay aliases."""
    memo = {} if memo is None else memo
    if id(value) in memo:
        return memo[id(value)]
    if isinstance(value, tuple):
        return rebuilt(value, [with_leaves(part, change, memo) for part in value])
    if not isinstance(value, (list, dict, set, Instance, Cell)):
        return memo.setdefault(id(value), change(value))
    made = memo[id(value)] = _empty(value)
    fill(made, value, [with_leaves(part, change, memo) for part in parts(value)])
    return made


def rebuilt(value: Any, parts: list) -> Any:
    """A container like this one with other parts, in the order of `parts`."""
    if isinstance(value, Record):
        return Record.of(value.name, value.fields, parts)
    if isinstance(value, tuple):
        return tuple(parts)
    made = _empty(value)
    fill(made, value, parts)
    return made


def _empty(value: Any) -> Any:
    made = Instance(value.cls) if isinstance(value, Instance) else type(value)()
    if isinstance(value, Instance):
        made.text = value.text
    return made


def fill(made: Any, value: Any, parts: list) -> None:
    """Put parts into an empty container, in the order that they have in `value`."""
    if isinstance(value, Instance):
        made.fields.update(zip(value.fields, parts))
    elif isinstance(value, Cell):
        (made.value,) = parts
    elif isinstance(value, dict):
        made.update(zip(parts[: len(value)], parts[len(value) :]))
    else:
        (made.extend if isinstance(value, list) else made.update)(parts)


_SCALARS = {"int": (int,), "float": (float,), "bool": (bool,), "str": (str,), "none": (type(None),), "number": (int, float, bool)}
TYPES: dict[type, type[ListType | SetType | DictType]] = {list: ListType, set: SetType, dict: DictType}
CONTAINERS: dict[type[Type], type] = {type_: cls for cls, type_ in TYPES.items()} | {SequenceType: tuple, RecordType: dict}


def _is_array_of(type_: TensorType, value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.name == type_.dtype


def matches(type_: Type, value: Any, is_tensor: Callable[[TensorType, Any], bool] = _is_array_of) -> bool:
    """Whether a native value is of the kind of `type_`, as far as the alternatives of one sum differ.

    is_tensor: tells whether a value is of a tensor type, where others stand in the place of arrays.
    """
    kind = type(type_)
    if kind is ScalarType:
        return type(value) in _SCALARS[type_.name]  # type: ignore[attr-defined]
    if kind is TensorType:
        return is_tensor(type_, value)  # type: ignore[arg-type]
    if kind in CONTAINERS:
        return type(value) is CONTAINERS[kind]
    if kind is TupleType:
        return isinstance(value, tuple) and _is_tuple_of(type_, value, is_tensor)  # type: ignore[arg-type]
    if kind is ClassType:
        return isinstance(value, Instance) and value.cls == type_.name  # type: ignore[attr-defined]
    if kind is AtomType:
        return isinstance(value, Atom) and value.text == type_.text  # type: ignore[attr-defined]
    if kind is UnboundType:
        return value is UNBOUND
    if kind is CellType:
        return isinstance(value, Cell)
    if kind is FunctionType:
        return callable(value)
    if kind is ExceptionType:
        return isinstance(value, BaseException)
    if kind is SumType:
        return any(matches(t, value, is_tensor) for t in type_.alternatives)  # type: ignore[attr-defined]
    return False


def is_of(type_: Type, value: Any, seen: dict[tuple[int, Type], bool] | None = None) -> bool:
    """Whether a native value is of a type through and through: its elements, its fields, its shape.

    seen: what is known of shared objects. One that holds itself ends where its type ends.
    """
    seen = {} if seen is None else seen
    if not isinstance(value, SHARED):
        return _is_of(type_, value, seen)
    key = (id(value), type_)
    if key not in seen:
        seen[key] = _is_of(type_, value, seen)
    return seen[key]


def _is_of(type_: Type, value: Any, seen: dict[tuple[int, Type], bool]) -> bool:
    if isinstance(type_, SumType):
        return any(is_of(t, value, seen) for t in type_.alternatives)
    if not matches(type_, value):
        return False
    if isinstance(type_, TensorType):
        return isinstance(value, np.ndarray) and shape_fits(value.shape, type_.shape)
    return all(is_of(t, part, seen) for t, part in _typed_parts(type_, value))


def _typed_parts(type_: Type, value: Any) -> Iterator[tuple[Type, Any]]:
    """What a native value holds directly, beside the types that `type_` states for it."""
    if isinstance(type_, RecordType):
        yield from (pair for name, part in value.items() for pair in ((type_.key, name), (type_.at(name), part)))
    elif type(type_) in CONTAINERS:
        yield from ((t, part) for t, column in zip(type_.parts(), columns(value)) for part in column)
    elif isinstance(type_, TupleType):
        yield from zip(type_.elems, value)
    elif isinstance(type_, ClassType):
        yield from ((t, value.fields.get(name, UNBOUND)) for name, t in type_.fields or ())
    elif isinstance(type_, CellType):
        yield type_.elem, value.value


def _is_tuple_of(type_: TupleType, value: tuple, is_tensor: Callable[[TensorType, Any], bool]) -> bool:
    same_class = ((value.name, value.fields) if isinstance(value, Record) else ("", ())) == (type_.name, type_.fields)
    same_length = len(value) == len(type_.elems)
    return same_class and same_length and all(matches(t, x, is_tensor) for t, x in zip(type_.elems, value))

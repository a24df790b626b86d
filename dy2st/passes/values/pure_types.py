"""The types of values without references: for a list stands a sequence, for an object or dict a tuple of what it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...ir.core import Program
from ...ir.join import is_subtype, join_all, kind
from ...ir.native import Instance
from ...ir.types import (
    NEVER,
    NONE,
    UNBOUND,
    AtomType,
    CellType,
    ClassType,
    DictType,
    ExceptionType,
    FunctionType,
    ListType,
    RecordType,
    SequenceType,
    SetType,
    SumType,
    TupleType,
    Type,
)
from ...ops.python.distinct import COMPARED
from .refusals import ValuesError

REFERENCE_TYPES = (ListType, DictType, SetType, ClassType, CellType)
BOX = ("Boxed_list", ("items",))
CELL = ("Cell", ("held",))
SET = ("Set", ("items",))
_NO_VALUE = {
    DictType: "a dict that lies in a list of unknown length, or is an argument; keep what is under each key in a list of its own",
    SetType: "a set of items that are neither all ints, nor all bools, nor all texts; keep a list",
    ExceptionType: "an exception that is kept as a value; keep a number or a text that says what happened",
    FunctionType: "a function as a value; write an if for each function that it may be",
}


def has_references(type_: Type) -> bool:
    """Whether values of the type are shared objects, or hold some."""
    return type_.holds(*REFERENCE_TYPES)


def is_single(type_: Type) -> bool:
    """Whether there is one value of a type, which nobody needs to hand on."""
    return type_ in (NONE, UNBOUND) or isinstance(type_, AtomType)


def joined(a: Type, b: Type) -> Type:
    """The type of what is an `a` or a `b`, where neither is converted."""
    return join_all((ListType(a), ListType(b))).elem  # type: ignore[attr-defined]


def levels(type_: Type) -> int:
    """How many levels of lists there are in a type."""
    own = isinstance(type_, ListType | SequenceType)
    return own + max(map(levels, type_.parts()), default=0)


class ObjectType(ClassType):
    """An object of which the walk knows what it holds, with the keys of its dicts. A Program holds the class alone."""

    def with_parts(self, parts: Iterable[Type]) -> Type:
        return ObjectType(self.name, tuple((name, part) for (name, _), part in zip(self.fields or (), parts)))


class PureTypes:
    """What stands for the types of one Program. fields: by class, what the Program ever stores in or reads from each field."""

    def __init__(self, program: Program):
        self.fields: dict[str, dict[str, Type]] = {}
        self._inside: list[str] = []
        self._with_dicts: dict[Type, bool] = {}
        made = [op for op in program.walk() if op.name == "object.new"]
        for op in made:
            self._learn(op.attrs["cls"], dict(zip(op.attrs["fields"], (v.type for v in op.operands))))
        for op in program.walk():
            if op.name in ("object.set", "object.get") and isinstance(op.operands[0].type, ClassType):
                held = op.operands[1] if op.name == "object.set" else op.result
                self._learn(op.operands[0].type.name, {op.attrs["field"]: held.type})
            for value in op.results:
                self._learn_type(value.type)
        for op in made:
            known = self.fields[op.attrs["cls"]]
            self._learn(op.attrs["cls"], {name: UNBOUND for name in known if name not in op.attrs["fields"]})
        for op in program.walk():
            if op.name == "object.delete" and isinstance(op.operands[0].type, ClassType):
                self._learn(op.operands[0].type.name, {op.attrs["field"]: UNBOUND})

    def _learn(self, cls: str, fields: dict[str, Type]) -> None:
        known = self.fields.setdefault(cls, {})
        for name, type_ in fields.items():
            known[name] = joined(known.get(name, NEVER), type_)

    def _learn_type(self, type_: Type) -> None:
        if isinstance(type_, ClassType) and type_.fields is not None:
            self._learn(type_.name, dict(type_.fields))
        for part in type_.parts():
            self._learn_type(part)

    def fields_of(self, type_: ClassType) -> dict[str, Type]:
        """What the fields of an object hold, by their names."""
        return dict(type_.fields or ()) if isinstance(type_, ObjectType) else self.fields.get(type_.name, {})

    def with_fields(self, type_: Type) -> Type:
        """The type with what the objects in it hold."""
        if isinstance(type_, ClassType) and not isinstance(type_, ObjectType) and type_.name not in self._inside:
            self._inside.append(type_.name)
            try:
                return ClassType(type_.name, tuple((name, self.with_fields(t)) for name, t in self.fields_of(type_).items()))
            finally:
                self._inside.pop()
        return type_.with_parts(list(map(self.with_fields, type_.parts())))

    def holds_dicts(self, type_: Type) -> bool:
        """Whether there are dicts in values of a type, in its objects too."""
        if type_ not in self._with_dicts:
            self._with_dicts[type_] = self.with_fields(type_).holds(DictType)
        return self._with_dicts[type_]

    def part(self, type_: Type, name: Any = None) -> Type | None:
        """The declared type of what lies in an object: in the field `name`, among the items; None where nothing is declared."""
        if isinstance(type_, ClassType):
            return self.fields_of(type_)[name]
        return type_.elem if isinstance(type_, ListType | CellType) else None

    def of(self, type_: Type) -> Type:
        """What stands for a type. ValuesError: nothing does."""
        if not type_.holds(*REFERENCE_TYPES, ExceptionType, FunctionType):
            return type_
        if isinstance(type_, ListType | SequenceType):
            return SequenceType(self.of(type_.elem))
        if isinstance(type_, ObjectType):
            return TupleType(tuple(map(self.of, type_.parts())), *object_names(type_.name, len(type_.parts())))
        if isinstance(type_, ClassType):
            return self._object(type_)
        if isinstance(type_, RecordType):
            return TupleType(tuple(map(self.of, type_.types)), *object_names("dict", len(type_.types)))
        if isinstance(type_, SumType):
            return self._sum(type_)
        if isinstance(type_, CellType):
            return TupleType((self.of(type_.elem),), *CELL)
        if isinstance(type_, SetType) and type_.elem in (*COMPARED, NEVER):
            return TupleType((SequenceType(type_.elem),), *SET)
        if isinstance(type_, TupleType):
            return type_.with_parts(list(map(self.of, type_.elems)))
        raise ValuesError(f"values: nothing stands for {next(text for cls, text in _NO_VALUE.items() if isinstance(type_, cls))}")

    def _object(self, type_: ClassType) -> Type:
        if type_.name in self._inside:
            raise ValuesError(f"values: nothing stands for an object of {type_.name} that holds others of its class; use lists")
        self._inside.append(type_.name)
        try:
            elems = tuple(map(self.of, self.fields_of(type_).values()))
        finally:
            self._inside.pop()
        return TupleType(elems, *object_names(type_.name, len(elems)))

    def _sum(self, type_: SumType) -> Type:
        parts = list(map(self.of, type_.alternatives))
        if boxes_lists(type_):
            parts = [boxed(part) if isinstance(t, ListType) else part for t, part in zip(type_.alternatives, parts)]
        if len(set(map(kind, parts))) < len(parts):
            raise ValuesError(f"values: nothing stands for one of {type_}; keep them in variables of their own")
        return SumType(tuple(parts))

    def of_state(self, type_: Type, value: Any) -> Type:
        """The type of a piece of state, with the keys of dicts as they are in `value`."""
        if isinstance(type_, DictType) and isinstance(value, dict):
            types = tuple(self.of_state(type_.value, x) for x in value.values())
            return RecordType(type_.key, type_.value, tuple(value), types)
        if isinstance(type_, ClassType) and isinstance(value, Instance):
            made = ObjectType if self.holds_dicts(type_) else ClassType
            fields = self.fields_of(type_).items()
            return made(type_.name, tuple((name, self.of_state(t, value.fields.get(name))) for name, t in fields))
        if isinstance(type_, TupleType) and isinstance(value, tuple):
            return type_.with_parts(list(map(self.of_state, type_.elems, value)))
        return type_


def boxes_lists(type_: SumType) -> bool:
    """Whether a list in a sum is put into a tuple of its own, so that its sequence isn't taken for a tuple beside it."""
    return any(isinstance(t, SequenceType) or (isinstance(t, TupleType) and not t.name) for t in type_.alternatives)


def boxed(type_: Type) -> TupleType:
    """The tuple of its own for a list in a sum."""
    return TupleType((type_,), *BOX)


def is_boxed(type_: Type) -> bool:
    """Whether a type without references is that of a list in a tuple of its own."""
    return isinstance(type_, TupleType) and type_.name == BOX[0]


def object_names(cls: str, count: int) -> tuple[str, tuple[str, ...]]:
    """The name of the tuple that stands for an object of a class, and of its items."""
    return "Object_" + re.sub(r"\W", "_", cls, flags=re.ASCII), tuple(f"field{k}" for k in range(count))


def alternative_of(type_: Type, sum_: SumType) -> int | None:
    """Which alternative of a sum values of this type are; None where they are none."""
    exact = [k for k, part in enumerate(sum_.alternatives) if kind(part) == kind(type_)]
    fitting = exact or [k for k, part in enumerate(sum_.alternatives) if is_subtype(type_, part)]
    return fitting[0] if fitting else None

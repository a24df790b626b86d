"""The types of values without references: what stands for a list is a sequence, for an object a tuple of its fields."""

from __future__ import annotations

from ...ir.core import Program
from ...ir.join import is_subtype, join_all, kind
from ...ir.types import (
    NEVER,
    UNBOUND,
    CellType,
    ClassType,
    DictType,
    ExceptionType,
    FunctionType,
    ListType,
    SequenceType,
    SetType,
    SumType,
    TupleType,
    Type,
)
from .refusals import ValuesError

REFERENCE_TYPES = (ListType, DictType, SetType, ClassType, CellType)
_NO_VALUE = {
    DictType: "a dict in a list whose length only the Program knows, in state or among the arguments: put its values into a tuple",
    SetType: "a set; use a list, or a dict with a flag for each key",
    CellType: "a variable that a function made inside changes, kept in a list or in state; return its new value instead",
    ExceptionType: "an exception that is kept as a value; keep a number or a text that says what happened",
    FunctionType: "a function as a value",
}


def has_references(type_: Type) -> bool:
    """Whether values of the type are shared objects, or hold some."""
    return type_.holds(*REFERENCE_TYPES)


def joined(a: Type, b: Type) -> Type:
    """The type of what is an `a` or a `b`, where neither is converted."""
    return join_all((ListType(a), ListType(b))).elem  # type: ignore[attr-defined]


def levels(type_: Type) -> int:
    """How many levels of lists there are in a type."""
    own = isinstance(type_, ListType | SequenceType)
    return own + max(map(levels, type_.parts()), default=0)


class PureTypes:
    """What stands for the types of one Program. fields: those of its classes, with all that is ever stored in them."""

    def __init__(self, program: Program):
        self.fields: dict[str, dict[str, Type]] = {}
        for op in program.walk():
            if op.name == "object.new":
                self._learn(op.attrs["cls"], dict(zip(op.attrs["fields"], (v.type for v in op.operands))))
            elif op.name == "object.set" and isinstance(op.operands[0].type, ClassType):
                self._learn(op.operands[0].type.name, {op.attrs["field"]: op.operands[1].type})
        for type_ in (v.type for op in program.walk() for v in op.results):
            self._learn_type(type_)
        for state in program.state.values():
            self._learn_type(state.type)
        self._inside: list[str] = []

    def _learn(self, cls: str, fields: dict[str, Type]) -> None:
        known = self.fields.setdefault(cls, {})
        for name, type_ in fields.items():
            known[name] = joined(known.get(name, NEVER), type_)

    def _learn_type(self, type_: Type) -> None:
        if isinstance(type_, ClassType) and type_.fields is not None:
            self._learn(type_.name, dict(type_.fields))
        for part in type_.parts():
            self._learn_type(part)

    def of(self, type_: Type) -> Type:
        """What stands for a type. ValuesError: nothing does."""
        if not type_.holds(*REFERENCE_TYPES, ExceptionType, FunctionType):
            return type_
        if isinstance(type_, ListType | SequenceType):
            return SequenceType(self.of(type_.elem))
        if isinstance(type_, ClassType):
            return TupleType(tuple(map(self.of, self.fields_of(type_).values())))
        if isinstance(type_, SumType):
            return self._sum(type_)
        if isinstance(type_, TupleType):
            return type_.with_parts(list(map(self.of, type_.elems)))
        raise ValuesError(f"values: nothing stands for {_NO_VALUE[_class_of(type_)]}")

    def fields_of(self, type_: ClassType) -> dict[str, Type]:
        """The fields of a class, in order, of the types that are ever stored in them."""
        if type_.name in self._inside:
            raise ValuesError(f"values: an object of {type_.name} that holds others of its class has no end; use lists of numbers")
        self._inside.append(type_.name)
        try:
            known = self.fields.get(type_.name, {})
            return {name: joined(t, UNBOUND) if type_.fields is None and name not in self._always(type_) else t
                    for name, t in known.items()}  # fmt: skip
        finally:
            self._inside.pop()

    def _always(self, type_: ClassType) -> set[str]:
        return set(self.fields.get(type_.name, {}))

    def _sum(self, type_: SumType) -> Type:
        parts = list(map(self.of, type_.alternatives))
        kinds = {kind(part) for part in parts}
        tuples = sum(isinstance(part, SequenceType) or (isinstance(part, TupleType) and not part.name) for part in parts)
        mixed = any(isinstance(part, SequenceType) for part in parts) and tuples > 1
        if len(kinds) < len(parts) or mixed:
            raise ValuesError(f"values: {type_} can't be told apart without objects; keep lists, tuples and objects apart")
        return SumType(tuple(parts))


def _class_of(type_: Type) -> type:
    return next(cls for cls in _NO_VALUE if isinstance(type_, cls))


def alternative_of(type_: Type, sum_: SumType) -> int:
    """Which alternative of a sum values of this type are."""
    exact = [k for k, part in enumerate(sum_.alternatives) if kind(part) == kind(type_)]
    fitting = exact or [k for k, part in enumerate(sum_.alternatives) if is_subtype(type_, part)]
    return fitting[0]

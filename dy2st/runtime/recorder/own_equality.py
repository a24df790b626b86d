"""Operators that compare, order or hash what containers hold: a Program asks no `==`, `<` or `__hash__` of the user's."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import ConversionError
from ...ir.core import Value
from ...ir.types import AtomType, ClassType, DictType, ListType, SetType, TupleType, Type
from ...pytree import nodes
from .values import Values

HASHING = ("dict.", "set.")  # the families of operators that hash
SEARCHES = ("contains", "index", "count", "remove")
SORTS = {"list.sort": 0, "list.sort_by": 1}  # with the operand that is sorted by
ORDERS = ("__lt__", "__gt__")  # what Python asks, of the one object or the other, to sort
COMPARING = {"container.compare", *(f"{of}.{name}" for of in ("list", "sequence", "tuple") for name in SEARCHES)}


def refuse_own_equality(rec: Values, name: str, values: list[Value]) -> None:
    """ConversionError where an operator would compare objects by another rule than their class's."""
    types = [rec.type_of_value(value) for value in values]
    if name in SORTS:
        if (cls := _own(rec, [types[SORTS[name]]], ORDERS) or _of_atom(rec, types[SORTS[name]])) is not None:
            raise ConversionError(
                f"{rec.here()}: this sorts objects that only the Program knows, by the order that {cls.__qualname__} gives them; "
                "sort by what their order follows: key=lambda item: item.size"
            )
        return
    if name in COMPARING:
        if (cls := _own(rec, types)) is not None:
            raise ConversionError(
                f"{rec.here()}: this compares what a container holds, among it a {cls.__qualname__}, which says itself what "
                "equals it; compare item by item, as in any(item == other for item in items)"
            )
    elif name.startswith(HASHING) and (cls := _own(rec, _keys(name, types))) is not None:
        raise ConversionError(
            f"{rec.here()}: hash(x) of a {cls.__qualname__} that is known only when the Program runs; use its fields"
        )


def _keys(name: str, types: list[Type]) -> Iterator[Type]:
    """The types of the operands that are keys, and of those that operands hold."""
    for index, type_ in enumerate(types):
        if isinstance(type_, DictType):
            yield type_.key
        elif isinstance(type_, SetType) or (isinstance(type_, ListType) and name == "set.from_list"):
            yield type_.elem
        elif index % 2 == 0 if name == "dict.new" else index == 1 or name == "set.new":
            yield type_


def _of_atom(rec: Values, list_: Type) -> type | None:
    """The class of a Python object that may be in a list, known by its name only, such as a member of an Enum."""
    atoms = (type_ for type_ in nodes(list_, lambda part: part.parts()) if isinstance(type_, AtomType))
    return next((type(rec.objects[atom.text]) for atom in atoms), None)


def _own(rec: Values, types: list[Type] | Iterator[Type], methods: tuple[str, ...] = ("__eq__",)) -> type | None:
    """A class of the user's with an `==`, or another of these methods, of its own, objects of which are among these types."""
    for type_ in nodes(TupleType(tuple(types)), lambda part: () if isinstance(part, ClassType) else part.parts()):
        if isinstance(type_, ClassType | AtomType):
            cls = rec.class_named(f"class {type_.name}") if isinstance(type_, ClassType) else type(rec.objects[type_.text])
            if any(getattr(cls, each) is not getattr(object, each) for each in methods) and not issubclass(cls, type):
                return cls
    return None

"""Which alternative a sum holds, as an expression: inline tests on the native value, in the order of the alternatives."""

from __future__ import annotations

from ...ir.types import (
    AtomType,
    ClassType,
    DictType,
    ListType,
    ScalarType,
    SequenceType,
    SetType,
    SumType,
    TensorType,
    TupleType,
    Type,
    UnboundType,
)
from .literals import Constants

_SCALAR_CLASSES = {"int": "int", "float": "float", "bool": "bool", "str": "str"}
_CONTAINERS = {ListType: "list", DictType: "dict", SetType: "set"}


def tag_expression(sum_type: SumType, name: str, constants: Constants) -> str:
    """`0 if v is None else 1 if type(v) is int else 2`: nothing is asked of the last alternative."""
    *first, _ = sum_type.alternatives
    tests = (f"{i} if {test(t, name, sum_type, constants)} else " for i, t in enumerate(first))
    return "".join(tests) + str(len(first))


def test(type_: Type, name: str, among: SumType, constants: Constants) -> str:
    """The expression that is true where `name` holds an alternative of type `type_`."""
    siblings = [t for t in among.alternatives if type(t) is type(type_)]
    if isinstance(type_, ScalarType):
        return _scalar(type_, name)
    if isinstance(type_, UnboundType):
        return f"{name} is UNBOUND"
    if isinstance(type_, TensorType):
        return f"isinstance({name}, ndarray)" if len(siblings) == 1 else _dtype(type_, name)
    if type(type_) in _CONTAINERS:
        return f"type({name}) is {_CONTAINERS[type(type_)]}"
    if isinstance(type_, SequenceType):
        return f"type({name}) is tuple"  # a namedtuple is a Record
    if isinstance(type_, TupleType):
        if len(siblings) == 1 and any(isinstance(t, SequenceType) for t in among.alternatives):
            return f"matches({constants.name(type_, 'type')}, {name})"
        if len(siblings) == 1:
            return f"isinstance({name}, tuple)"
        if len({len(t.elems) for t in siblings}) == len(siblings):  # type: ignore[attr-defined]
            return f"isinstance({name}, tuple) and len({name}) == {len(type_.elems)}"
    if isinstance(type_, ClassType):
        known = f"type({name}) is Instance"
        return known if len(siblings) == 1 else f"{known} and {name}.cls == {constants.name(type_.name, 'cls')}"
    if isinstance(type_, AtomType):
        known = f"type({name}) is Atom"
        return known if len(siblings) == 1 else f"{known} and {name}.text == {constants.name(type_.text, 'atom')}"
    return f"matches({constants.name(type_, 'type')}, {name})"


def _scalar(type_: ScalarType, name: str) -> str:
    if type_.name == "none":
        return f"{name} is None"
    if type_.name == "number":
        return f"type({name}) in NUMBERS"
    return f"type({name}) is {_SCALAR_CLASSES[type_.name]}"


def _dtype(type_: TensorType, name: str) -> str:
    return f"isinstance({name}, ndarray) and {name}.dtype.name == '{type_.dtype}'"

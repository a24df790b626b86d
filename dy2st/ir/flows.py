"""Which references an operation hands on: a points-to analysis calls these flows stores, loads and copies.

    list.append  takes_in(ITEM, 1)   operand 1 becomes an item of operand 0
    list.get     gives(ITEM)         the result is an item of operand 0
    list.copy    shares(ITEM)        the items of the result are those of operand 0

A container has slots: `ITEM` of a list, set or sequence; `KEY` and `VALUE` of a dict, while staging knows all keys of a
dict, an `Entry` for each in place of `VALUE`; the positions of a tuple; the fields of an object. A cell and a sum have none: they
count as what is in them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .core import Operation
from .types import ClassType, DictType, ListType, RecordType, SequenceType, SetType, TupleType, Type

ITEM, KEY, VALUE = "[]", "{}", "{}[]"
RESULT = -1


class Under(str):
    """`VALUE`, and which operand is the key that it lies under."""

    key: int

    def __new__(cls, key: int) -> Under:
        made = super().__new__(cls, VALUE)
        made.key = key
        return made


class Entry(NamedTuple):
    """The slot of a dict for one key that is known."""

    name: Hashable


class Endpoint(NamedTuple):
    """The operand of this number, or the result; with `slots`, what lies there in it."""

    of: int
    slots: tuple[Hashable, ...] = ()


class Flow(NamedTuple):
    """What is at `source` is at `target` from then on."""

    source: Endpoint
    target: Endpoint


Flows = tuple[Flow, ...]


def field_slot(name: str) -> str:
    """The slot of an object's field."""
    return f".{name}"


def slots(type_: Type) -> Iterator[tuple[Hashable, Type]]:
    """The slots of a container of this type, and what lies in each."""
    if isinstance(type_, ListType | SetType | SequenceType):
        yield ITEM, type_.elem
    elif isinstance(type_, RecordType):
        yield KEY, type_.key
        yield from ((Entry(name), part) for name, part in zip(type_.names, type_.types))
    elif isinstance(type_, DictType):
        yield from ((KEY, type_.key), (VALUE, type_.value))
    elif isinstance(type_, TupleType):
        yield from enumerate(type_.elems)
    elif isinstance(type_, ClassType):
        yield from ((field_slot(name), part) for name, part in type_.fields or ())


def is_open(type_: Type) -> bool:
    """Whether this is the type of an object that names its class only: its fields become known as they are stored."""
    return isinstance(type_, ClassType) and type_.fields is None


# --- how operators say it ---------------------------------------------------------------------------------------------


def takes_in(slot: Hashable, operand: int) -> Flows:
    """An operand is put into a slot of operand 0."""
    return (Flow(Endpoint(operand), Endpoint(0, (slot,))),)


def gives(*slots: Hashable, into: tuple[Hashable, ...] = ()) -> Flows:
    """The result, or the slot `into` of it, is what lies in a slot of operand 0; of several slots, a tuple."""
    targets = [into] if len(slots) == 1 else [(*into, k) for k in range(len(slots))]
    return tuple(Flow(Endpoint(0, (slot,)), Endpoint(RESULT, target)) for slot, target in zip(slots, targets))


def passes(operand: int) -> Flows:
    """The result is that operand, or is told apart from it by nothing that is known of the two."""
    return (Flow(Endpoint(operand), Endpoint(RESULT)),)


def shares(*slots: Hashable, of: Iterable[int] = (0,), into: int = RESULT) -> Flows:
    """What lies in some slots of operands lies in the same slots of the result, or of operand `into`."""
    return tuple(Flow(Endpoint(k, (slot,)), Endpoint(into, (slot,))) for k in of for slot in slots)


def gives_any(*into: Hashable, of: tuple[int, ...] = (0,)) -> Callable[[Operation], Flows]:
    """The result, or the slot `into` of it, is what lies in any slot of operands, which are tuples."""
    return lambda op: tuple(Flow(Endpoint(k, (s,)), Endpoint(RESULT, into)) for k in of for s, _ in slots(op.operands[k].type))


def fills(slot_of: Callable[[int, dict[str, Any]], Hashable]) -> Callable[[Operation], Flows]:
    """Operand k is put into the slot `slot_of(k, attrs)` of the result."""
    return lambda op: tuple(Flow(Endpoint(k), Endpoint(RESULT, (slot_of(k, op.attrs),))) for k in range(op.n_positional))


# --- what is said -----------------------------------------------------------------------------------------------------

CORE_FLOWS: dict[str, Flows] = {
    **dict.fromkeys(("cell.new", "cell.get", "sum.make", "sum.get"), passes(0)),
    "cell.set": (Flow(Endpoint(1), Endpoint(0)),),
}


def flows_of(op: Operation, operators: Mapping[str, Any]) -> Flows:
    """What an operation hands on. operators: name -> an object with `flows`."""
    definition = operators.get(op.name)
    flows = CORE_FLOWS.get(op.name, ()) if definition is None else definition.flows
    found = flows(op) if callable(flows) else flows
    return tuple(flow for flow in found if flow.source.of < op.n_positional)

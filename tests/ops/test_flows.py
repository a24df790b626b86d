"""What operators say of the references that they hand on, against what their kernels do with marked objects."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dy2st.ir.core import Operation, Value
from dy2st.ir.flows import ITEM, KEY, RESULT, VALUE, Endpoint, Flow, field_slot, flows_of
from dy2st.ir.native import Instance
from dy2st.ir.types import NEVER, AtomType, DictType, ListType, SequenceType, SetType, TupleType
from dy2st.ops.registry import OPERATORS, lookup


class Mark:
    """An object that is found by its letter, and told apart from others of that letter."""

    def __init__(self, letter: str):
        self.letter = letter

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mark) and self.letter == other.letter

    def __lt__(self, other: Mark) -> bool:
        return self.letter < other.letter

    def __hash__(self) -> int:
        return hash(self.letter)


A, B, C, D = map(Mark, "ABCD")
LIKE_A, LIKE_B = map(Mark, "AB")
FAMILIES = ("list", "dict", "set", "tuple", "sequence", "object")
OF_NUMBERS = {"list.sort", "list.sort_by", "list.stack", "list.concat_tensors", "list.to_tensor"}
OF_NUMBERS |= {f"sequence.{name}" for name in ("order", "distinct", "among", "stack", "concat_tensors", "to_tensor")}


def an_object(**fields) -> Instance:
    made = Instance("Thing")
    made.fields.update(fields)
    return made


CASES = [
    ("list.new", lambda: [A, B], {}),
    ("list.append", lambda: [[A], B], {}),
    ("list.extend", lambda: [[A], [B, C]], {}),
    ("list.insert", lambda: [[A], 0, B], {}),
    ("list.pop", lambda: [[A], 0], {}),
    ("list.get", lambda: [[A, B], 1], {}),
    ("list.set", lambda: [[A], 0, B], {}),
    ("list.delete", lambda: [[A], 0], {}),
    ("list.slice", lambda: [[A, B]], {"start": 1}),
    ("list.set_slice", lambda: [[A], [B, C]], {"start": 0}),
    ("list.delete_slice", lambda: [[A, B]], {"start": 1}),
    ("list.len", lambda: [[A]], {}),
    ("list.contains", lambda: [[A], LIKE_A], {}),
    ("list.index", lambda: [[A], LIKE_A], {}),
    ("list.count", lambda: [[A], LIKE_A], {}),
    ("list.reverse", lambda: [[A, B]], {}),
    ("list.clear", lambda: [[A]], {}),
    ("list.remove", lambda: [[A], LIKE_A], {}),
    ("list.copy", lambda: [[A]], {}),
    ("list.concat", lambda: [[A], [B]], {}),
    ("list.repeat", lambda: [[A], 2], {}),
    ("dict.new", lambda: [A, B], {}),
    ("dict.get", lambda: [{A: B}, LIKE_A], {}),
    ("dict.get_default", lambda: [{A: B}, LIKE_A, C], {}),
    ("dict.get_default", lambda: [{A: B}, C, D], {}),
    ("dict.set", lambda: [{}, A, B], {}),
    ("dict.delete", lambda: [{A: B}, LIKE_A], {}),
    ("dict.contains", lambda: [{A: B}, LIKE_A], {}),
    ("dict.len", lambda: [{A: B}], {}),
    ("dict.keys", lambda: [{A: B}], {}),
    ("dict.values", lambda: [{A: B}], {}),
    ("dict.items", lambda: [{A: B}], {}),
    ("dict.update", lambda: [{A: B}, {C: D}], {}),
    ("dict.pop", lambda: [{A: B}, LIKE_A], {}),
    ("dict.pop", lambda: [{A: B}, C, D], {}),
    ("dict.popitem", lambda: [{A: B}], {}),
    ("dict.setdefault", lambda: [{A: B}, LIKE_A, C], {}),
    ("dict.setdefault", lambda: [{}, C, D], {}),
    ("dict.copy", lambda: [{A: B}], {}),
    ("dict.clear", lambda: [{A: B}], {}),
    ("dict.merge", lambda: [{A: B}, {C: D}], {}),
    ("set.new", lambda: [A, B], {}),
    ("set.add", lambda: [{A}, B], {}),
    ("set.discard", lambda: [{A}, LIKE_A], {}),
    ("set.remove", lambda: [{A}, LIKE_A], {}),
    ("set.pop", lambda: [{A}], {}),
    ("set.update", lambda: [{A}, {B}], {}),
    ("set.clear", lambda: [{A}], {}),
    ("set.contains", lambda: [{A}, LIKE_A], {}),
    ("set.len", lambda: [{A}], {}),
    ("set.copy", lambda: [{A}], {}),
    ("set.union", lambda: [{A}, {B}], {}),
    ("set.intersection", lambda: [{A, B}, {LIKE_A}], {}),
    ("set.intersection", lambda: [{A}, {LIKE_A, B}], {}),
    ("set.difference", lambda: [{A, B}, {LIKE_B}], {}),
    ("set.symmetric_difference", lambda: [{A, B}, {LIKE_B, C}], {}),
    ("set.isdisjoint", lambda: [{A}, {B}], {}),
    ("set.to_list", lambda: [{A}], {}),
    ("set.from_list", lambda: [[A]], {}),
    ("tuple.new", lambda: [A, B], {}),
    ("tuple.get", lambda: [(A, B)], {"index": 1}),
    ("tuple.get_dynamic", lambda: [(A, B), 0], {}),
    ("tuple.get_dynamic", lambda: [(A, B), 1], {}),
    ("tuple.len", lambda: [(A,)], {}),
    ("tuple.concat", lambda: [(A,), (B, C)], {}),
    ("tuple.slice", lambda: [(A, B, C)], {"start": 1}),
    ("tuple.slice", lambda: [(A, B, C)], {"step": -1}),
    ("tuple.contains", lambda: [(A,), LIKE_A], {}),
    ("tuple.to_list", lambda: [(A, B)], {}),
    ("sequence.from_list", lambda: [[A]], {}),
    ("sequence.from_tuple", lambda: [(A, B)], {}),
    ("sequence.to_list", lambda: [(A, B)], {}),
    ("sequence.new", lambda: [A, B], {}),
    ("sequence.append", lambda: [(A,), B], {}),
    ("sequence.insert", lambda: [(A,), 0, B], {}),
    ("sequence.set", lambda: [(A, B), 0, C], {}),
    ("sequence.delete", lambda: [(A, B), 0], {}),
    ("sequence.delete_slice", lambda: [(A, B)], {"start": 1}),
    ("sequence.set_slice", lambda: [(A,), (B, C)], {"start": 1}),
    ("sequence.reverse", lambda: [(A, B)], {}),
    ("sequence.sort", lambda: [(B, A)], {}),
    ("sequence.remove", lambda: [(A, B), LIKE_A], {}),
    ("sequence.take", lambda: [(A, B), (1, 0)], {}),
    ("sequence.index", lambda: [(A,), LIKE_A], {}),
    ("sequence.count", lambda: [(A,), LIKE_A], {}),
    ("sequence.get", lambda: [(A, B), 0], {}),
    ("sequence.get", lambda: [(A, B), 1], {}),
    ("sequence.slice", lambda: [(A, B)], {}),
    ("sequence.len", lambda: [(A,)], {}),
    ("sequence.concat", lambda: [(A,), (B,)], {}),
    ("sequence.repeat", lambda: [(A,), 2], {}),
    ("sequence.contains", lambda: [(A,), LIKE_A], {}),
    ("object.new", lambda: [A, B], {"cls": "Thing", "fields": ["f", "g"]}),
    ("object.get", lambda: [an_object(f=A, g=B)], {"field": "g"}),
    ("object.set", lambda: [an_object(f=A), B], {"field": "g"}),
    ("object.delete", lambda: [an_object(f=A)], {"field": "f"}),
    ("object.has", lambda: [an_object(f=A)], {"field": "f"}),
    ("object.copy", lambda: [an_object(f=A, g=B)], {}),
]
IDS = [f"{name}-{k}" for k, (name, _, _) in enumerate(CASES)]


def type_of(value, family: str):
    if isinstance(value, tuple):
        return SequenceType(AtomType("mark")) if family == "sequence" else TupleType((AtomType("mark"),) * len(value))
    return {list: ListType(), dict: DictType(), set: SetType()}.get(type(value), NEVER)


def marks(value, family: str) -> Iterator[tuple[tuple, Mark]]:
    """The marks in a value, each with the slots that lead to it."""
    if isinstance(value, Mark):
        yield (), value
    elif isinstance(value, tuple) and family != "sequence":
        yield from (((k, *slots), mark) for k, x in enumerate(value) for slots, mark in marks(x, family))
    elif isinstance(value, list | set | tuple):
        yield from (((ITEM, *slots), mark) for x in value for slots, mark in marks(x, family))
    elif isinstance(value, dict):
        held = [(KEY, key) for key in value] + [(VALUE, x) for x in value.values()]
        yield from (((slot, *slots), mark) for slot, x in held for slots, mark in marks(x, family))
    elif isinstance(value, Instance):
        yield from (((field_slot(name), *s), mark) for name, x in value.fields.items() for s, mark in marks(x, family))


def declared(name: str, operands: list, attrs: dict) -> set[Flow]:
    """What the operator says, and what follows: what it puts into a slot is what it gives from there."""
    family = name.partition(".")[0]
    flows = flows_of(Operation(name, [Value(type_of(x, family)) for x in operands], attrs), OPERATORS)
    return {*flows, *(Flow(a.source, b.target) for a in flows for b in flows if a.target == b.source)}


def observed(name: str, operands: list, attrs: dict) -> set[Flow]:
    """Where the kernel has brought the marks: into the result, or from other operands into operand 0."""
    family = name.partition(".")[0]
    before = [(mark, Endpoint(k, slots)) for k, x in enumerate(operands) for slots, mark in marks(x, family)]
    result = lookup(name).kernel(*operands, **attrs)
    after = [(mark, Endpoint(RESULT, slots)) for slots, mark in marks(result, family)]
    after += [(mark, Endpoint(0, slots)) for slots, mark in marks(operands[0], family)]
    pairs = [(source, target) for mark, source in before for other, target in after if mark is other]
    return {Flow(source, target) for source, target in pairs if target.of == RESULT or source.of != 0}


def covers(flow: Flow, other: Flow) -> bool:
    """Whether a flow says of a whole value what another says of a part of it."""
    rest = other.source.slots[len(flow.source.slots) :]
    return other == Flow(*(Endpoint(place.of, (*place.slots, *rest)) for place in flow))


@pytest.mark.parametrize("name, operands, attrs", CASES, ids=IDS)
def test_every_reference_that_arrives_was_declared(name, operands, attrs):
    flows = declared(name, operands(), attrs)
    for flow in observed(name, operands(), attrs):
        assert any(covers(one, flow) for one in flows), flow


@pytest.mark.parametrize("name", sorted({name for name, _, _ in CASES}))
def test_every_flow_that_is_declared_happens(name):
    rows = [(operands, attrs) for given, operands, attrs in CASES if given == name]
    seen = {flow for operands, attrs in rows for flow in observed(name, operands(), attrs)}
    for operands, attrs in rows:
        for flow in declared(name, operands(), attrs):
            assert any(covers(flow, other) for other in seen), flow


def test_no_operator_on_containers_is_left_out():
    known = {name for name in OPERATORS if name.partition(".")[0] in FAMILIES}
    assert {name for name, _, _ in CASES} == known - OF_NUMBERS


@pytest.mark.parametrize("name", sorted(OF_NUMBERS))
def test_operators_on_numbers_hand_on_no_references(name):
    assert not lookup(name).flows

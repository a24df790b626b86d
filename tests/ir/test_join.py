"""The lattice of types, against its laws and a table of examples."""

import pytest
from hypothesis import assume, given, settings
from ir.strategies import types, types_or_never
from support.sampling import amount

from dy2st.dtypes import promote
from dy2st.errors import ConversionError
from dy2st.ir.join import (
    MAX_DEPTH,
    MAX_LENGTHS,
    alternatives,
    depth,
    is_subtype,
    join_all,
    join_types,
    kind,
    record_type,
    without_records,
)
from dy2st.ir.types import (
    INT,
    NEVER,
    NUMERIC,
    STR,
    AtomType,
    CellType,
    ClassType,
    DictType,
    ListType,
    RecordType,
    SetType,
    SumType,
    TensorType,
    TupleType,
    parse_type,
)

FEW = settings(max_examples=amount(100, 20), deadline=None)


def walk(type_):
    yield type_
    for part in type_.parts():
        yield from walk(part)


def converts(*types_):
    """Whether a join of these may convert tensors: two dtypes, or a tensor and a number, or a sum that holds such."""
    found = [t for type_ in types_ for t in walk(type_)]
    tensors = {t.dtype for t in found if isinstance(t, TensorType)}
    return len(tensors) > 1 or bool(tensors) and any(t in NUMERIC for t in found)


@pytest.mark.parametrize(
    "a, b, joined",
    [
        ("int", "int", "int"),
        ("int", "float", "number"),
        ("bool", "int", "number"),
        ("str", "str", "str"),
        ("never", "int", "int"),
        ("int", "none", "sum<none | int>"),
        ("sum<none | int>", "float", "sum<none | number>"),
        ("float32[n,3]", "float32[n,4]", "float32[n,?]"),
        ("float32[3]", "float32[3,1]", "float32[*]"),
        ("float32[2]", "int64[2]", "float32[2]"),
        ("float64[2]", "float32[2]", "float64[2]"),
        ("float", "int64[]", "float32[]"),
        ("int", "bool[]", "int64[]"),
        ("bool", "bool[]", "bool[]"),
        ("int", "uint8[2]", "uint8[*]"),
        ("float", "float16[]", "float16[]"),
        ("sum<none | float32[2]>", "float32[3]", "sum<none | float32[?]>"),
        ("sum<none | int>", "float32[]", "sum<none | float32[]>"),
        ("tuple<int, str>", "tuple<float, str>", "tuple<number, str>"),
        ("tuple<int>", "tuple<int, int>", "sum<tuple<int> | tuple<int, int>>"),
        ("tuple P<x: int>", "tuple<int>", "sum<tuple<int> | tuple P<x: int>>"),
        ("list<never>", "list<float32[2]>", "list<float32[2]>"),
        ("list<int>", "list<str>", "list<sum<int | str>>"),
        ("list<float32[2]>", "list<int64[2]>", "list<sum<float32[2] | int64[2]>>"),
        ("list<int>", "list<float32[]>", "list<sum<int | float32[]>>"),
        ("dict<str, int>", "dict<str, none>", "dict<str, sum<none | int>>"),
        ("class A{x: int}", "class A{x: float}", "class A{x: number}"),
        ("class A{x: int}", "class A{}", "class A{x: sum<int | unbound>}"),
        ("class A{}", "class B{}", "sum<class A{} | class B{}>"),
        ('atom<"f">', 'atom<"g">', 'sum<atom<"f"> | atom<"g">>'),
        ("cell<int>", "cell<none>", "cell<sum<none | int>>"),
        ("list<int>", "unbound", "sum<list<int> | unbound>"),
    ],
)
def test_examples(a, b, joined):
    found = join_types(parse_type(a), parse_type(b))
    assert sorted(map(str, alternatives(found))) == sorted(map(str, alternatives(parse_type(joined))))
    assert join_types(parse_type(b), parse_type(a)) == found


@pytest.mark.long
@FEW
@given(types_or_never, types_or_never)
def test_commutative(a, b):
    assert join_types(a, b) == join_types(b, a)


@given(types_or_never)
def test_idempotent_with_never_as_identity(a):
    assert join_types(a, a) == a == join_types(a, NEVER) == join_types(NEVER, a)


@pytest.mark.long
@FEW
@given(types, types, types)
def test_associative_where_nothing_is_converted(a, b, c):
    """Conversions are left out: a number is weak next to a tensor, so there the order can matter."""
    assume(not converts(a, b, c))
    assert join_types(join_types(a, b), c) == join_types(a, join_types(b, c))


@given(types, types)
def test_upper_bound_where_nothing_is_converted(a, b):
    assume(not converts(a, b))
    joined = join_types(a, b)
    assert is_subtype(a, joined) and is_subtype(b, joined)


@given(types, types)
def test_containers_are_never_converted(a, b):
    for container in (ListType, SetType, CellType):
        joined = join_types(container(a), container(b))
        assert is_subtype(container(a), joined) and is_subtype(container(b), joined)
    assert is_subtype(DictType(a, b), join_types(DictType(a, b), DictType(b, a)))


@given(types, types, types)
def test_dicts_of_known_keys_are_joined_key_by_key(a, b, c):
    """With a dict whose keys aren't known, they have one type for all values."""
    one, other, general = record_type(STR, {"a": a, "b": b}), record_type(STR, {"b": c}), DictType(STR, c)
    joined = join_types(one, other)
    assert joined == join_types(other, one) == join_types(joined, one)
    assert joined.at("a") == a and is_subtype(b, joined.at("b")) and is_subtype(c, joined.at("b"))
    assert is_subtype(one, joined) and is_subtype(other, joined) and is_subtype(joined, joined.as_dict())
    mixed = join_types(one, general)
    assert type(mixed) is DictType and is_subtype(one, mixed) and is_subtype(general, mixed)
    assert not without_records(ListType(one)).holds(RecordType)


@given(types, types)
def test_join_absorbs(a, b):
    """What has been joined once raises no more: loops come to a fixpoint."""
    joined = join_types(a, b)
    assert join_types(joined, a) == joined == join_types(joined, b)


@given(types, types)
def test_sums_are_canonical(a, b):
    for type_ in walk(join_types(a, b)):
        if isinstance(type_, SumType):
            kinds = [kind(t) for t in type_.alternatives]
            assert len(set(kinds)) == len(kinds) > 1
            assert not any(isinstance(t, SumType) or t == NEVER for t in type_.alternatives)


@given(types, types, types)
def test_subtyping_is_transitive_and_reflexive(a, b, c):
    assert is_subtype(a, a)
    ab = join_types(ListType(a), ListType(b))
    assert is_subtype(ListType(a), join_types(ab, ListType(c)))


@pytest.mark.parametrize("wrap", [lambda t: TupleType((t,)), ListType, lambda t: ClassType("A", (("x", t),))])
def test_wrapping_in_a_loop_ends_with_an_error_in_words(wrap):
    type_ = INT
    with pytest.raises(ConversionError, match=f"deeper than {MAX_DEPTH}"):
        for _ in range(100):
            type_ = join_types(type_, wrap(type_))
    assert depth(type_) <= MAX_DEPTH


def test_a_new_kind_in_each_turn_of_a_loop_ends_with_an_error_in_words():
    with pytest.raises(ConversionError, match="more than 32 kinds"):
        join_all(AtomType(f"f{n}") for n in range(100))


def test_a_tuple_growing_in_a_loop_is_one_of_any_length():
    few = join_all(TupleType((INT,) * n) for n in range(MAX_LENGTHS))
    assert isinstance(few, SumType) and len(few.alternatives) == MAX_LENGTHS
    assert join_all(TupleType((INT, STR)[:n] + (INT,) * n) for n in range(100)) == parse_type("sequence<sum<int | str>>")
    assert join_all([parse_type("none"), *(TupleType((INT,) * n) for n in range(9))]) == parse_type("sum<none | sequence<int>>")


def test_chains_of_one_nesting_are_short():
    """From any start, joining ever more types without new kinds raises a handful of times at most."""
    steps = ["bool", "int", "float", "none", "float32[2]", "float32[3]", "float32[2,2]", "int64[]", "float64[1]"]
    type_, raises = NEVER, 0
    for text in steps * 5:
        raised = join_types(type_, parse_type(text))
        raises += raised != type_
        type_ = raised
    assert raises <= len(steps)


@pytest.mark.parametrize(
    "a, b, flows",
    [
        ("int", "number", True),
        ("number", "int", False),
        ("float32[2,n]", "float32[?,n]", True),
        ("float32[2,n]", "float32[*]", True),
        ("float32[?]", "float32[2]", False),
        ("float32[2]", "float32[n]", False),
        ("int64[]", "float32[]", False),
        ("list<int>", "list<number>", True),
        ("sum<none | int>", "sum<none | number | str>", True),
        ("sum<none | int>", "int", False),
        ("class A{x: int}", "class A{x: int, y: sum<int | unbound>}", True),
        ("class A{x: int}", "class A{x: int, y: int}", False),
        ("class A{x: int, y: int}", "class A{x: int}", False),
        ("function<(number) -> int>", "function<(int) -> number>", True),
        ("function<(int) -> int>", "function<(number) -> int>", False),
        ("tuple<int, never>", "tuple<number, str>", True),
    ],
)
def test_subtypes(a, b, flows):
    assert is_subtype(parse_type(a), parse_type(b)) is flows


def test_dtypes_promote_as_a_tensor_join():
    for a in ("uint8", "int64", "float16", "float32"):
        for b in ("bool", "int32", "float64"):
            assert join_types(TensorType(a, ()), TensorType(b, ())).dtype == promote(a, b)

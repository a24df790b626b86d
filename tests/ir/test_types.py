"""Types and their text."""

import pytest
from hypothesis import given
from ir.strategies import types

from dy2st.ir.types import STR, ScalarType, TensorType, parse_type


@given(types)
def test_text_reads_back(type_):
    assert parse_type(str(type_)) == type_


@given(types)
def test_parts_are_all_that_can_be_exchanged(type_):
    """The text tells how many types stand in a type, and which stands where."""
    parts = type_.parts()
    marked = type_.with_parts([ScalarType(f"part{k}") for k in range(len(parts))])
    assert type_.with_parts(parts) == type_ and type(marked) is type(type_)
    text = str(marked)
    for k, part in enumerate(parts):
        assert text.count(f"part{k}") >= 1
        text = text.replace(f"part{k}", str(part), 1)
    assert text == str(type_)


@pytest.mark.parametrize(
    "text, marked",
    [
        ("list<int>", "list<str>"),
        ("dict<int, list<int>>", "dict<str, str>"),
        ("tuple P<a: int, b: float>", "tuple P<a: str, b: str>"),
        ("class C{f: int}", "class C{f: str}"),
        ("class C", "class C"),
        ("function<(int, int) -> float>", "function<(str, str) -> str>"),
        ("exception<E(int, int){code: int} | F>", "exception<E(str, str){code: str} | F>"),
        ("cell<int>", "cell<str>"),
        ("float32[2]", "float32[2]"),
    ],
)
def test_parts_exchanged(text, marked):
    type_ = parse_type(text)
    assert str(type_.with_parts([STR for _ in type_.parts()])) == marked


@pytest.mark.parametrize(
    "text, type_",
    [
        ("float32[n,1,?]", TensorType("float32", ("n", 1, None))),
        ("bool[*]", TensorType("bool", None)),
        ("int8[]", TensorType("int8", ())),
        ('float64["a b"]', TensorType("float64", ("a b",))),
    ],
)
def test_tensors(text, type_):
    assert parse_type(text) == type_ and str(type_) == text


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "expected more"),
        ("floof", "no type or dtype is called floof"),
        ("float32[", "expected"),
        ("float32[-1]", "expected a name"),
        ("list<int, int>", "2 types"),
        ("int int", "left over"),
        ("int # note", "left over"),
        ("list<" * 1000 + "int" + ">" * 1000, "deeper than 64"),
        ("class A{x}", "expected :"),
        ('atom<"\\q">', "not a quoted text"),
        ("int \x00", "can't read"),
    ],
)
def test_what_is_no_type_says_why(text, reason):
    with pytest.raises(ValueError, match="not a type") as error:
        parse_type(text)
    assert reason in str(error.value)

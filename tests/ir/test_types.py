"""Types and their text."""

import pytest
from hypothesis import given
from ir.strategies import types

from dy2st.ir.types import TensorType, parse_type


@given(types)
def test_text_reads_back(type_):
    assert parse_type(str(type_)) == type_


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

"""Literals of attributes and state."""

import math

import numpy as np
import pytest
from hypothesis import given
from ir.strategies import attributes, states

from dy2st.ir.core import Ref
from dy2st.ir.lexer import Tokens
from dy2st.ir.literal import LiteralReader, write_literal, write_state
from dy2st.ir.native import Cell, Instance


def read(text, state=False):
    tokens = Tokens(text)
    value = LiteralReader(state).read(tokens)
    assert not tokens.peek()
    return value


@given(attributes)
def test_attributes_read_back(value):
    text = write_literal(value)
    assert "\n" not in text
    assert repr(read(text)) == repr(value)


@given(states)
def test_state_reads_back(value):
    text = write_state({"s": value})["s"]
    assert write_state({"s": read(text, state=True)})["s"] == text


def test_refs():
    assert write_literal([Ref(2), (Ref(0),)]) == "[$2, ($0,)]"
    assert read("[$2, ($0,)]") == [Ref(2), (Ref(0),)]


def test_shared_objects_stay_shared_and_cycles_close():
    shared = [1]
    texts = write_state({"a": shared, "b": (shared, {"k": shared})})
    assert texts == {"a": "&1 [1]", "b": '(*1, {"k": *1})'}
    reader = LiteralReader(state=True)
    a, b = (reader.read(Tokens(texts[k])) for k in "ab")
    assert a is b[0] is b[1]["k"]
    loop: list = []
    loop.append(Instance("Node", next=loop, cell=Cell(loop)))
    again = read(write_state({"s": loop})["s"], state=True)
    assert again[0].fields["next"] is again is again[0].fields["cell"].value


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("shape", [(), (3,), (0, 2), (20, 5)])
def test_arrays(dtype, shape):
    rng = np.random.default_rng(0)
    array = np.asarray(rng.standard_normal(shape) * 3).astype(dtype)
    again = read(write_state({"s": array})["s"], state=True)
    assert again.dtype == array.dtype and again.shape == array.shape and again.tobytes() == array.tobytes()
    assert again.flags.writeable


@pytest.mark.parametrize("value", [object(), np.float32(1), b"x", {1}, 1j])
def test_what_has_no_literal(value):
    with pytest.raises(TypeError):
        write_literal(value)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "[",
            "[1",
            "(1",
            "{1}",
            "&1",
            "*1",
            "1 2",
            "set([])",
            "{[]: 1}",
            "array(int, [])",
            "array(int8[2], [1])",
            "array(int8[2], [300, 1])",
        ),
        *(
            'array(int8[2], "!!")',
            "array(int8[?], [1])",
            "array(int8[99999999999], [])",
            "record",
            "cell(",
            "atom(1)",
            "9" * 100,
            "[" * 1000,
        ),
        *(
            "array(float32[0,9999999999999999999], [])",
            'array(float32[2], ["a", "b"])',
            "array(int8[1], [[1]])",
            "array(int8[1], [1.5, 2])",
        ),
    ],
)
def test_broken_literals_say_why(text):
    with pytest.raises(ValueError):
        tokens = Tokens(text)
        LiteralReader(state=True).read(tokens)
        tokens.take("end")


def test_special_floats():
    assert math.isnan(read("nan")) and read("-inf") == -math.inf and str(read("-0.0")) == "-0.0"

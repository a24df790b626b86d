"""`eval` of a text that names no variable of its caller is code like any other; what names one is refused."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

X = paddle.to_tensor([1.0, 2.0])
SCALE = [3.0, 4.0]
COUNTS = {"calls": 0}


def counted(by):
    COUNTS["calls"] += by
    return COUNTS["calls"]


def evaluated(x, text):
    if x.sum() > 0:
        x = x * len(str(eval(text)))
    return x, eval(text)


@pytest.mark.parametrize("text", [
    "max(SCALE) + 1", " [each * 2 for each in SCALE]\n", "('a' + # a comment\n 'b') # another", "(lambda n: n * 2)(SCALE[0])",
    '"""two\nlines"""', "{'a': SCALE}['a'][0] if SCALE else None", "counted(by=2)",
])  # fmt: skip
def test_a_text_of_globals(text):
    COUNTS["calls"] = 0
    plain = evaluated(X, text)
    COUNTS["calls"] = 0
    x, found = paddle.jit.to_static(evaluated)(X, text)
    assert x.tolist() == plain[0].tolist() and found == plain[1]


def test_pythons_words_for_what_is_no_expression():
    for text in ("1 +", "a = 1", "1) + (2", "missing_name"):
        with pytest.raises((SyntaxError, NameError)) as plain:
            evaluated(X, text)
        with pytest.raises(plain.type) as found:
            paddle.jit.to_static(evaluated)(X, text)
        assert str(found.value) == str(plain.value)


def test_variables_of_the_caller_are_refused():
    def of_a_comprehension(x):
        return [eval("each") for each in (x, x)]

    for function in (of_a_comprehension, lambda x: eval("x + 1"), lambda x: eval("locals()")):
        with pytest.raises(ConversionError, match="a call of eval can't become part of a Program"):
            paddle.jit.to_static(function)(X)

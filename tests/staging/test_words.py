"""What Python says itself when it raises is said by the Python that runs the Program, not by the one that staged it."""

import sys

import pytest

from dy2st.errors import DTypeError
from dy2st.ops.python.words import WORDS, words_of
from dy2st.ops.registry import infer_types, lookup
from staging.agreement import as_programs, assert_agrees


def unbound(x, n):
    if n > 1:
        y = x
    return y


def of_an_outer_function(x, n):
    def inner():
        return y

    if n > 1:
        y = x
    return inner()


def largest(x, n):
    return max([row for row in x if row > n])


def smallest(x, n):
    return min([row for row in x if row > n])


@pytest.mark.parametrize("function", [unbound, of_an_outer_function, largest, smallest])
def test_a_program_has_the_words_of_the_python_that_runs_it(function):
    assert_agrees(function)
    texts = [op.attrs["value"] for op in as_programs(function)[0].concrete_program.program.walk() if op.name == "const"]
    assert not any(isinstance(text, str) for text in texts)


def test_words_of_the_users_stay_as_they_are():
    def raises(x, n):
        if n > 1:
            raise ValueError("max() of nothing")
        return x

    texts = [op.attrs["value"] for op in as_programs(raises)[0].concrete_program.program.walk() if op.name == "const"]
    assert "max() of nothing" in texts
    assert_agrees(raises)


@pytest.mark.parametrize("name", WORDS)
def test_each_text_is_known_again(name):
    cls, text = WORDS[name]
    attrs = words_of(cls(text.format("y")))
    if name == "modulo" and sys.version_info >= (3, 14):  # whose text is that of any division by zero
        assert attrs is None
        return
    assert attrs == {"name": name, "variable": "y" if "{}" in text else ""}
    assert lookup("py.words").kernel(**attrs) == text.format("y")
    assert words_of(KeyError(text.format("y"))) is None and words_of(cls(text.format("y"), 1)) is None


@pytest.mark.parametrize("name, variable", [("eval", ""), ("local", 3), ([], "")])
def test_no_other_name_is_looked_up(name, variable):
    for ask in (lambda **attrs: infer_types(lookup("py.words"), [], attrs), lookup("py.words").kernel):
        with pytest.raises(DTypeError, match="py.words takes the name of a text"):
            ask(name=name, variable=variable)

"""A path that fails whatever the inputs are is told when the function is converted; the Program fails there as Python does."""

from __future__ import annotations

import warnings

import pytest

import dy2st as paddle
from dy2st.errors import Dy2stWarning
from dy2st.static import InputSpec

X = InputSpec([None, 3], "float32", "x")


def no_such_method(x):
    if x.sum() > 0:
        y = x.fooo()
    else:
        y = x
    return y


def no_such_name(x):
    if x.sum() > 0:
        return x * scael  # noqa: F821
    return x


def no_such_argument(x):
    while x.sum() > 0:
        x = paddle.concat([x, x], dim=0)
    return x


def shapes_that_never_fit(x):
    return x if x.sum() > 0 else x + paddle.ones([4])


def in_a_helper(x):
    if x.sum() > 0:
        return no_such_method(x)
    return x


def raised_by_the_user(x):
    if x.sum() > 0:
        raise TypeError("too large")
    return x


def caught(x):
    try:
        y = x.fooo() if x.sum() > 0 else x
    except AttributeError:
        y = x
    return y


def none_on_one_path(x):
    y = x if x.sum() > 0 else None
    return x if x.sum() <= 0 else y + 1


def bound_on_one_path(x):
    if x.sum() > 0:
        y = x
    return y


TOLD = [
    (no_such_method, 2, "AttributeError: 'Tensor' object has no attribute 'fooo'"),
    (no_such_name, 2, "NameError: name 'scael' is not defined"),
    (no_such_argument, 2, "TypeError: concat() got an unexpected keyword argument 'dim'"),
    (shapes_that_never_fit, 1, "ShapeError: add: shapes [?, 3] and [4]"),
]
SILENT = [raised_by_the_user, caught, none_on_one_path, bound_on_one_path]


def told(function):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        paddle.jit.to_static(function, input_spec=[X]).concrete_program  # noqa: B018
    return [(w.lineno - function.__code__.co_firstlineno, str(w.message)) for w in found if w.category is Dy2stWarning]


@pytest.mark.parametrize("function, line, text", TOLD, ids=[f.__name__ for f, _, _ in TOLD])
def test_e_11_a_failing_path_is_told_at_its_line(function, line, text):
    (found,) = told(function)
    assert found[0] == line and text in found[1] and "whatever the inputs are" in found[1]


def test_e_11_so_is_one_of_a_function_that_is_called():
    ((line, text),) = told(in_a_helper)
    assert line + in_a_helper.__code__.co_firstlineno == no_such_method.__code__.co_firstlineno + 2 and "fooo" in text


def test_e_11_saving_tells_it_too(tmp_path):
    with pytest.warns(Dy2stWarning, match="has no attribute 'fooo'"):
        paddle.jit.save(no_such_method, str(tmp_path / "net"), input_spec=[X])


@pytest.mark.parametrize("function", SILENT)
def test_e_11_what_the_user_raises_or_catches_and_what_may_never_come_is_not(function):
    assert told(function) == []

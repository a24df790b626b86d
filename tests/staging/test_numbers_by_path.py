"""A number whose class follows the path, beside tensors and numbers of every dtype: values and dtypes are plain Python's."""

from __future__ import annotations

import warnings
from itertools import product
from numbers import Number

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

from .agreement import as_programs
from .numbers_by_path import BIG, CASES, KINDS, VALUES, calls, of, outcome, specs


@pytest.mark.long
@pytest.mark.parametrize("operator, dtype, kind", sampled(CASES, 80))
def test_a_number_by_path(operator, dtype, kind):
    f = of(operator, kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            programs = as_programs(f, specs(dtype))
        except ConversionError as error:
            assert "every call of this function raises" in str(error)
            programs = ()
    for call in calls(dtype):
        expected = outcome(f, call)
        for program in programs:
            assert repr(outcome(program, call)) == repr(expected)
        assert programs or expected[0] == "raised"


def added_to_an_element(x, k):
    x[1] += k


def written_to_an_element(x, k):
    x[0] = k


def written_to_some(x, k):
    x[x > 1] = k


def added_in_place(x, k):
    x.add_(k)


def filled(x, k):
    x.fill_(k)


WRITES = [added_to_an_element, written_to_an_element, written_to_some, added_in_place, filled]


@pytest.mark.long
@pytest.mark.parametrize("write, dtype, kind", sampled(product(WRITES, VALUES, KINDS), 50))
def test_a_number_by_path_is_written(write, dtype, kind):
    first, second, third = KINDS[kind]

    def f(x, path):
        x = x.clone()
        write(x, first if path == 0 else second if path == 1 else third)
        return x

    programs = as_programs(f, specs(dtype)) if any(outcome(f, call)[0] != "raised" for call in calls(dtype)) else ()
    for call in calls(dtype):
        for program in programs:
            assert repr(outcome(program, call)) == repr(outcome(f, call))


def test_a_number_that_a_loop_carries():
    """Which classes it may have is known only of what arrives by paths: in a turn it may be any."""

    def f(x, n):
        k, seen = 2, []
        for _ in range(n):
            seen.append(x + k)
            k = k / 2 if k > 1 else True
        return seen

    spec = InputSpec([3], "int64"), InputSpec([], "int64")
    x = paddle.to_tensor([BIG, 1, -2])
    for program in as_programs(f, spec):
        for n in range(4):
            found, expected = program(x, paddle.to_tensor(n)), f(x, n)
            assert [(y.dtype, y.tolist()) for y in found] == [(y.dtype, y.tolist()) for y in expected]


def test_the_classes_of_such_a_number():
    def f(x, path):
        k = 3 if path == 0 else 2.5 if path == 1 else True
        told = [isinstance(k, classes) for classes in (object, Number, (int, str), str, float, bool, int | str, (float, int))]
        return str((told, type(k) is int))

    for program in as_programs(f, specs("int64")):
        for call in calls("int64"):
            given = list(map(paddle.to_tensor, call))
            assert program(*given) == f(*given)


def test_whether_such_a_number_is_true():
    def f(x, path):
        k = 1 if path == 0 else 0.0 if path == 1 else True
        if k is True:
            x = x + 1
        return str((k is True, True is k, k is not True, k is False, k is None)), x.sum()

    for program in as_programs(f, specs("float32")):
        for call in calls("float32"):
            given = list(map(paddle.to_tensor, call))
            (found, total), (expected, whole) = program(*given), f(*given)
            assert (found, total.item()) == (expected, whole.item())


def test_an_argument_of_exceptions_is_of_its_class():
    def f(x, path):
        try:
            if path == 0:
                raise KeyError(3)
            raise KeyError(x.sum())
        except KeyError as error:
            return str((type(error.args[0]) is int, isinstance(error.args[0], int)))

    for program in as_programs(f, specs("float32")):
        for call in calls("float32"):
            given = list(map(paddle.to_tensor, call))
            assert program(*given) == f(*given)


def test_a_list_with_such_a_number_is_refused_where_it_is_written():
    def f(x, flag):
        x[0:2] = [2 if flag else 0.5, 1]
        return x

    with pytest.raises(ConversionError, match=r"test_numbers_by_path.py:\d+: a number that is an int on one path and a float"):
        as_programs(f, (InputSpec([3], "int64"), InputSpec([], "bool")))

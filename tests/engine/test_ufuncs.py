"""Quick forms of operands change no bit, and are left out where a number or a shape wouldn't fit."""

from __future__ import annotations

import itertools
import operator

import numpy as np
import pytest

import dy2st
from dy2st.jit import to_static

OPERATORS = {name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "lt", "ge", "eq", "ne")}
NUMBERS = (0.5, -0.0, 3, -7, float("nan"), float("inf"), 1e-45, 1e300, 255, 256, 1 << 40)
DTYPES = ("float16", "float32", "float64", "int8", "uint8", "int64")
ELEMENTS = ([1.0, np.nan, 2.0], [0.0, -0.0], [-0.0, 0.0], [[1.0, -np.inf], [np.inf, 0.5]], [3.0], 2.0)
SHAPES = (((1, 5), (5,)), ((1, 1, 5), (5,)), ((3, 5), (5,)), ((1, 5), (1,)), ((1, 5), ()), ((1, 0), (0,)), ((5,), (1, 5)))


def outcome(function, *arrays):
    """The result as bytes with its dtype and shape, or the class of the error."""
    try:
        result = function(*map(dy2st.to_tensor, arrays)).numpy()
    except (OverflowError, TypeError, ValueError, dy2st.errors.Dy2stError) as error:
        return type(error).__name__
    return result.dtype.name, result.shape, result.tobytes()


def array(shape, dtype, seed=0):
    return (np.random.default_rng(seed).standard_normal(shape) * 50).astype(dtype)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.filterwarnings("ignore")
def test_a_number_gives_what_it_gives_eagerly(name, dtype):
    for number, swapped in itertools.product(NUMBERS, (False, True)):
        def function(x, op=OPERATORS[name], number=number, swapped=swapped):
            return op(number, x) if swapped else op(x, number)

        x = array((3,), dtype)
        assert outcome(to_static(function), x) == outcome(function, x), (number, swapped)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_arrays_of_other_ranks_give_what_they_give_eagerly(name, shapes):
    def function(x, y, op=OPERATORS[name]):
        return op(x, y)

    x, y = array(shapes[0], "float32"), array(shapes[1], "float32", seed=1)
    assert outcome(to_static(function), x, y) == outcome(function, x, y)


def test_numbers_are_arrays_and_rows_are_matrices_in_the_source():
    @to_static
    def function(x, y):
        return (x + y) * 0.5

    function(dy2st.ones([1, 4]), dy2st.ones([4]))
    source = function.concrete_program.executable.source
    assert "a0 + a1[None]" in source and "0.5" not in source


@pytest.mark.parametrize("name", ["max", "min", "amax", "amin", "argmax", "argmin", "all", "any"])
@pytest.mark.parametrize("values", ELEMENTS, ids=str)
def test_reductions_to_one_element_agree_with_eager_and_numpy(name, values):
    def function(x):
        return getattr(x > 0 if name in ("all", "any") else x, name)()

    x = np.array(values, "float32")
    assert outcome(to_static(function), x) == outcome(function, x)
    truth = getattr(x > 0 if name in ("all", "any") else x, name.removeprefix("a") if name in ("amax", "amin") else name)()
    np.testing.assert_array_equal(function(dy2st.to_tensor(x)).numpy(), truth)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "int64", "float16"])
@pytest.mark.parametrize("turned", list(itertools.product((False, True), repeat=2)), ids=str)
def test_products_of_matrices_agree_with_eager_and_numpy(dtype, turned):
    def function(x, y):
        return dy2st.matmul(x, y, transpose_x=turned[0], transpose_y=turned[1])

    x, y = array((3, 4)[:: -1 if turned[0] else 1], dtype), array((4, 2)[:: -1 if turned[1] else 1], dtype, seed=1)
    assert outcome(to_static(function), x, y) == outcome(function, x, y)
    expected = (x.T if turned[0] else x) @ (y.T if turned[1] else y)
    given = function(dy2st.to_tensor(x), dy2st.to_tensor(y)).numpy()
    np.testing.assert_allclose(given, expected, rtol=1e-2 if dtype == "float16" else 1e-5)

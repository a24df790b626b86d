"""Lengths of inputs that don't fit raise what plain Python raises, and only on the path that is taken."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.errors import ShapeError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


def product(x, y):
    return (x @ y).sum()


def together(x, y):
    return paddle.concat([x, y], 0).sum()


def largest(x, y):
    return paddle.topk(x, 2, axis=0)[0].sum() + y.sum()


def halves(x, y):
    return paddle.split(x, 2, axis=0)[0].sum() + y.sum()


def after_another(x, y):
    return (paddle.concat([x, y], 0) @ y).sum()


def in_a_loop(x, y):
    for _ in range(3):
        x = x @ y
    return x.sum()


def in_rows(x, y):
    return x.reshape([-1, 4]).sum() + y.sum()


def on_one_path(x, y):
    total = y.sum()
    if total > 0:
        total = (x + y).sum()
    return total


FUNCTIONS = [product, together, largest, halves, after_another, in_a_loop, in_rows, on_one_path]
SPECS = [InputSpec([None, None], "float32", name) for name in "xy"]
LENGTHS = [((2, 4), (4, 4)), ((1, 4), (4, 4)), ((4, 4), (4, 4)), ((3, 3), (2, 2)), ((1, 3), (3, 2))]


def outcome(run):
    try:
        return float(run())
    except ShapeError as error:
        return str(error)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_misfits(function):
    f, params = dy2st.jax.function(function, SPECS)
    engine = paddle.jit.to_static(function, input_spec=SPECS, backend="jax")

    def by_function(*given):
        found, _, status = jax.jit(f)(params, *given)
        status.throw()
        return found

    seen = set()
    for sign in (1, -1):
        for lengths in LENGTHS:
            given = [sign * np.ones(shape, "float32") for shape in lengths]
            wanted = outcome(lambda: function(*map(paddle.to_tensor, given)))  # noqa: B023
            for found in (outcome(lambda: by_function(*given)), outcome(lambda: engine(*map(paddle.to_tensor, given)))):  # noqa: B023
                assert found == wanted or isinstance(found, str) and isinstance(wanted, str), (lengths, sign)
            seen.add(isinstance(wanted, str))
    assert seen == {True, False}


def of_known_length(x):
    return x.sum() / x.shape[0]


@pytest.mark.parametrize("given", [np.ones(4), np.ones([3, 1]), np.ones([])])
def test_an_input_has_the_lengths_of_its_spec(given):
    f, params = dy2st.jax.function(of_known_length, [InputSpec([3], "float32", "x")])
    with pytest.raises(ShapeError, match=r"x is a float32\[3\], not float32\[.*None in its InputSpec"):
        jax.jit(f)(params, given.astype("float32"))
    assert float(f(params, np.ones(3, "float32"))[0]) == 1


def test_a_parameter_has_its_shape():
    f, params = dy2st.jax.function(paddle.nn.Linear(3, 2), [InputSpec([None, 3], "float32", "x")])
    x = np.ones([4, 3], "float32")
    with pytest.raises(ShapeError, match=r"bias is a float32\[2\], not float32\[1\]"):
        f(params | {"bias": np.ones(1, "float32")}, x)
    with pytest.raises(KeyError, match="params has no 'bias'"):
        f({"weight": params["weight"]}, x)

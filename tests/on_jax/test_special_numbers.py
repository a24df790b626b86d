"""nan, zeros with a sign, infinity and ints at the ends of their dtype: JAX gives what NumPy gives."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import jax

import dy2st as paddle
import dy2st.jax
from dy2st.static import InputSpec

FLOATS = np.asarray([0.0, -0.0, 1.5, -1.5, 2.5, -0.5, 3, np.nan, np.inf, -np.inf, 1e30, -1e30, 300.7, -129, 2.0**31, 9.3e18])
PAIRS = np.repeat(FLOATS, len(FLOATS)), np.tile(FLOATS, len(FLOATS))
INTS = ["int8", "uint8", "int16", "int32", "int64"]


def both(function, *arrays):
    """What NumPy and JAX give; of an exception the class."""
    f, params = dy2st.jax.function(function, [InputSpec(x.shape, x.dtype.name) for x in arrays])
    with np.errstate(all="ignore"):
        try:
            wanted = function(*map(paddle.to_tensor, arrays)).numpy()
        except Exception as error:
            wanted = type(error)
    with jax.enable_x64(True):
        found, _, status = jax.jit(f)(params, *arrays)
        try:
            status.throw()
        except Exception as error:
            return wanted, type(error)
    return wanted, np.asarray(found)


def same(wanted, found):
    np.testing.assert_array_equal(found, wanted)
    if isinstance(wanted, np.ndarray) and wanted.dtype.kind == "f":
        there = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(found)[there], np.signbit(wanted)[there])


@pytest.mark.parametrize("target", [*INTS, "bool"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_casts(dtype, target):
    with np.errstate(all="ignore"):
        same(*both(lambda x: x.astype(target), FLOATS.astype(dtype)))


@pytest.mark.parametrize("name", ["sign", "floor", "ceil", "trunc", "round", "abs", "neg", "sqrt"])
def test_one_operand(name):
    same(*both(getattr(paddle, name), FLOATS.astype("float32")))


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "divide", "multiply", "atan2"])
def test_two_operands(name):
    wanted, found = both(getattr(paddle, name), *(x.astype("float32") for x in PAIRS))
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
    there = (wanted == 0) & (found == 0)
    np.testing.assert_array_equal(np.signbit(found)[there], np.signbit(wanted)[there])


@pytest.mark.parametrize("dtype", INTS)
@pytest.mark.parametrize("name", ["pow", "floor_divide", "remainder", "left_shift", "right_shift", "multiply"])
def test_ints(name, dtype):
    ends = np.iinfo(dtype)
    numbers = np.asarray([x for x in (0, 1, 2, 3, 31, 64, ends.max, ends.min, -1, -7) if ends.min <= x], dtype)
    a, b = np.repeat(numbers, len(numbers)), np.tile(numbers, len(numbers))
    operator = getattr(paddle, name, None) or getattr(paddle, f"bitwise_{name}")
    same(*both(operator, a, b))
    same(*both(operator, a[b > 0], b[b > 0]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_power_of_a_half_is_a_root(dtype):
    same(*both(lambda x: x**0.5, np.asarray([-np.inf, -0.0, np.inf, 4.0, -4.0, np.nan], dtype)))

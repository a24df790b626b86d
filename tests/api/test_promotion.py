"""The dtype of results: Paddle's rules for tensors with tensors and with Python numbers."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st


def of(dtype: str) -> dy2st.Tensor:
    return dy2st.to_tensor([1, 2], dtype=dtype)


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ("float32", 2, "float32"),
        ("float32", 2.5, "float32"),
        ("float32", True, "float32"),
        ("float16", 2.5, "float16"),
        ("float64", 2.5, "float64"),
        ("int64", 2, "int64"),
        ("int32", 2, "int32"),
        ("int64", 2.5, "float32"),
        ("bool", 2, "int64"),
        ("bool", 2.5, "float32"),
        ("float32", "float64", "float64"),
        ("float16", "float32", "float32"),
        ("int64", "float32", "float32"),
        ("int64", "float16", "float16"),
        ("int32", "int64", "int64"),
        ("bool", "int32", "int32"),
        ("bool", "float32", "float32"),
        ("uint8", "int8", "int16"),
    ],
)
def test_add_promotes(x, y, expected):
    other = of(y) if isinstance(y, str) else y
    assert (of(x) + other).dtype == expected
    assert (other + of(x)).dtype == expected


def test_a_weak_scalar_follows_the_default_dtype():
    dy2st.set_default_dtype("float64")
    try:
        assert (of("int64") + 2.5).dtype == "float64"
        assert dy2st.to_tensor(1.5).dtype == "float64"
    finally:
        dy2st.set_default_dtype("float32")


@pytest.mark.parametrize("dtype", ["int32", "int64", "bool"])
def test_true_division_of_integers_gives_the_default_dtype(dtype):
    assert (of(dtype) / of(dtype)).dtype == "float32"
    assert (of(dtype) / 2).dtype == "float32"
    assert (2 / of(dtype)).dtype == "float32"


@pytest.mark.parametrize(("name", "expected"), [("sum", "int64"), ("prod", "int64"), ("max", "int32"), ("mean", "float32")])
def test_reductions_of_int32(name, expected):
    assert getattr(of("int32"), name)().dtype == expected


def test_sum_and_prod_take_a_dtype():
    assert of("int32").sum(dtype="float64").dtype == "float64"
    assert of("float32").prod(dtype="int32").dtype == "int32"
    assert of("bool").sum().item() == 2


def test_functions_of_integers_give_the_default_dtype():
    assert of("int64").exp().dtype == "float32"
    assert dy2st.sqrt(of("bool")).dtype == "float32"
    assert of("int64").abs().dtype == "int64"
    assert of("int64").square().dtype == "int64"


def test_numpy_scalars_are_weak_and_arrays_are_tensors():
    assert (of("float32") + np.float64(1)).dtype == "float32"
    assert (of("float32") + np.ones(2)).dtype == "float64"
    right = np.ones(2) * of("float32")
    assert isinstance(right, dy2st.Tensor) and right.dtype == "float64"


def test_comparisons_with_a_number_do_not_round_it():
    x = dy2st.to_tensor([1, 2])
    np.testing.assert_array_equal((x < 1.5).numpy(), [True, False])
    assert (x == 1.0).dtype == "bool"
    assert (dy2st.to_tensor([16777217]) > 16777216.0).item()


def test_unequal_to_what_no_number_is():
    assert (of("int64") == None) is False  # noqa: E711
    assert (of("int64") != "a") is True
    with pytest.raises(TypeError):
        of("int64") + "a"
    with pytest.raises(TypeError, match="add takes a Tensor or a number, not list"):
        dy2st.add(of("int64"), [1, 2])
    with pytest.raises(TypeError, match="at least one Tensor"):
        dy2st.add(1, 2)


def test_bitwise_operators_refuse_fractions():
    with pytest.raises(TypeError, match="bitwise_and takes integers or booleans, not float32"):
        of("float32") & of("float32")

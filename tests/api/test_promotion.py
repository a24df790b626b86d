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


MATRIX = dy2st.to_tensor([[2, 1], [1, 3]])


@pytest.mark.parametrize("name", "inv det slogdet solve cholesky qr svd svdvals eigh eigvalsh eig eigvals pinv lu lstsq".split())
@pytest.mark.parametrize("dtype", ["int64", "uint8", "float16"])
def test_s_08_factors_of_integers_are_refused_eagerly_as_in_a_program(name, dtype):
    """NumPy makes float64 of them."""
    given = [MATRIX.astype(dtype)] * (2 if name in ("solve", "lstsq") else 1)
    with pytest.raises(TypeError, match="takes a tensor of float32, float64, complex64 or"):
        getattr(dy2st.linalg, name)(*given)
    with pytest.raises(TypeError, match="takes a tensor of float32, float64, complex64 or"):
        dy2st.jit.to_static(getattr(dy2st.linalg, name))(*given)


def test_s_08_parts_of_real_numbers_are_the_same_in_a_program():
    for x in (MATRIX, MATRIX > 1, MATRIX.astype("float64")):
        for part, expected in ((dy2st.real, x), (dy2st.imag, x * 0)):
            for found in (part(x), dy2st.jit.to_static(part)(x)):
                assert found.dtype == x.dtype and found.tolist() == expected.astype(x.dtype).tolist()
    with pytest.raises(TypeError, match="takes a complex tensor"):
        dy2st.as_real(MATRIX)


def test_s_08_a_tensor_given_as_a_number_is_one_number():
    x, one, many = dy2st.ones([2, 3]), dy2st.to_tensor([1]), dy2st.to_tensor([0, 1])
    for call in (
        lambda n: dy2st.select(x, 1, n),
        lambda n: dy2st.tril(x, n),
        lambda n: dy2st.topk(x, n)[0],
        lambda n: dy2st.scale(x, n),
        lambda n: dy2st.clip(x, n),
    ):
        assert call(one).numpy().tolist() == call(1).numpy().tolist()
        with pytest.raises(ValueError, match="takes a tensor of one element"):
            call(many)
    y = dy2st.ones([2, 3])
    y.stop_gradient = False
    dy2st.select(y, 1, one).sum().backward()
    assert y.grad.tolist() == [[0, 1, 0], [0, 1, 0]]


def test_s_08_a_vector_has_no_triangle_and_scale_no_complex_factor():
    with pytest.raises(TypeError, match="at least 2 axes"):
        dy2st.tril(dy2st.ones([3]))
    with pytest.raises(TypeError, match=r"write x \* factor"):
        dy2st.scale(dy2st.ones([3]).astype("complex64"), 1 + 2j)


def test_s_08_integers_and_complex64_do_not_widen_a_result():
    assert dy2st.trapezoid(dy2st.ones([3]), dy2st.to_tensor([0, 1, 3])).dtype == dy2st.float32
    assert dy2st.linalg.eig(dy2st.ones([2, 2]).astype("complex64"))[0].dtype == dy2st.complex64

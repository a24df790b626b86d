"""Conversions of Tensors to Python values, and how they print."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st


def test_numbers():
    x = dy2st.to_tensor([[2.5]])
    assert float(x) == 2.5 and int(x) == 2 and bool(x) and complex(x) == 2.5
    assert [10, 20, 30][dy2st.to_tensor(1)] == 20
    assert list(range(dy2st.to_tensor(3))) == [0, 1, 2]
    with pytest.raises(TypeError, match="must be an integer tensor, not float32"):
        [1][dy2st.to_tensor(0.0)]
    for convert in (bool, int, float):
        with pytest.raises(ValueError, match=r"takes a tensor of one element, not one of shape \[2\]"):
            convert(dy2st.ones([2]))


def test_containers():
    x = dy2st.to_tensor([[1, 2], [3, 4]])
    assert len(x) == 2 and [row.tolist() for row in x] == [[1, 2], [3, 4]]
    assert 3 in x and 9 not in x
    assert x.tolist() == [[1, 2], [3, 4]] and x.item(1, 0) == 3 and x[0, 1].item() == 2
    with pytest.raises(TypeError, match="0-d"):
        len(dy2st.to_tensor(1))
    assert len({x, x}) == 1


def test_attributes():
    x = dy2st.ones([2, 3])
    assert x.shape == [2, 3] and x.ndim == 2 and x.dim() == 2 and x.size == 6 and x.numel().item() == 6
    assert dy2st.shape(x).tolist() == [2, 3] and dy2st.shape(x).dtype == "int64" and dy2st.rank(x).item() == 2
    assert dy2st.is_tensor(x) and not dy2st.is_tensor(1)
    assert x.element_size() == 4 and x.is_floating_point() and not x.is_integer()
    np.testing.assert_array_equal(np.asarray(x), np.ones((2, 3)))
    np.testing.assert_array_equal(np.exp(x), np.exp(np.ones((2, 3), "float32")))


def test_text():
    x = dy2st.to_tensor([[1.0, 2.5], [3.0, 4.0]], stop_gradient=False)
    assert repr(x) == (
        "Tensor(shape=[2, 2], dtype=float32, place=Place(cpu), stop_gradient=False,\n       [[1. , 2.5],\n        [3. , 4. ]])"
    )
    assert str(x) == repr(x) == f"{x}"
    assert f"{dy2st.to_tensor(3.14159):.2f}" == "3.14"
    with pytest.raises(ValueError, match="one element"):
        f"{x:.2f}"


def test_modes():
    assert dy2st.in_dynamic_mode() and dy2st.get_device() == dy2st.set_device("cpu") == "cpu"
    with pytest.raises(ValueError, match="only device"):
        dy2st.set_device("gpu")


def test_arrays_on_the_left():
    x, a = dy2st.ones([2, 2]), np.full((2, 2), 2.0, "float32")
    for result, expected in [(a @ x, 4), (a - x, 1), (a / x, 2), (a == x * 2, True), (np.float64(3) * x, 3)]:
        assert isinstance(result, dy2st.Tensor)
        np.testing.assert_array_equal(result.numpy(), np.full((2, 2), expected))
    with pytest.raises(TypeError, match="unsupported operand"):
        x @ 2

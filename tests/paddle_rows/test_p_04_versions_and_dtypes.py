"""P-04 and E-01: what code that asks Paddle for its version and dtypes finds, and a Tensor made of a Tensor."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle


def test_p_04_dtype_is_a_class_and_a_dtype_spells_itself_as_in_paddle():
    x = paddle.ones([2])
    assert isinstance(paddle.dtype, type) and isinstance(x.dtype, paddle.dtype) and isinstance(paddle.int64, paddle.dtype)
    assert str(x.dtype) == repr(x.dtype) == f"{x.dtype}" == "paddle.float32"
    assert x.dtype == "paddle.float32" and x.dtype == "float32" and paddle.zeros([1], str(x.dtype)).dtype is x.dtype


def spelt(x):
    return x * 2 if isinstance(x.dtype, paddle.dtype) and str(x.dtype) == "paddle.float32" else x


def test_p_04_a_static_function_finds_the_same_spelling():
    x = paddle.ones([2])
    assert paddle.jit.to_static(spelt)(x).tolist() == spelt(x).tolist() == [2, 2]


def test_p_04_the_version_is_that_of_the_paddle_whose_names_there_are(capsys):
    assert paddle.version.full_version == ".".join([paddle.version.major, paddle.version.minor, paddle.version.patch])
    assert float(paddle.version.full_version[:3]) > 2.6
    paddle.version.show()
    assert f"full_version: {paddle.version.full_version}" in capsys.readouterr().out


@pytest.mark.parametrize("kind", [paddle.nn.Parameter, paddle.Tensor])
def test_e_01_a_tensor_made_of_a_tensor_is_a_copy(kind):
    x = paddle.to_tensor([1.0, 2.0])
    made = kind(x)
    assert made.dtype == x.dtype and made.shape == [2] and made.stop_gradient is (kind is paddle.Tensor)
    made.detach().fill_(0)
    assert x.tolist() == [1, 2] and made.tolist() == [0, 0]


def copied(x):
    y = paddle.Tensor(x * 2)
    y[0] = 5
    return x, y


def test_e_01_a_static_function_copies_too():
    x = paddle.to_tensor([1.0, 2.0])
    assert [t.tolist() for t in paddle.jit.to_static(copied)(x)] == [t.tolist() for t in copied(x)] == [[1, 2], [5, 4]]


@pytest.mark.parametrize("given", [[1.0], 3, "text", None])
def test_e_01_what_has_no_elements_is_refused(given):
    with pytest.raises(TypeError, match="to_tensor makes one of numbers"):
        paddle.Tensor(given)
    assert paddle.Tensor(np.float32(3)).item() == 3

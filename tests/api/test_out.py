"""`out=`: the result lies in a tensor that was there before, at once and as a Program, with its gradient."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st import jit
from dy2st.api.out import NAMES

X = paddle.to_tensor([[1.0, -2.0], [3.0, 0.5]])


def test_every_function_that_is_listed_takes_it():
    for name in NAMES:
        spaces = (paddle.fft, paddle.linalg, F) if "fft" in name else (paddle, F, paddle.linalg)
        function = next(getattr(space, name) for space in spaces if hasattr(space, name))
        assert "out" in __import__("inspect").signature(function).parameters, name


CALLS = {
    "of its shape": (lambda out: paddle.exp(X, out=out), [2, 2], "float32"),
    "of another shape": (lambda out: paddle.sum(X, 0, out=out), [5], "float32"),
    "of another dtype": (lambda out: paddle.add(X, X, out=out), [2, 2], "int64"),
    "a comparison": (lambda out: paddle.less_than(X, X.T, out=out), [2, 2], "bool"),
    "bits": (lambda out: paddle.bitwise_and(X > 0, X < 2, out=out), [2, 2], "bool"),
    "a method": (lambda out: X.matmul(X, out=out), [2, 2], "float32"),
    "a functional": (lambda out: F.softmax(X, -1, out=out), [2, 2], "float32"),
    "None": (lambda out: out.copy_(paddle.abs(X, out=None)), [2, 2], "float32"),
}


@pytest.mark.parametrize("call, shape, dtype", CALLS.values(), ids=CALLS)
def test_the_result_is_out(call, shape, dtype):
    def function(x):
        out = paddle.zeros(shape, dtype)
        found = call(out)
        return out, found + 0 if out is found else None

    fresh = paddle.zeros([2, 2])
    expected = call(fresh)
    assert expected is fresh
    for run in (function, jit.to_static(function)):
        for found in run(X):
            assert found.dtype in (expected.dtype, "int64")  # + 0 of a bool
            np.testing.assert_array_equal(found.numpy(), expected.numpy())


def test_views_of_out_see_it_and_gradients_flow():
    whole, x = paddle.zeros([2, 2]), paddle.to_tensor([2.0, 3.0], stop_gradient=False)
    paddle.multiply(x, x, out=whole[1])
    np.testing.assert_array_equal(whole.numpy(), [[0, 0], [4, 9]])
    (whole * whole).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), 4 * np.array([8.0, 27.0]))


def test_several_results_go_into_a_tuple():
    values, indices = paddle.zeros([2, 1]), paddle.zeros([2, 1], "int64")
    found = paddle.topk(X, 1, out=(values, indices))
    assert found[0] is values and found[1] is indices
    np.testing.assert_array_equal(values.numpy(), [[1], [3]])
    with pytest.raises(ValueError, match="topk gives 2 tensors"):
        paddle.topk(X, 1, out=values)


def test_what_cannot_be_written_is_refused():
    with pytest.raises(TypeError, match="exp: out is a Tensor, not"):
        paddle.exp(X, out=[0.0])
    with pytest.raises(TypeError, match="takes out by name"):
        paddle.bitwise_and(X > 0, X > 1, paddle.zeros([2, 2], "bool"))
    leaf = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with pytest.raises(RuntimeError, match="leaf"):
        paddle.exp(leaf, out=leaf)

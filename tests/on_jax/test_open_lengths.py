"""Tensors of a length that only the run knows, along each axis, in the operators that take them: as plain Python, or refused."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the engine needs the extra 'jax'")

import dy2st as paddle
from dy2st.errors import EngineError
from dy2st.nn import functional as F
from dy2st.static import InputSpec

X = np.random.default_rng(3).standard_normal((2, 3, 4)).astype("float32")
W = np.random.default_rng(4).standard_normal((4, 5)).astype("float32")


def grown(x, n, axis):
    """x, and n more parts behind it along an axis, until one is large."""
    found = x
    for k in range(n):
        x = x * 1.5 - k
        if x.max() > 40:
            break
        found = paddle.concat([found, x], axis=axis)
    return found


OPERATORS = {
    "softmax": (lambda y, axis: F.softmax(y, axis=axis), lambda y, axis: F.softmax(y, axis=(axis + 1) % 3)),
    "log_softmax": (lambda y, axis: F.log_softmax(y, axis=axis),),
    "sum": (lambda y, axis: y.sum(axis=axis), lambda y, axis: y.sum(axis=(axis + 1) % 3), lambda y, axis: y.sum()),
    "mean": (lambda y, axis: y.mean(axis=axis, keepdim=True), lambda y, axis: y.mean()),
    "max": (lambda y, axis: y.max(axis=axis), lambda y, axis: y.argmax(axis=axis), lambda y, axis: y.argmin(axis=(axis + 2) % 3)),
    "cut": (lambda y, axis: y[:, -1], lambda y, axis: y[-1], lambda y, axis: y[..., -1]),
    "slice": (lambda y, axis: y[:, 1:], lambda y, axis: y[1:], lambda y, axis: y[..., :-1], lambda y, axis: y[:1, 1:, -2:]),
    "concat": (lambda y, axis: paddle.concat([y, y * 2], axis), lambda y, axis: paddle.concat([y, -y], (axis + 1) % 3)),
    "transpose": (lambda y, axis: y.transpose([2, 0, 1]), lambda y, axis: y.unsqueeze(1), lambda y, axis: y * y.shape[axis]),
    "reshape": (
        lambda y, axis: y.reshape([2, -1, 2]), lambda y, axis: y.reshape([-1, 4]), lambda y, axis: y.flatten(),
        lambda y, axis: y.reshape([-1, 2]), lambda y, axis: y.reshape([3, -1, 4]), lambda y, axis: y.reshape([2, 2, -1]),
        lambda y, axis: y.reshape([y.shape[1], 4]), lambda y, axis: y.reshape([y.shape[0] * y.shape[1], 4]),
        lambda y, axis: y.reshape([-1]).reshape([y.shape[0], -1]), lambda y, axis: y.reshape([y.shape[axis] + 1, -1]),
    ),
    "matmul": (
        lambda y, axis: y @ paddle.to_tensor(W),
        lambda y, axis: y @ y.transpose([0, 2, 1]),
        lambda y, axis: y.transpose([0, 2, 1]) @ y,
        lambda y, axis: paddle.to_tensor(W).t() @ y.transpose([0, 2, 1]),
        lambda y, axis: F.linear(y[0], paddle.to_tensor(W), paddle.to_tensor(W[0])),
    ),
    "take": (lambda y, axis: paddle.gather(paddle.to_tensor(W), y.astype("int64").flatten() % 4),),
    "order": (
        lambda y, axis: y.sort(axis), lambda y, axis: y.sort(axis, descending=True), lambda y, axis: y.argsort((axis + 1) % 3),
        lambda y, axis: (y * 0).argsort(axis), lambda y, axis: (y > 0).sort(axis, descending=True),
        lambda y, axis: y.topk(2, axis=axis)[0], lambda y, axis: y.topk(3, axis=axis, largest=False)[1],
        lambda y, axis: y.topk(5, axis=axis)[0], lambda y, axis: (y / (y > 1).astype("float32")).sort(axis),
    ),
    "running": (
        lambda y, axis: y.cumsum(axis), lambda y, axis: y.cumprod((axis + 1) % 3), lambda y, axis: paddle.logsumexp(y, axis),
        lambda y, axis: y.flip(axis), lambda y, axis: y[:, ::2], lambda y, axis: y[::-2], lambda y, axis: y[..., 5:1:-2],
    ),
    "by row": (
        lambda y, axis: F.gelu(y), lambda y, axis: F.softplus(y), lambda y, axis: paddle.isinf(y / 0),
        lambda y, axis: F.layer_norm(y, y.shape[2:]) if axis < 2 else y,
        lambda y, axis: paddle.einsum("abc,cd->abd", y, paddle.to_tensor(W)) if axis < 2 else y,
        lambda y, axis: paddle.nonzero(y > 0), lambda y, axis: paddle.nonzero(y[0, :, 0] > 0).flatten(),
        lambda y, axis: paddle.einsum("abc,abc->", y, y),
        lambda y, axis: paddle.einsum("abc,abc->ca", y, y * 2),
        lambda y, axis: F.conv1d(y, paddle.ones([2, 3, 2])) if axis == 0 else y,
        lambda y, axis: paddle.take_along_axis(y, y.argsort((axis + 1) % 3), (axis + 1) % 3),
    ),
    "misfit": (lambda y, axis: y + y[..., :1] * paddle.ones([1, 4, 1]), lambda y, axis: y @ paddle.ones([5, 2])),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name):
    refused = 0
    cases = [(use, axis) for use in OPERATORS[name] for axis in range(3)]
    for use, axis in cases:

        def function(x, n, use=use, axis=axis):
            return use(grown(x, n, axis), axis)

        static = paddle.jit.to_static(function, input_spec=[InputSpec([2, 3, 4]), InputSpec([], "int64")], backend="jax")
        for n in (0, 1, 3, 9):
            given = paddle.to_tensor(X), paddle.to_tensor(n)
            wanted, found = (values(lambda f=f, given=given: f(*given)) for f in (function, static))
            if isinstance(found, EngineError):
                refused += 1
                assert "test_open_lengths.py:" in str(found)
                break
            assert type(found) is type(wanted), (axis, n, found, wanted)
            if not isinstance(wanted, Exception):
                np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5, err_msg=f"axis {axis}, {n}")
    assert refused < len(cases)


def values(call):
    try:
        with paddle.no_grad():
            return call().numpy()
    except Exception as error:
        return error


@pytest.mark.parametrize("shape", [[4, 3, 4], [2, 4, 3, 4], [1, 3, 4], [4, -1, 4]])
def test_rows_in_a_shape_that_is_known(shape):
    def function(x, n):
        return grown(x[:1], n, 0).expand(shape)

    static = paddle.jit.to_static(function, input_spec=[InputSpec([2, 3, 4]), InputSpec([], "int64")], backend="jax")
    for n in (0, 2, 3):
        wanted, found = (values(lambda f=f, n=n: f(paddle.to_tensor(X * 0.1), paddle.to_tensor(n))) for f in (function, static))
        assert type(found) is type(wanted), (n, found, wanted)
        if not isinstance(wanted, Exception):
            np.testing.assert_allclose(found, wanted, rtol=1e-6)

"""Models with numbers of 64 bits, for callers whose JAX has 32: computed in 64, or in 32 by `x32=True`, never silently."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

from on_jax.test_random_numbers import draws  # noqa: E402

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st import nn  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

IDS = np.asarray([[1, 4, 2], [0, 3, 3]])


class Decoder(nn.Layer):
    """Embeds ids, and decodes greedily, with a count of calls."""

    def __init__(self):
        super().__init__()
        self.embed, self.cell, self.head = nn.Embedding(5, 6), nn.GRUCell(6, 6), nn.Linear(6, 5)
        self.register_buffer("seen", paddle.zeros([1], "int64"))
        self.calls = 0

    def forward(self, ids):
        self.calls += 1
        self.seen += ids.sum()
        state, tokens = paddle.zeros([2, 6]), []
        for t in range(ids.shape[1]):
            _, state = self.cell(self.embed(ids[:, t]), state)
        token = ids[:, -1]
        while len(tokens) < 4:
            out, state = self.cell(self.embed(token), state)
            token = self.head(out).argmax(axis=-1)
            tokens.append(token)
            if (token == 0).all():
                break
        return paddle.stack(tokens), state, nn.functional.gelu(state).astype("float64").mean()


SPECS = [InputSpec([2, None], "int64", "ids")]


@pytest.fixture(scope="module")
def net():
    paddle.seed(1)
    return Decoder()


@pytest.mark.parametrize("transform", [lambda f: f, jax.jit], ids=["alone", "jit"])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_values_are_those_of_plain_python(net, transform, dtype):
    net.calls, net.seen[:] = 0, 0
    f, params = dy2st.jax.function(net, SPECS, x32=True)
    call = transform(f)
    for _ in range(2):
        ((rows, count), state, mean), new, status = call(params, IDS.astype(dtype))
        status.throw()
        tokens, wanted, average = net(paddle.to_tensor(IDS))
        np.testing.assert_array_equal(rows[: int(count)], tokens.numpy())
        np.testing.assert_allclose(state, wanted.numpy(), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(mean, average.numpy(), rtol=1e-5)
        params = params | new
    assert (int(params["seen"][0]), int(params["self.calls"])) == (26, 2)
    found = jax.tree_util.tree_leaves((rows, state, mean, params))
    assert {str(x.dtype) for x in found} == {"int32", "float32"}


def test_without_it_numbers_stay_in_64_bits(net):
    f, params = dy2st.jax.function(net, SPECS)
    with pytest.raises(TypeError, match=r"ids is a int64.*not int32.*x32=True"):
        jax.jit(f)(params, IDS)
    for call in (f, lambda params, ids: jax.jit(lambda params: f(params, ids))(params)):
        ((rows, _), _, mean), _, status = call(params, IDS)
        status.throw()
        assert (rows.dtype, mean.dtype) == ("int64", "float64")


def test_gradients_and_batches(net):
    f, params = dy2st.jax.function(by_weight, [InputSpec([3], "float32", "x"), InputSpec([3], "int64", "k")], x32=True)
    x, k = np.asarray([0.5, -2.0, 3.0], "float32"), np.asarray([1, 2, 0], "int32")
    slopes = jax.jit(jax.grad(lambda x: f(params, x, k)[0]))(x)
    np.testing.assert_allclose(slopes, [2 * 2 * 0.5, 2 * 3 * -2.0, 2 * 1 * 3.0])
    many = jax.vmap(f, (None, 0, None))(params, np.stack([x, x * 2]), k)[0]
    np.testing.assert_allclose(many, [f(params, x, k)[0], f(params, x * 2, k)[0]])


@pytest.mark.parametrize("name", ["gelu", "silu", "log_sigmoid", "softplus"])
def test_rules_for_gradients(name):
    function, x = getattr(nn.functional, name), np.asarray([0.5, -2.0, 0.0], "float64")
    own = paddle.to_tensor(x, stop_gradient=False)
    function(own).sum().backward()
    f, params = dy2st.jax.function(function, [InputSpec([3], "float64", "x")], x32=True)
    with jax.enable_x64(False):
        slopes = jax.jit(jax.grad(lambda x: f(params, x)[0].sum()))(x.astype("float32"))
    np.testing.assert_allclose(slopes, own.grad.numpy(), rtol=1e-5)
    assert slopes.dtype == "float32"


def by_weight(x, k):
    weight = (k + 1).astype("float64")
    total = paddle.zeros([], "float64")
    for t in range(3):
        total = total + weight[t] * x[t].astype("float64") ** 2
    return total


@pytest.mark.parametrize("function", [lambda x: x + 2**40, lambda x: x * paddle.to_tensor([2**33]), lambda x: x - 2**31 - 1])
def test_a_number_beyond_is_refused(function):
    with pytest.raises(ConversionError, match="which 32 bits don't hold"):
        f, params = dy2st.jax.function(function, [InputSpec([1], "int64", "x")], x32=True)
        f(params, np.asarray([1]))


def test_inputs_and_state_beyond_are_refused():
    f, params = dy2st.jax.function(lambda x: x + 1, [InputSpec([1], "int64", "x")], x32=True)
    with pytest.raises(ConversionError, match="x has 4294967296, which 32 bits don't hold"):
        f(params, np.asarray([2**32]))
    with pytest.raises(TypeError, match="x is a int64.*x32=True"):
        dy2st.jax.function(lambda x: x + 1, [InputSpec([1], "int64", "x")])[0]({}, np.asarray([1], "int32"))


def test_random_numbers_and_errors():
    f, params = dy2st.jax.function(draws, [InputSpec([6], "float32", "x")], x32=True)
    found, total = jax.jit(f)(params, np.zeros(6, "float32"))[0]
    assert len(np.unique(np.asarray(found).round(6))) == found.size

    def picked(x):
        if x.max() > 5:
            raise KeyError(f"{int(x.max())} of {float(x.sum()):.2f}")
        return x[paddle.randint(0, 3, [4])], paddle.randperm(3), nn.functional.dropout(x.astype("float64"))

    f, params = dy2st.jax.function(picked, [InputSpec([3], "int64", "x")], x32=True)
    (taken, order, dropped), _, status = f(params, np.asarray([1, 2, 3]))
    status.throw()
    assert set(np.asarray(taken)) <= {1, 2, 3}
    assert sorted(np.asarray(order)) == [0, 1, 2]
    assert dropped.dtype == "float32"
    with pytest.raises(KeyError, match="9 of 12.00"):
        jax.jit(f)(params, np.asarray([1, 2, 9]))[2].throw()

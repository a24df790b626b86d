"""Lists whose items have shapes of their own, such as feature maps, in JAX: as plain Python has them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the engine needs the extra 'jax'")

import jax
import jax.numpy as jnp

import dy2st as paddle
import dy2st.jax
from dy2st import jit, nn
from dy2st.errors import EngineError
from dy2st.nn import functional as F
from dy2st.static import InputSpec

SPEC = [InputSpec([None, 1, 8, 8], "float32", "x")]


def pyramid(x):
    maps = [x]
    for _ in range(2):
        maps.append(F.avg_pool2d(maps[-1], 2))
    return maps


def weighed(x):
    maps, total = pyramid(x), 0.0
    for k, level in enumerate(maps):
        total = total + level.mean() * (k + 1)
    return total, maps[-1], len(maps)


def beyond(x):
    maps = pyramid(x)
    return maps[int(x.sum()) * 0 + 3]


def written(x):
    maps = pyramid(x)
    maps[1] = maps[1] * 2
    maps.insert(0, x.sum())
    return maps


def cut(x):
    """Items of other numbers of axes, too; the list is cut, joined, turned round and cut again."""
    maps = [x, x.reshape([-1, 64]), x.sum()]
    maps = maps[1:] + [x.mean([2, 3])] + maps[:1]
    maps.reverse()
    del maps[1]
    maps += [x.reshape([-1]) * 2]
    return maps, len(maps), maps[-2]


class Adding(nn.Layer):
    """Keeps items of other numbers of axes, and puts others in their places."""

    def __init__(self):
        super().__init__()
        self.maps = [paddle.zeros([2, 8]), paddle.zeros([2, 1, 8, 8])]

    def forward(self, x):
        self.maps[0] = self.maps[0] + x.sum([1, 2])
        self.maps[1] = self.maps[1] + x * self.maps[0].mean()
        return self.maps[1] * 2


class Keeper(nn.Layer):
    def __init__(self):
        super().__init__()
        self.maps = [paddle.ones([1, 1, 2, 2]), paddle.ones([1, 1, 4, 4])]

    def forward(self, x):
        before = self.maps[0].sum() + self.maps[1].sum()
        self.maps = [F.avg_pool2d(x, 2)]
        self.maps.append(x)
        return before


class Checking(Keeper):
    def forward(self, x):
        if x.max() > 100.0:
            raise ValueError("too large")
        return super().forward(x)


def batch(count, seed=0):
    return np.random.default_rng(seed).normal(size=(count, 1, 8, 8)).astype("float32")


def arrays(value):
    return [part for item in value for part in arrays(item)] if isinstance(value, list | tuple) else [np.asarray(value)]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("user", [pyramid, weighed, written, cut])
def test_the_engine_gives_each_item_its_shape(user, count):
    x = paddle.to_tensor(batch(count))
    found, right = (arrays(f(x)) for f in (jit.to_static(user, SPEC, backend="jax"), user))
    assert [a.shape for a in found] == [b.shape for b in right]
    for a, b in zip(found, right):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_a_place_that_is_not_there_is_an_index_error():
    f = jit.to_static(beyond, SPEC, backend="jax")
    with pytest.raises((IndexError, EngineError), match="out of range|shapes"):
        f(paddle.to_tensor(batch(1)))


@pytest.mark.parametrize("x32", [False, True])
def test_the_pure_function_gives_a_list_and_its_length(x32):
    f, params = dy2st.jax.function(pyramid, SPEC, x32=x32)
    x = jnp.asarray(batch(2))
    (maps, count), _, status = jax.jit(f)(params, x)
    status.throw()
    assert int(count) == len(maps) == 3
    for a, b in zip(maps, pyramid(paddle.to_tensor(batch(2)))):
        np.testing.assert_allclose(a, b.numpy(), rtol=1e-5, atol=1e-6)
    each = jax.vmap(f, (None, 0))(params, x[:, None])[0][0]
    assert [a.shape for a in each] == [(2, 1, 1, n, n) for n in (8, 4, 2)]


def test_a_gradient_flows_through_the_items():
    f, params = dy2st.jax.function(weighed, SPEC)
    found = jax.grad(lambda x: f(params, x)[0][0])(jnp.asarray(batch(2)))
    x = paddle.to_tensor(batch(2), stop_gradient=False)
    weighed(x)[0].backward()
    np.testing.assert_allclose(found, x.grad.numpy(), rtol=1e-5, atol=1e-6)


def test_state_is_exchanged_though_a_path_raises_before():
    plain, static = Checking(), Checking()
    run = jit.to_static(static, input_spec=SPEC, backend="jax")
    for number, value in enumerate((batch(1), batch(2), 1000 * batch(1), batch(1, 1))):
        old, found = static.maps, []
        for call in (plain, run):
            try:
                found.append(float(call(paddle.to_tensor(value))))
            except ValueError as error:
                found.append(str(error))
        assert found[0] == (pytest.approx(found[1], rel=1e-5) if isinstance(found[1], float) else found[1])
        assert (static.maps is old) == (number == 2)
        for a, b in zip(static.maps, plain.maps):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)


def test_state_goes_from_call_to_call_of_the_pure_function():
    plain = Keeper()
    f, params = dy2st.jax.function(Keeper(), [InputSpec([None, 1, 8, 8], "float32", "x")])
    run = jax.jit(f)
    for seed in range(3):
        found, state, status = run(params, jnp.asarray(batch(2, seed)))
        status.throw()
        np.testing.assert_allclose(found, plain(paddle.to_tensor(batch(2, seed))).numpy(), rtol=1e-5)
        params |= state
        assert [x.shape for x in params["self.maps"]] == [(2, 1, 4, 4), (2, 1, 8, 8)]


def test_items_of_the_state_are_put_in_their_places():
    plain = Adding()
    f, params = dy2st.jax.function(Adding(), [InputSpec([2, 1, 8, 8], "float32", "x")])
    run = jax.jit(f)
    for seed in range(3):
        found, state, status = run(params, jnp.asarray(batch(2, seed)))
        status.throw()
        np.testing.assert_allclose(found, plain(paddle.to_tensor(batch(2, seed))).numpy(), rtol=1e-5, atol=1e-5)
        params |= state

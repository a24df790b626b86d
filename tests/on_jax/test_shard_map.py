"""Branches and loops inside `jax.shard_map`: what each device gives of its part is what a call with that part gives."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import jax.numpy as jnp  # noqa: E402
from jax.sharding import Mesh  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = np.asarray([0.5, 3.0, -2.0], "float32")


def a_branch(x):
    return x * 2 if x.sum() > 0 else paddle.ones([3])


def a_loop_that_data_ends(x):
    turns = 0
    while x.abs().max() > 1:
        x = x / 2
        turns += 1
    return x, turns


def a_loop_of_known_length(x):
    total = paddle.zeros([3], dtype="float64")
    for k in range(5):
        total = total + x * k
    return total


def a_loop_that_begins_with_constants(x):
    n = paddle.zeros([], dtype="int64")
    while n < x[1]:
        n = n + 1
    return n


def a_list(x):
    found = []
    for k in range(3):
        if x[k] > 0:
            found.append(x[k] * k)
    return found


def an_exception(x):
    for k in range(3):
        if x[k] > 100:
            raise ValueError("large")
    return x.cumsum()


@pytest.mark.parametrize("x32", [False, True])
@pytest.mark.parametrize(
    "function", [a_branch, a_loop_that_data_ends, a_loop_of_known_length, a_loop_that_begins_with_constants, a_list, an_exception]
)
def test_results_are_those_of_a_call(function, x32):
    f, params = dy2st.jax.function(function, [InputSpec([3], "float32", "x")], x32=x32)
    mesh = Mesh(np.array(jax.devices()[:1]), ("data",))

    def of_part(params, x):
        return jax.tree.map(lambda y: y[None], f(params, x[0]))

    each = jax.shard_map(of_part, mesh=mesh, in_specs=(P(), P("data")), out_specs=P("data"))
    wanted, found = jax.jit(f)(params, X), jax.jit(each)(params, X[None])
    for one, of_mesh in zip(jax.tree.leaves(wanted), jax.tree.leaves(found), strict=True):
        assert one.dtype == of_mesh.dtype
        np.testing.assert_array_equal(of_mesh[0], one)


class Counted(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", paddle.zeros([], dtype="int64"))

    def forward(self, x):
        self.calls += 1
        return x * 2 if x.sum() > 0 else x


def test_state_that_no_part_tells_is_the_same_on_each_device():
    f, params = dy2st.jax.function(Counted(), [InputSpec([None], "float32", "x")])
    mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
    found = jax.jit(jax.shard_map(f, mesh=mesh, in_specs=(P(), P("data")), out_specs=(P("data"), P(), P())))
    with jax.enable_x64(True):
        y, state, _ = found(params, jnp.asarray(X))
    assert int(state["calls"]) == 1 and y.tolist() == (X * 2).tolist()

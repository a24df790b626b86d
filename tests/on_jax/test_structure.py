"""What goes in and out of a pure function: dicts by their names, lists with their lengths, and state from call to call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import jax.numpy as jnp  # noqa: E402

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.errors import EngineError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = np.asarray([1.0, -2.0, 4.0], "float32")


@dataclass
class Pair:
    low: Any
    high: Any


def of(function, *given):
    f, params = dy2st.jax.function(function, [InputSpec([3], "float32", "x")])
    return jax.jit(f)(params, *given)[0]


def test_a_dict_has_its_names():
    found = of(lambda x: {"total": x.sum(), "ends": (x.min(), {"high": x.max()})}, X)
    assert found.keys() == {"total", "ends"} and found["total"] == 3 and found["ends"][0] == -2 and found["ends"][1]["high"] == 4


def test_an_object_is_a_dict_of_its_attributes():
    found = of(lambda x: (Pair(x.min(), x.max()), x), X)
    assert found[0] == {"low": -2, "high": 4} and found[1].tolist() == X.tolist()


def test_a_list_of_dicts_is_a_dict_of_rows():
    rows, count = of(lambda x: [{"a": x, "b": x.sum()}, {"a": x + 1, "b": x.max()}], X)
    assert rows["a"].tolist() == [X.tolist(), (X + 1).tolist()] and rows["b"].tolist() == [3, 4] and int(count) == 2


def some_or_none(x):
    found = None
    if x.sum() > 0:
        found = [x, x * 2]
    return found


def test_a_list_that_may_be_none_has_its_length():
    kind, (rows, count) = of(some_or_none, X)
    assert int(kind) != int(of(some_or_none, -X)[0])
    assert int(count) == 2 and rows[:2].tolist() == [X.tolist(), (2 * X).tolist()]


class Kept(paddle.nn.Layer):
    """Keeps what is positive, or everything."""

    def __init__(self, everything=False):
        super().__init__()
        self.everything, self.log, self.last = everything, [], []

    def forward(self, x):
        if self.everything or x.sum() > 0:
            self.log.append(x)
            self.last.append((x.max(), len(self.log)))
        total = paddle.zeros([3])
        for row in self.log:
            total = total + row
        return total, len(self.last)


@pytest.mark.parametrize("x32", [False, True])
@pytest.mark.parametrize("everything", [False, True])
def test_a_list_is_kept_from_call_to_call(everything, x32):
    f, params = dy2st.jax.function(Kept(everything), [InputSpec([3], "float32", "x")], x32=x32)
    run, net, held = jax.jit(f), Kept(everything), params
    for x in (X, -X, X + 1, X * 2):
        (total, number), state, status = run(held, x)
        status.throw()
        wanted, length = net(paddle.to_tensor(x))
        np.testing.assert_allclose(total, wanted.numpy())
        assert int(number) == length
        held = params | state
    if not everything:  # there is room, so that each call has the same shapes
        _, numbers = jax.lax.scan(lambda held, x: (held | f(held, x)[1], f(held, x)[0][1]), held, jnp.stack([X, -X, X]))
        assert numbers.tolist() == [4, 4, 5]


def test_a_list_that_outgrows_its_room_says_so():
    f, params = dy2st.jax.function(Kept(), [InputSpec([3], "float32", "x")], list_capacity=2)
    run = jax.jit(f)
    for _ in range(2):
        _, state, status = run(params, X)
        status.throw()
        params = params | state
    with pytest.raises(EngineError, match="give a larger list_capacity"):
        run(params, X)[2].throw()


def test_as_many_arrays_are_asked_for_as_there_are():
    f, params = dy2st.jax.function(Kept(), [InputSpec([3], "float32", "x")])
    with pytest.raises(TypeError, match="self.log is a .* which has 1 arrays, not 3"):
        f(params | {"self.log": (X, X, X)}, X)


class Turned(paddle.nn.Layer):
    """Complex numbers come in, are kept, and go out."""

    def __init__(self):
        super().__init__()
        self.register_buffer("turn", paddle.to_tensor(np.asarray([1j, 0.6 + 0.8j, -1.0], "complex64")))
        self.register_buffer("total", paddle.zeros([3], dtype="complex64"))

    def forward(self, z):
        self.total = self.total + z * self.turn
        return {"z": z * self.turn, "size": self.total.abs()}


@pytest.mark.parametrize("x32", [False, True])
def test_complex_numbers(x32):
    f, params = dy2st.jax.function(Turned(), [InputSpec([3], "complex64", "z")], x32=x32)
    net, z = Turned(), np.asarray([1 + 2j, 3, -1j], "complex64")
    for _ in range(2):
        wanted = net(paddle.to_tensor(z))
        found, state, _ = jax.jit(f)(params, z)
        params = params | state
        assert found["z"].dtype == params["total"].dtype == "complex64"
        np.testing.assert_allclose(found["z"], wanted["z"].numpy(), rtol=1e-6)
        np.testing.assert_allclose(found["size"], wanted["size"].numpy(), rtol=1e-6)
    np.testing.assert_allclose(params["total"], net.total.numpy(), rtol=1e-6)
    begun = params | {"total": params["total"] * 0}
    slopes = jax.grad(lambda turn: f(begun | {"turn": turn}, z)[0]["size"].sum())(params["turn"])
    np.testing.assert_allclose(slopes, jax.grad(lambda turn: abs(z * turn).sum())(params["turn"]), rtol=1e-5, atol=1e-6)

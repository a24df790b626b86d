"""What XLA is given to compile has no operations that a person would leave out: counted, not timed."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import jax
import jax.numpy as jnp

import dy2st as paddle
import dy2st.jax
from dy2st.static import InputSpec

X = np.linspace(1, 2, 16, dtype="float32")


def operations(function, *inputs):
    """How often each operation of StableHLO stands in a function."""
    with jax.enable_x64(True):
        return Counter(re.findall(r"stablehlo\.(\w+)", jax.jit(function).lower(*inputs).as_text()))


def of_program(function, *inputs):
    f, params = dy2st.jax.function(function, [InputSpec(x.shape, x.dtype.name) for x in inputs])
    return operations(lambda *inputs: f(params, *inputs)[0], *inputs)


def primitives(function, *inputs):
    """The names of all equations, also of those within others."""
    f, params = dy2st.jax.function(function, [InputSpec(x.shape, x.dtype.name) for x in inputs])
    with jax.enable_x64(True):
        return Counter(re.findall(r"= (\w+)[\[ ]", str(jax.make_jaxpr(lambda *inputs: f(params, *inputs)[0])(*inputs))))


def newton(x, a):
    i = 0
    while (x * x - a).abs().sum() > -1.0 and i < 200:
        x = 0.5 * (x + a / x)
        i = i + 1
    return x


def newton_by_hand(x, a):
    def goes_on(state):
        x, i = state
        return (jnp.abs(x * x - a).sum() > -1.0) & (i < 200)

    return jax.lax.while_loop(goes_on, lambda state: (0.5 * (state[0] + a / state[0]), state[1] + 1), (x, 0))[0]


def test_a_loop_is_what_a_person_writes():
    own, by_hand = of_program(newton, X, X), operations(newton_by_hand, X, X)
    assert sum(own.values()) <= sum(by_hand.values()), own - by_hand


def test_a_condition_has_no_rule_for_gradients():
    found = primitives(newton, X, X)
    assert {name: n for name, n in found.items() if name.startswith("custom_")} == {"custom_vjp_call": 1}, found  # of the loop
    assert "stop_gradient" not in found


def of_each(x):
    y = x
    if (x.max() > 1.5) and x.argmax() > 2:
        y = x.abs().maximum(x * 2)
    return y


def test_rules_are_where_slopes_are():
    found = primitives(of_each, X)
    assert found["custom_jvp_call"] == 2, found  # abs and maximum, of which the result is made; not the maximum that is compared


def counted(x, n):
    k = n * 1
    if k % 2 == 0:
        k = k // 2
    else:
        k = 3 * k + 1
    is_small = k < 9
    if x.sum() > 0:
        is_small = True
    return k, is_small


def test_branches_of_a_few_ints_are_selected():
    found = of_program(counted, X, np.asarray(7))
    assert not found["case"] and not found["if"]
    assert found["or"] == 1


def filled(x):
    rows = []
    for _ in range(64):
        x = x * 0.5
        rows.append(x)
        if x.sum() < 3:
            break
    return paddle.stack(rows)


def test_rows_are_put_in_their_place():
    found = of_program(filled, X)
    assert found["dynamic_update_slice"] == 1 and not found["scatter"]

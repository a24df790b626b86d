"""Programs by XLA against JAX that a person wrote for the same work, with `lax.scan` and `lax.while_loop`, and against torch."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from cases import elementwise, loops
from cases.common import torch
from cases.networks import array, paired
from dy2st.static import InputSpec
from harness import BY_XLA, HAND_JAX, SCRIPT, XLA_ENGINE, Aim, Case

INTEGERS = np.arange(1, 301)
START, SQUARE = np.full(16, 3, np.float32), np.linspace(1, 9, 16).astype(np.float32)


def cases() -> list[Case]:
    """None where jax isn't installed."""
    if importlib.util.find_spec("jax") is None:
        return []
    lstm, torch_lstm = paired(loops.LSTM, lambda: loops.TorchLSTM())
    greedy, torch_greedy = paired(loops.Greedy, lambda: loops.TorchGreedy())
    sequence = [array(loops.STEPS, 8, 64), array(8, 64), array(8, 64)]
    torchs = dict.fromkeys(("newton", "collatz", "chain")) if torch is None else _functions()
    made = [
        _cases("LSTM cell, 100 steps", lstm, sequence, _lstm_by_hand, torch_lstm, 0.26, is_open=True),
        _cases("Newton, 200 turns", loops.newton, [START, SQUARE], _newton_by_hand, torchs["newton"], 0.006),
        _cases("Greedy GRU decoding, 64 tokens", greedy, [array(1, 64), np.array([5])], _greedy_by_hand, torch_greedy, 0.19),
        _cases("Collatz, 300 integers", loops.collatz, [INTEGERS], _collatz_by_hand, torchs["collatz"], 0.0007, is_open=True),
        _cases("20 elementwise operations on 4M", elementwise.chain, [elementwise.X], _chain_by_hand, torchs["chain"], 0.055),
    ]
    return [case for pair in made for case in pair]


def _functions() -> dict[str, Callable]:
    return {"newton": loops.torch_newton, "collatz": loops.torch_collatz, "chain": elementwise.torch_chain}


def _cases(
    title: str, target: Any, inputs: Sequence[np.ndarray], by_hand: Callable, torch_target: Any, seen: float,
    is_open: bool = False,
) -> list[Case]:  # fmt: skip
    """A Layer or function: its calls, and its first one.

    by_hand: gives a JAX function of weights and of the inputs, and the weights. seen: its ratio to torch.jit.script when it was
    measured first. is_open: whether the model takes a first input of any length; JAX knows it when it compiles.
    """
    import jax

    import dy2st
    import dy2st.jax

    specs = [InputSpec(x.shape, x.dtype.name) for x in inputs]
    if is_open:
        specs[0] = InputSpec([None, *inputs[0].shape[1:]], inputs[0].dtype.name)

    def of_program() -> Callable:
        f, params = dy2st.jax.function(dy2st.jit.to_static(target), specs)
        return partial(jax.jit(lambda params, *inputs: f(params, *inputs)[0]), jax.device_put(params))

    def of_hand() -> Callable:
        f, params = by_hand(target)
        return partial(jax.jit(lambda params, *inputs: f(params, *inputs)), jax.device_put(params))

    def call(made: Callable) -> Any:
        with jax.enable_x64(True):
            return jax.block_until_ready(made(*inputs))

    tensors = [dy2st.to_tensor(x) for x in inputs]
    engine = dy2st.jit.to_static(target, input_spec=specs, backend="jax")
    hand, ours = of_hand(), of_program()
    variants = {
        HAND_JAX: lambda: call(hand), BY_XLA: lambda: call(ours), XLA_ENGINE: dy2st.no_grad()(lambda: engine(*tensors)),
    }  # fmt: skip
    first = {HAND_JAX: lambda: call(of_hand()), BY_XLA: lambda: call(of_program())}
    aims = [Aim(BY_XLA, HAND_JAX, 1.1)]
    if torch_target is not None:
        script, given = torch.jit.script(torch_target), [torch.from_numpy(x) for x in inputs]
        variants[SCRIPT] = torch.no_grad()(lambda: script(*given))
        aims.append(Aim(BY_XLA, SCRIPT, 1.5 * seen))
    return [
        Case(f"{title}, by XLA", variants, aims),
        Case(f"{title}, by XLA, first answer", first, [Aim(BY_XLA, HAND_JAX, 1.3)]),
    ]


# --- by hand ---------------------------------------------------------------------------------------------------------


def _lstm_by_hand(net: Any) -> tuple[Callable, Any]:
    import jax
    import jax.numpy as jnp

    cell = net.cell
    weights = [w.numpy() for w in (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)]

    def forward(weights, x, h, c):
        w, u, b, d = weights

        def step(state, x):
            h, c = state
            i, f, g, o = jnp.split(x @ w.T + b + h @ u.T + d, 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        return jax.lax.scan(step, (h, c), x)[1]

    return forward, weights


def _newton_by_hand(_: Any) -> tuple[Callable, Any]:
    import jax
    import jax.numpy as jnp

    def newton(_, x, a):
        def goes_on(state):
            y, i = state
            return (jnp.abs(y * y - a).max() > -1.0) & (i < 200)

        return jax.lax.while_loop(goes_on, lambda state: (0.5 * (state[0] + a / state[0]), state[1] + 1), (x, 0))[0]

    return newton, ()


def _greedy_by_hand(net: Any) -> tuple[Callable, Any]:
    import jax
    import jax.numpy as jnp

    cell = net.cell
    weights = [cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh, net.table.weight, net.out.weight, net.out.bias]

    def forward(weights, h, token):
        w, u, b, d, table, out, bias = weights

        def turn(state):
            h, token, found, count = state
            r, z, n = jnp.split(table[token] @ w.T + b, 3, -1)
            s, y, m = jnp.split(h @ u.T + d, 3, -1)
            r, z = jax.nn.sigmoid(r + s), jax.nn.sigmoid(z + y)
            n = jnp.tanh(n + r * m)
            h = (h - n) * z + n
            token = (h @ out + bias).argmax(-1)
            return h, token, found.at[count].set(token), count + 1

        def goes_on(state):
            return (state[3] < loops.TOKENS) & ((state[3] == 0) | (state[1] != 0).any())

        return jax.lax.while_loop(goes_on, turn, (h, token, jnp.zeros([loops.TOKENS, *token.shape], token.dtype), 0))[2:]

    return forward, [w.numpy() for w in weights]


def _collatz_by_hand(_: Any) -> tuple[Callable, Any]:
    import jax
    import jax.numpy as jnp

    def collatz(_, numbers):
        def count(total, n):
            def turn(state):
                n, total = state
                return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), total + 1

            return jax.lax.while_loop(lambda state: state[0] != 1, turn, (n, total))[1], None

        return jax.lax.scan(count, jnp.zeros([], "int64"), numbers)[0]

    return collatz, ()


def _chain_by_hand(_: Any) -> tuple[Callable, Any]:
    import jax.numpy as jnp

    return lambda _, x: elementwise.by_hand(x, jnp), ()

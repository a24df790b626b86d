"""RNN, LSTM and GRU: a loop of the Program over time, for each direction."""

from __future__ import annotations

from typing import Any

from ....ops import select
from ....ops.linalg import matmul
from ....ops.views import transpose
from ....runtime.tensors.tensor import Tensor
from ..registry import node
from ..slices import at, part
from .recurrence import Function, Network, Step, functions_of, plus


def _clipped(x: Tensor, clip: float | None) -> Tensor:
    return x if clip is None else select.clip(x, min=-clip, max=clip)


def _halves(bias: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
    """The biases that go with W and with R."""
    if bias is None:
        return None, None
    half = bias.shape[1] // 2
    return part(bias, 1, 0, half), part(bias, 1, half, None)


def _by_hidden(h: Tensor, recurrence: Tensor, bias: Tensor | None) -> Tensor:
    return plus(matmul(h, transpose(recurrence, perm=[1, 0])), bias)


def _gates(x: Tensor, count: int, size: Any) -> list[Tensor]:
    """The parts of the last axis."""
    return [part(x, x.ndim - 1, k * size, (k + 1) * size) for k in range(count)]


def _split_activations(given: Any, default: list[str], count: int, alphas: Any, betas: Any) -> list[list[Function]]:
    """The activations of each direction."""
    functions = list(functions_of(given or default * count, alphas, betas))
    return [functions[k * len(default) : (k + 1) * len(default)] for k in range(count)]


@node("RNN", folds=False)
def rnn(
    x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None, lengths: Tensor | None = None, initial_h: Tensor | None = None, *,
    activation_alpha: Any = None, activation_beta: Any = None, activations: Any = None, clip: float | None = None,
    direction: str = "forward", hidden_size: int = 0, layout: int = 0, mark: Any = None,
) -> tuple:  # fmt: skip
    network = Network(mark, x, lengths, direction, layout)
    functions = _split_activations(activations, ["Tanh"], network.directions, activation_alpha, activation_beta)
    bias, inner = _halves(b)

    def step(k: int) -> Step:
        recurrence, own, (f,) = at(r, 0, k), None if inner is None else at(inner, 0, k), functions[k]
        return lambda gates, h: (f(_clipped(gates + _by_hidden(h, recurrence, own), clip)),)

    return network.run(w, bias, [network.start(initial_h, r.shape[2])], step)


@node("GRU", folds=False)
def gru(
    x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None, lengths: Tensor | None = None, initial_h: Tensor | None = None, *,
    activation_alpha: Any = None, activation_beta: Any = None, activations: Any = None, clip: float | None = None,
    direction: str = "forward", hidden_size: int = 0, layout: int = 0, linear_before_reset: int = 0, mark: Any = None,
) -> tuple:  # fmt: skip
    network, size = Network(mark, x, lengths, direction, layout), r.shape[2]
    functions = _split_activations(activations, ["Sigmoid", "Tanh"], network.directions, activation_alpha, activation_beta)
    bias, inner = _halves(b)

    def step(k: int) -> Step:
        r_gates, r_new = part(at(r, 0, k), 0, 0, 2 * size), part(at(r, 0, k), 0, 2 * size, None)
        own = None if inner is None else at(inner, 0, k)
        b_gates, b_new = (None, None) if own is None else (part(own, 0, 0, 2 * size), part(own, 0, 2 * size, None))
        f, g = functions[k]

        def advance(gates: Tensor, h: Tensor) -> tuple[Tensor]:
            outer, candidate = part(gates, 1, 0, 2 * size), part(gates, 1, 2 * size, None)
            update, reset = _gates(f(_clipped(outer + _by_hidden(h, r_gates, b_gates), clip)), 2, size)
            past = reset * _by_hidden(h, r_new, b_new) if linear_before_reset else _by_hidden(reset * h, r_new, b_new)
            new = g(_clipped(candidate + past, clip))
            return ((1 - update) * new + update * h,)

        return advance

    return network.run(w, bias, [network.start(initial_h, size)], step)


@node("LSTM", folds=False)
def lstm(
    x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None, lengths: Tensor | None = None, initial_h: Tensor | None = None,
    initial_c: Tensor | None = None, peepholes: Tensor | None = None, *, activation_alpha: Any = None,
    activation_beta: Any = None, activations: Any = None, clip: float | None = None, direction: str = "forward",
    hidden_size: int = 0, input_forget: int = 0, layout: int = 0, mark: Any = None,
) -> tuple:  # fmt: skip
    network, size = Network(mark, x, lengths, direction, layout), r.shape[2]
    functions = _split_activations(
        activations, ["Sigmoid", "Tanh", "Tanh"], network.directions, activation_alpha, activation_beta
    )
    bias, inner = _halves(b)

    def step(k: int) -> Step:
        recurrence, own = at(r, 0, k), None if inner is None else at(inner, 0, k)
        p_in, p_out, p_forget = [None] * 3 if peepholes is None else _gates(at(peepholes, 0, k), 3, size)
        f, g, h_of = functions[k]

        def seen(gate: Tensor, peephole: Tensor | None, c: Tensor) -> Tensor:
            return f(_clipped(gate if peephole is None else gate + peephole * c, clip))

        def advance(gates: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
            gate_in, gate_out, gate_forget, candidate = _gates(gates + _by_hidden(h, recurrence, own), 4, size)
            enters = seen(gate_in, p_in, c)
            stays = 1 - enters if input_forget else seen(gate_forget, p_forget, c)
            cell = stays * c + enters * g(_clipped(candidate, clip))
            return seen(gate_out, p_out, cell) * h_of(cell), cell

        return advance

    return network.run(w, bias, [network.start(initial_h, size), network.start(initial_c, size)], step)

"""RNN, LSTM and GRU: a loop of the Program over time, for each direction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from ....errors import ConversionError
from ....ops import compare, elementwise, select, unary
from ....ops.activation import relu
from ....ops.cast import cast
from ....ops.creation import arange, full
from ....ops.index import getitem_advanced
from ....ops.linalg import matmul
from ....ops.manipulate import stack
from ....ops.views import reshape, transpose, unsqueeze
from ....runtime.tensors.tensor import Tensor
from ..loops import over
from ..registry import node
from ..slices import at, part
from .activations import elu, hard_sigmoid, leaky_relu, softplus, softsign, thresholded_relu

Function = Callable[[Tensor], Tensor]
Step = Callable[..., tuple[Tensor, ...]]  # the gates that x gives, and the state before: the state after, its output first

ACTIVATIONS: dict[str, tuple[Callable[..., Tensor], tuple[float, ...]]] = {  # with the defaults of alpha and beta
    "relu": (relu, ()),
    "tanh": (unary.tanh, ()),
    "sigmoid": (unary.sigmoid, ()),
    "softsign": (softsign, ()),
    "softplus": (softplus, ()),
    "leakyrelu": (lambda x, alpha: leaky_relu(x, alpha=alpha), (0.01,)),
    "thresholdedrelu": (lambda x, alpha: thresholded_relu(x, alpha=alpha), (1.0,)),
    "elu": (lambda x, alpha: elu(x, alpha=alpha), (1.0,)),
    "affine": (lambda x, alpha, beta: x * alpha + beta, (1.0, 0.0)),
    "scaledtanh": (lambda x, alpha, beta: unary.tanh(x * beta) * alpha, (1.0, 1.0)),
    "hardsigmoid": (lambda x, alpha, beta: hard_sigmoid(x, alpha=alpha, beta=beta), (0.2, 0.5)),
}


def _functions(names: Sequence[str], alphas: Any, betas: Any) -> Iterator[Function]:
    """The activations by their names; those that have them take the next alpha and beta that are given."""
    given = [iter(alphas or ()), iter(betas or ())]
    for name in names:
        if name.lower() not in ACTIVATIONS:
            raise ConversionError(f"the activation {name!r} isn't known")
        function, defaults = ACTIVATIONS[name.lower()]
        yield partial(_applied, function, [next(numbers, default) for numbers, default in zip(given, defaults)])


def _applied(function: Callable, numbers: list[float], x: Tensor) -> Tensor:
    return function(x, *numbers)


def _clipped(x: Tensor, clip: float | None) -> Tensor:
    return x if clip is None else select.clip(x, min=-clip, max=clip)


def _sum(a: Tensor, b: Tensor | None) -> Tensor:
    return a if b is None else elementwise.add(a, b)


class Network:
    """One recurrent node: what it is given, and its directions.

    cells: makes the step of a direction of its number, R, the halves of its bias and its activations. states: how many there are.
    """

    def __init__(self, mark: Any, x: Tensor, lengths: Tensor | None, direction: str, layout: int, states: int):
        if direction not in ("forward", "reverse", "bidirectional"):
            raise ConversionError(f"the direction {direction!r} isn't known")
        self.mark, self.layout, self.states = mark, layout, states
        self.x = transpose(x, perm=[1, 0, 2]) if layout else x
        self.lengths, self.directions = lengths, 2 if direction == "bidirectional" else 1
        self.backwards = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}[direction]

    def start(self, given: Tensor | None, size: Any) -> Tensor:
        """An initial state [directions, batch, size]; 0 where none is given."""
        if given is None:
            return full(shape=[self.directions, self.x.shape[1], size], fill_value=0, dtype=self.x.dtype.name)
        return transpose(given, perm=[1, 0, 2]) if self.layout else given

    def run(self, weights: Tensor, bias: Tensor | None, starts: list[Tensor], step: Callable[[int], Step]) -> tuple:
        """The outputs [time, directions, batch, hidden] and the last states [directions, batch, hidden]."""
        found, last = [], []
        for k, backwards in enumerate(self.backwards):
            x = self._turned(self.x) if backwards else self.x
            gates = _sum(matmul(x, transpose(at(weights, 0, k), perm=[1, 0])), None if bias is None else at(bias, 0, k))
            states, outputs = self._walk(k, gates, [at(start, 0, k) for start in starts], step(k))
            found.append(self._turned(outputs) if backwards else outputs)
            last.append(states)
        outputs = stack(*found, axis=1)
        ends = [stack(*state, axis=0) for state in zip(*last)]
        if self.layout:
            return transpose(outputs, perm=[2, 0, 1, 3]), *(transpose(end, perm=[1, 0, 2]) for end in ends)
        return outputs, *ends

    def _walk(self, direction: int, gates: Tensor, starts: list[Tensor], step: Step) -> tuple[list, Tensor]:
        """Step by step. Of each batch, as many count as its length says: after them its state stays, and the output is 0."""

        def turn(i: Any, *states: Tensor) -> tuple:
            after = step(at(gates, 0, i), *states)
            if self.lengths is None:
                return after, [after[0]]
            counts = unsqueeze(compare.greater_than(cast(self.lengths, dtype="int64"), i), axis=[1])
            kept = [select.where(counts, new, old) for new, old in zip(after, states)]
            return kept, [select.where(counts, after[0], 0.0)]

        last, (outputs,) = over((self.mark, direction), gates.shape[0], turn, starts, 1)
        return last, outputs

    def _turned(self, x: Tensor) -> Tensor:
        """[time, batch, ...] from its end; of each batch, the steps that count."""
        steps = reshape(arange(start=0, end=x.shape[0], step=1, dtype="int64"), shape=[-1, 1])
        if self.lengths is None:
            return getitem_advanced(x, reshape(x.shape[0] - 1 - steps, shape=[-1]), index=[{"tensor": 0}])
        lengths = reshape(cast(self.lengths, dtype="int64"), shape=[1, -1])
        turned = select.where(steps < lengths, lengths - 1 - steps, steps)
        batches = reshape(arange(start=0, end=x.shape[1], step=1, dtype="int64"), shape=[1, -1])
        return getitem_advanced(x, turned, batches, index=[{"tensor": 0}, {"tensor": 1}])


def _halves(bias: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
    """The biases that go with W and with R."""
    if bias is None:
        return None, None
    half = bias.shape[1] // 2
    return part(bias, 1, 0, half), part(bias, 1, half, None)


def _by_hidden(h: Tensor, recurrence: Tensor, bias: Tensor | None) -> Tensor:
    return _sum(matmul(h, transpose(recurrence, perm=[1, 0])), bias)


def _gates(x: Tensor, count: int, size: Any) -> list[Tensor]:
    """The parts of the last axis."""
    return [part(x, x.ndim - 1, k * size, (k + 1) * size) for k in range(count)]


def _split_activations(given: Any, default: list[str], count: int, alphas: Any, betas: Any) -> list[list[Function]]:
    """The activations of each direction."""
    functions = list(_functions(given or default * count, alphas, betas))
    return [functions[k * len(default) : (k + 1) * len(default)] for k in range(count)]


@node("RNN")
def rnn(
    x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None, lengths: Tensor | None = None, initial_h: Tensor | None = None, *,
    activation_alpha: Any = None, activation_beta: Any = None, activations: Any = None, clip: float | None = None,
    direction: str = "forward", hidden_size: int = 0, layout: int = 0, mark: Any = None,
) -> tuple:  # fmt: skip
    network = Network(mark, x, lengths, direction, layout, 1)
    functions = _split_activations(activations, ["Tanh"], network.directions, activation_alpha, activation_beta)
    bias, inner = _halves(b)

    def step(k: int) -> Step:
        recurrence, own, (f,) = at(r, 0, k), None if inner is None else at(inner, 0, k), functions[k]
        return lambda gates, h: (f(_clipped(gates + _by_hidden(h, recurrence, own), clip)),)

    return network.run(w, bias, [network.start(initial_h, r.shape[2])], step)


@node("GRU")
def gru(
    x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None, lengths: Tensor | None = None, initial_h: Tensor | None = None, *,
    activation_alpha: Any = None, activation_beta: Any = None, activations: Any = None, clip: float | None = None,
    direction: str = "forward", hidden_size: int = 0, layout: int = 0, linear_before_reset: int = 0, mark: Any = None,
) -> tuple:  # fmt: skip
    network, size = Network(mark, x, lengths, direction, layout, 1), r.shape[2]
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


@node("LSTM")
def lstm(
    x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None, lengths: Tensor | None = None, initial_h: Tensor | None = None,
    initial_c: Tensor | None = None, peepholes: Tensor | None = None, *, activation_alpha: Any = None,
    activation_beta: Any = None, activations: Any = None, clip: float | None = None, direction: str = "forward",
    hidden_size: int = 0, input_forget: int = 0, layout: int = 0, mark: Any = None,
) -> tuple:  # fmt: skip
    network, size = Network(mark, x, lengths, direction, layout, 2), r.shape[2]
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

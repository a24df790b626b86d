"""Recurrent networks over time, in one direction or both: what RNN, LSTM and GRU have in common."""

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
from ..slices import at
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


def functions_of(names: Sequence[str], alphas: Any, betas: Any) -> Iterator[Function]:
    """The activations by their names; those that have them take the next alpha and beta that are given."""
    given = [iter(alphas or ()), iter(betas or ())]
    for name in names:
        if name.lower() not in ACTIVATIONS:
            raise ConversionError(f"the activation {name!r} isn't known")
        function, defaults = ACTIVATIONS[name.lower()]
        yield partial(_applied, function, [next(numbers, default) for numbers, default in zip(given, defaults)])


def _applied(function: Callable, numbers: list[float], x: Tensor) -> Tensor:
    return function(x, *numbers)


def plus(a: Tensor, b: Tensor | None) -> Tensor:
    return a if b is None else elementwise.add(a, b)


class Network:
    """One recurrent node: what it is given, and its directions.

    mark: the node. x: [time, batch, size], or [batch, time, size] with `layout` 1. lengths: how many steps of each batch count.
    """

    def __init__(self, mark: Any, x: Tensor, lengths: Tensor | None, direction: str, layout: int):
        if direction not in ("forward", "reverse", "bidirectional"):
            raise ConversionError(f"the direction {direction!r} isn't known")
        self.mark, self.layout = mark, layout
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
            gates = plus(matmul(x, transpose(at(weights, 0, k), perm=[1, 0])), None if bias is None else at(bias, 0, k))
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

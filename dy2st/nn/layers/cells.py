"""One step of a recurrent network: SimpleRNNCell, LSTMCell, GRUCell."""

from __future__ import annotations

import math
from typing import Any

from ...api.creation import full
from ...api.linalg import matmul
from ...api.math import sigmoid, tanh
from ...runtime.tensor import Tensor
from .. import functional as F
from ..initializer import Uniform
from ..layer import Layer


class _Cell(Layer):
    """Weights of one step, with `gates` stacked along the first axis, all uniform in +-1 / sqrt(hidden_size).

    weight_ih [gates * hidden, input], weight_hh [gates * hidden, hidden], bias_ih and bias_hh [gates * hidden].
    """

    _gates = 1

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ):
        super().__init__()
        if hidden_size <= 0:
            raise ValueError(f"{type(self).__name__}: hidden_size must be positive, not {hidden_size}")
        self.input_size, self.hidden_size = input_size, hidden_size
        rows, limit = self._gates * hidden_size, 1.0 / math.sqrt(hidden_size)
        start = Uniform(-limit, limit)
        self.weight_ih = self.create_parameter([rows, input_size], weight_ih_attr, default_initializer=start)
        self.weight_hh = self.create_parameter([rows, hidden_size], weight_hh_attr, default_initializer=start)
        self.bias_ih = self.create_parameter([rows], bias_ih_attr, is_bias=True, default_initializer=start)
        self.bias_hh = self.create_parameter([rows], bias_hh_attr, is_bias=True, default_initializer=start)

    def zeros(self, inputs: Tensor) -> Tensor:
        """The state before the first step: [batch, hidden]."""
        return full([inputs.shape[0], self.hidden_size], 0.0, inputs.dtype)

    def parts(self, inputs: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
        """What the input and what the state contribute to the gates: [batch, gates * hidden] each."""
        x = matmul(inputs, self.weight_ih, transpose_y=True)
        s = matmul(h, self.weight_hh, transpose_y=True)
        return x if self.bias_ih is None else x + self.bias_ih, s if self.bias_hh is None else s + self.bias_hh

    def gate(self, gates: Tensor, k: int) -> Tensor:
        """Gate number k: [batch, hidden]."""
        return gates[:, k * self.hidden_size : (k + 1) * self.hidden_size]

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}"


class SimpleRNNCell(_Cell):
    """h' = tanh(W x + b + U h + c). Call: (inputs [batch, input], states h or None) -> (h', h')."""

    def __init__(self, input_size: int, hidden_size: int, activation: str = "tanh", **attrs: Any):
        super().__init__(input_size, hidden_size, **attrs)
        if activation not in ("tanh", "relu"):
            raise ValueError(f"SimpleRNNCell: activation is 'tanh' or 'relu', not {activation!r}")
        self.activation = activation

    def forward(self, inputs: Tensor, states: Tensor | None = None) -> tuple[Tensor, Tensor]:
        x, s = self.parts(inputs, self.zeros(inputs) if states is None else states)
        h = tanh(x + s) if self.activation == "tanh" else F.relu(x + s)
        return h, h


class LSTMCell(_Cell):
    """Gates in the order input, forget, cell, output (Hochreiter and Schmidhuber, 1997).

    Call: (inputs [batch, input], states (h, c) or None) -> (h', (h', c')), all states [batch, hidden].
    """

    _gates = 4

    def forward(self, inputs: Tensor, states: Any = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        if states is None:
            states = (self.zeros(inputs), self.zeros(inputs))
        h, c = states
        x, s = self.parts(inputs, h)
        gates = x + s
        c = sigmoid(self.gate(gates, 1)) * c + sigmoid(self.gate(gates, 0)) * tanh(self.gate(gates, 2))
        h = sigmoid(self.gate(gates, 3)) * tanh(c)
        return h, (h, c)


class GRUCell(_Cell):
    """Gates in the order reset, update, candidate (Cho et al., 2014).

    Call: (inputs [batch, input], states h [batch, hidden] or None) -> (h', h').
    """

    _gates = 3

    def forward(self, inputs: Tensor, states: Tensor | None = None) -> tuple[Tensor, Tensor]:
        h = self.zeros(inputs) if states is None else states
        x, s = self.parts(inputs, h)
        reset = sigmoid(self.gate(x, 0) + self.gate(s, 0))
        update = sigmoid(self.gate(x, 1) + self.gate(s, 1))
        candidate = tanh(self.gate(x, 2) + reset * self.gate(s, 2))
        h = (h - candidate) * update + candidate
        return h, h

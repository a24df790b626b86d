"""One step of a recurrent network: RNNCellBase, SimpleRNNCell, LSTMCell, GRUCell."""

from __future__ import annotations

import math
from typing import Any

from ...api.converted import converted
from ...api.creation import full
from ...api.joining import split
from ...api.linalg import matmul
from ...api.math import sigmoid, tanh
from ...errors import ShapeError
from ...runtime.library.turns import pair
from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..functional.lengths import check_features
from ..initializer import Constant, Uniform
from ..layer import Layer


class RNNCellBase(Layer):
    """Base of the cells, also of the user's, which define `forward` and `state_shape`.

    forward: (inputs [batch, ...], states) -> (outputs, new states), all of one floating dtype. NotImplementedError where one of
    them is missing. name_scope, dtype: as in `Layer`.
    """

    @property
    def state_shape(self) -> Any:
        """The shape of a state, without the batch, or a tuple of such shapes.

        NotImplementedError where the cell doesn't define it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define state_shape, for example (self.hidden_size,)")

    def get_initial_states(
        self, batch_ref: Any, shape: Any = None, dtype: Any = None, init_value: float = 0.0, batch_dim_idx: int = 0
    ) -> Any:
        """States full of `init_value`, as many as `batch_ref` has samples along its axis `batch_dim_idx`.

        batch_ref: a tensor, or a list that begins with one. shape, dtype: where None, the cell's state_shape and that of
        batch_ref. The result is a tensor [batch, *shape], or a list or tuple of them.
        """
        first = batch_ref[0] if isinstance(batch_ref, (tuple, list)) else batch_ref
        found = self.state_shape if shape is None else shape
        return _filled(found, first.shape[batch_dim_idx], init_value, first.dtype if dtype is None else dtype)


def _filled(shape: Any, batch: Any, value: float, dtype: Any) -> Any:
    if all(isinstance(d, int) for d in shape):
        return full([batch, *(shape[1:] if shape[:1] == (-1,) else shape)], value, dtype)
    return type(shape)([_filled(part, batch, value, dtype) for part in shape])


class _Cell(RNNCellBase):
    """Weights of one step, with `gates` stacked along the first axis, all uniform in +-1 / sqrt(hidden_size).

    weight_ih [gates * hidden, input], weight_hh [gates * hidden, hidden], bias_ih and bias_hh [gates * hidden]. What an
    attribute of False turns off is a constant: weights of 1, biases of 0.

    A step is `advance(project(inputs), states)`, so that the inputs of many steps can be projected at once.
    """

    _gates = 1

    def __init__(
        self, input_size: int, hidden_size: int, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None,
        bias_hh_attr: Any = None, state_size: int | None = None,
    ):  # fmt: skip
        super().__init__()
        if hidden_size <= 0:
            raise ValueError(f"{type(self).__name__}: hidden_size must be positive, not {hidden_size}")
        self.input_size, self.hidden_size = input_size, hidden_size
        rows = self._gates * hidden_size
        self.weight_ih = self._weight([rows, input_size], weight_ih_attr)
        self.weight_hh = self._weight([rows, state_size or hidden_size], weight_hh_attr)
        self.bias_ih = self._weight([rows], bias_ih_attr, is_bias=True)
        self.bias_hh = self._weight([rows], bias_hh_attr, is_bias=True)

    def _weight(self, shape: list[int], attr: Any, is_bias: bool = False) -> Any:
        limit = 1.0 / math.sqrt(self.hidden_size)
        start = Constant(0.0 if is_bias else 1.0) if attr is False else Uniform(-limit, limit)
        made = self.create_parameter(shape, None if attr is False else attr, is_bias=is_bias, default_initializer=start)
        made.stop_gradient = made.stop_gradient or attr is False
        return made

    @property
    def state_shape(self) -> Any:
        return (self.hidden_size,)

    def project(self, inputs: Tensor) -> Tensor:
        """What inputs [..., input], of floats, contribute to the gates: [..., gates * hidden], as a tensor of their dtype."""
        try:
            return matmul(inputs, self.weight_ih, transpose_y=True) + self.bias_ih
        except ShapeError:
            check_features(type(self).__name__, inputs, self.weight_ih, -1)
            raise

    def recall(self, h: Tensor) -> Tensor:
        """The contribution of the state h [batch, hidden] to the gates: a tensor [batch, gates * hidden] of its dtype."""
        return matmul(h, self.weight_hh, transpose_y=True) + self.bias_hh

    def advance(self, x: Tensor, states: Any) -> Any:
        """One step with projected inputs x [batch, gates * hidden], of floats, and states: gives (outputs, new states).

        NotImplementedError: a cell that doesn't define it.
        """
        raise NotImplementedError

    def forward(self, inputs: Tensor, states: Any = None) -> Any:
        states = self.get_initial_states(inputs) if states is None else states
        return self.advance(self.project(inputs), states)

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}"


class SimpleRNNCell(_Cell):
    """h' = tanh(W x + b + U h + c). Call: (inputs [batch, input_size], states h [batch, hidden_size] or None) -> (h', h').

    All of floats. activation: "tanh" or "relu"; ValueError for another, or where hidden_size isn't positive. weight_ih
    [hidden_size, input_size], weight_hh [hidden_size, hidden_size], bias_ih and bias_hh [hidden_size], uniform in +-1 /
    sqrt(hidden_size). weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: as weight_attr of `Linear`; False for
    constants, weights of 1 and biases of 0.
    """

    def __init__(
        self, input_size: int, hidden_size: int, activation: str = "tanh", weight_ih_attr: Any = None, weight_hh_attr: Any = None,
        bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: str | None = None,
    ):  # fmt: skip
        super().__init__(input_size, hidden_size, weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        if activation not in ("tanh", "relu"):
            raise ValueError(f"SimpleRNNCell: activation is 'tanh' or 'relu', not {activation!r}")
        self.activation = activation

    def advance(self, x: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
        gates = x + self.recall(states)
        h = tanh(gates) if self.activation == "tanh" else F.relu(gates)
        return h, h


class LSTMCell(_Cell):
    """Gates in the order input, forget, cell, output (Hochreiter and Schmidhuber, 1997).

    Call: (inputs [batch, input_size], states (h, c) or None) -> (h', (h', c')), all states [batch, hidden_size] of floats. With
    `proj_size`, h is multiplied by weight_ho [hidden_size, proj_size]. The weights have 4 * hidden_size rows; they, their
    attributes and the ValueErrors are as in `SimpleRNNCell`. ValueError: a proj_size that isn't below hidden_size.
    """

    _gates = 4

    def __init__(
        self, input_size: int, hidden_size: int, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None,
        bias_hh_attr: Any = None, proj_size: int = 0, name: str | None = None,
    ):  # fmt: skip
        if not 0 <= proj_size < max(hidden_size, 1):
            raise ValueError(f"LSTMCell: proj_size must be from 0 to {hidden_size - 1}, not {proj_size}")
        super().__init__(
            input_size, hidden_size, weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr, state_size=proj_size or None
        )
        self.proj_size = proj_size
        self.weight_ho: Any = self._weight([hidden_size, proj_size], weight_hh_attr) if proj_size else None

    @property
    def state_shape(self) -> Any:
        return ((self.proj_size or self.hidden_size,), (self.hidden_size,))

    def advance(self, x: Tensor, states: Any) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        h, c = converted(pair)(states)
        enter, forget, candidate, leave = split(x + self.recall(h), 4, axis=-1)
        c = sigmoid(forget) * c + sigmoid(enter) * tanh(candidate)
        h = sigmoid(leave) * tanh(c)
        if self.proj_size:
            h = matmul(h, self.weight_ho)
        return h, (h, c)


class GRUCell(_Cell):
    """Gates in the order reset, update, candidate (Cho et al., 2014).

    Call: (inputs [batch, input_size], states h [batch, hidden_size] or None) -> (h', h'), all of floats. The weights have 3 *
    hidden_size rows; they, their attributes and the ValueError are as in `SimpleRNNCell`.
    """

    _gates = 3

    def __init__(
        self, input_size: int, hidden_size: int, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None,
        bias_hh_attr: Any = None, name: str | None = None,
    ):  # fmt: skip
        super().__init__(input_size, hidden_size, weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)

    def advance(self, x: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
        x_reset, x_update, x_candidate = split(x, 3, axis=-1)
        s_reset, s_update, s_candidate = split(self.recall(states), 3, axis=-1)
        update = sigmoid(x_update + s_update)
        candidate = tanh(x_candidate + sigmoid(x_reset + s_reset) * s_candidate)
        h = (states - candidate) * update + candidate
        return h, h

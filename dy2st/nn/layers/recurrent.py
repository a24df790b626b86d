"""Cells run over time: RNN, BiRNN, and the networks of several layers SimpleRNN, LSTM, GRU."""

from __future__ import annotations

from typing import Any

from ...api.compare import where
from ...api.converted import converted
from ...api.joining import concat, flip, stack, unstack
from ...api.manipulation import transpose, unsqueeze
from ...pytree import flat, mapped
from ...runtime.library.turns import over_time
from ...runtime.tensors.spec import is_tensor
from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..containers import LayerList
from ..layer import Layer
from .cells import GRUCell, LSTMCell, SimpleRNNCell

OWN = (SimpleRNNCell, LSTMCell, GRUCell)


def _batch_and_time(x: Tensor) -> Tensor:
    """[batch, time, ...] from [time, batch, ...], and the other way round."""
    return transpose(x, [1, 0, *range(2, len(x.shape))])


def _chosen(mask: Tensor, new: Any, old: Any) -> Any:
    """The new states where the step counts, the old ones where it is padding: mask [batch]."""
    before = iter(flat(old, list, tuple))
    return mapped(new, is_tensor, lambda a: where(unsqueeze(mask, list(range(1, len(a.shape)))), a, next(before)))


def rnn(
    cell: Any, inputs: Tensor, initial_states: Any = None, sequence_length: Tensor | None = None, time_major: bool = False,
    is_reverse: bool = False, **kwargs: Any,
) -> tuple[Tensor, Any]:  # fmt: skip
    """(outputs, last states) of `cell` over inputs [batch, time, ...], or [time, batch, ...] where `time_major`.

    Of each sample the first `sequence_length` [batch] steps count: after them its states stay. With `is_reverse` from the
    last step to the first. `kwargs` go to the cell.
    """
    if initial_states is None:
        initial_states = cell.get_initial_states(inputs, batch_dim_idx=1 if time_major else 0)
    x = inputs if time_major else _batch_and_time(inputs)
    count = x.shape[0]
    mask = None if sequence_length is None else transpose(F.sequence_mask(sequence_length, count, "bool"), [1, 0])
    if is_reverse:
        x, mask = flip(x, 0), None if mask is None else flip(mask, 0)
    known = type(cell) in OWN and not kwargs
    x = cell.project(x) if known else x

    def step(t: Any, states: Any) -> Any:
        output, new = cell.advance(x[t], states) if known else cell(x[t], states, **kwargs)
        return output, new if mask is None else _chosen(mask[t], new, states)

    outputs, states = converted(over_time)(step, count, initial_states)
    found = converted(stack)(outputs)
    if is_reverse:
        found = flip(found, 0)
    return found if time_major else _batch_and_time(found), states


class RNN(Layer):
    """`cell` over time. Call: (inputs [batch, time, ...], initial_states, sequence_length [batch]) -> (outputs, last states).

    Inputs and outputs are of floats, and [time, batch, ...] where `time_major`. Of each sample the first sequence_length steps
    count: after them its states stay. With `is_reverse` from the last step to the first.

    >>> dy2st.nn.RNN(dy2st.nn.GRUCell(3, 4))(dy2st.ones([2, 5, 3]))[0].shape
    [2, 5, 4]
    """

    def __init__(self, cell: Layer, is_reverse: bool = False, time_major: bool = False):
        super().__init__()
        self.cell, self.is_reverse, self.time_major = cell, is_reverse, time_major

    def forward(
        self, inputs: Tensor, initial_states: Any = None, sequence_length: Tensor | None = None, **kwargs: Any
    ) -> tuple[Tensor, Any]:
        return rnn(self.cell, inputs, initial_states, sequence_length, self.time_major, self.is_reverse, **kwargs)


class BiRNN(Layer):
    """Two cells over time, one forwards and one backwards: their outputs side by side, and the last states of both.

    Call: (inputs [batch, time, ...], initial_states, sequence_length [batch]) -> ([batch, time, both], (states of cell_fw, states
    of cell_bw)), of floats; initial_states is a pair or None. time_major as in `RNN`. ValueError: cells of different input sizes.
    """

    def __init__(self, cell_fw: Layer, cell_bw: Layer, time_major: bool = False):
        super().__init__()
        if cell_fw.input_size != cell_bw.input_size:
            raise ValueError(f"BiRNN: the cells have different input sizes, {cell_fw.input_size} and {cell_bw.input_size}")
        self.cell_fw, self.cell_bw, self.time_major = cell_fw, cell_bw, time_major

    def forward(
        self, inputs: Tensor, initial_states: Any = None, sequence_length: Tensor | None = None, **kwargs: Any
    ) -> tuple[Tensor, tuple]:
        forwards, backwards = (None, None) if initial_states is None else initial_states
        there, last = rnn(self.cell_fw, inputs, forwards, sequence_length, self.time_major, False, **kwargs)
        back, first = rnn(self.cell_bw, inputs, backwards, sequence_length, self.time_major, True, **kwargs)
        return concat([there, back], axis=-1), (last, first)


class RNNBase(LayerList):
    """`num_layers` RNNs (forward) or BiRNNs (bidirect) one upon the other, with dropout between them.

    Call: (inputs [batch, time, input], initial_states, sequence_length [batch]) -> (outputs [batch, time, directions * hidden],
    last states [layers * directions, batch, hidden]; of an LSTM (h, c)). Outputs after a sample's last step are 0.
    """

    _cell: type = SimpleRNNCell

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int, direction: str, time_major: bool, dropout: float,
        attrs: dict[str, Any], state_size: int | None = None,
    ):  # fmt: skip
        super().__init__()
        if direction not in ("forward", "bidirect", "bidirectional"):
            raise ValueError(f"{type(self).__name__}: direction is 'forward', 'bidirect' or 'bidirectional', not {direction!r}")
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.num_directions = 1 if direction == "forward" else 2
        self.time_major, self.dropout = time_major, dropout
        for at in range(num_layers):
            size = self.num_directions * (state_size or hidden_size) if at else input_size
            cells = [self._cell(size, hidden_size, **attrs) for _ in range(self.num_directions)]
            self.append(BiRNN(*cells, time_major) if len(cells) == 2 else RNN(cells[0], False, time_major))  # type: ignore[call-arg]
        self._name_weights()

    def flatten_parameters(self) -> None:
        """Nothing: it joins weights in one piece of memory for a GPU, and there is none."""

    def _name_weights(self) -> None:
        """The weights of all cells as parameters of this layer, too: weight_ih_l0, bias_hh_l1_reverse, ..."""
        for at, layer in enumerate(list(self)):
            for suffix, cell in zip(("", "_reverse"), layer.children()):
                for name, parameter in cell.named_parameters():
                    self.add_parameter(f"{name}_l{at}{suffix}", parameter)

    def _states_of(self, states: Any) -> list:
        """The states of each layer, from tensors [layers * directions, batch, hidden]."""
        parts = list(zip(*map(unstack, states))) if isinstance(states, (tuple, list)) else unstack(states)
        return parts if self.num_directions == 1 else list(zip(parts[::2], parts[1::2]))

    def _together(self, states: list) -> Any:
        """The tensors [layers * directions, batch, hidden] of the states of each layer."""
        parts = states if self.num_directions == 1 else [one for pair in states for one in pair]
        return tuple(map(stack, zip(*parts))) if isinstance(parts[0], tuple) else stack(parts)

    def forward(
        self, inputs: Tensor, initial_states: Any = None, sequence_length: Tensor | None = None
    ) -> tuple[Tensor, Any]:
        given = [None] * self.num_layers if initial_states is None else self._states_of(initial_states)
        last = []
        for at, layer in enumerate(self):
            if at and self.dropout:
                inputs = F.dropout(inputs, self.dropout, training=self.training)
            inputs, states = layer(inputs, given[at], sequence_length)
            if sequence_length is not None:
                inputs = inputs * self._counts(sequence_length, inputs)
            last.append(states)
        return inputs, self._together(last)

    def _counts(self, lengths: Tensor, outputs: Tensor) -> Tensor:
        """1 for the steps of each sample that count and 0 for padding, for all outputs of a step."""
        mask = F.sequence_mask(lengths, outputs.shape[0 if self.time_major else 1], outputs.dtype)
        return unsqueeze(transpose(mask, [1, 0]) if self.time_major else mask, 2)

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}, num_layers={self.num_layers}"


def _attrs(weight_ih_attr: Any, weight_hh_attr: Any, bias_ih_attr: Any, bias_hh_attr: Any) -> dict[str, Any]:
    return {
        "weight_ih_attr": weight_ih_attr, "weight_hh_attr": weight_hh_attr, "bias_ih_attr": bias_ih_attr,
        "bias_hh_attr": bias_hh_attr,
    }  # fmt: skip


class SimpleRNN(RNNBase):
    """A network of SimpleRNNCells: `num_layers` RNNs (direction "forward") or BiRNNs ("bidirect") one upon the other.

    Call: (inputs [batch, time, input_size], initial_states, sequence_length [batch]) -> (outputs [batch, time, directions *
    hidden_size], last states [num_layers * directions, batch, hidden_size]), of floats. Outputs after a sample's last step are 0.
    dropout: between the layers, in training. time_major as in `RNN`; activation, weight_ih_attr, weight_hh_attr, bias_ih_attr and
    bias_hh_attr as in `SimpleRNNCell`. ValueError: another direction.
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward", time_major: bool = False,
        dropout: float = 0.0, activation: str = "tanh", weight_ih_attr: Any = None, weight_hh_attr: Any = None,
        bias_ih_attr: Any = None, bias_hh_attr: Any = None, name: str | None = None,
    ):  # fmt: skip
        attrs = _attrs(weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        super().__init__(
            input_size, hidden_size, num_layers, direction, time_major, dropout, {**attrs, "activation": activation}
        )


class LSTM(RNNBase):
    """A network of LSTMCells (Hochreiter and Schmidhuber, 1997). The last states are (h, c); the rest is as in `SimpleRNN`.

    num_layers, direction, time_major, dropout: as there. proj_size: as in `LSTMCell`.

    >>> outputs, (h, c) = dy2st.nn.LSTM(3, 4, num_layers=2)(dy2st.ones([2, 5, 3]))
    >>> outputs.shape, h.shape
    ([2, 5, 4], [2, 2, 4])
    """

    _cell = LSTMCell

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward", time_major: bool = False,
        dropout: float = 0.0, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None,
        bias_hh_attr: Any = None, proj_size: int = 0, name: str | None = None,
    ):  # fmt: skip
        attrs = _attrs(weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        super().__init__(
            input_size, hidden_size, num_layers, direction, time_major, dropout, {**attrs, "proj_size": proj_size}, proj_size
        )


class GRU(RNNBase):
    """A network of GRUCells (Cho et al., 2014). Arguments, results and errors as in `SimpleRNN`."""

    _cell = GRUCell

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, direction: str = "forward", time_major: bool = False,
        dropout: float = 0.0, weight_ih_attr: Any = None, weight_hh_attr: Any = None, bias_ih_attr: Any = None,
        bias_hh_attr: Any = None, name: str | None = None,
    ):  # fmt: skip
        attrs = _attrs(weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        super().__init__(input_size, hidden_size, num_layers, direction, time_major, dropout, attrs)

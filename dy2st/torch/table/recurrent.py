"""Recurrent networks over time, and their cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dy2st as api

from ...api.converted import converted
from ...api.known import of_length
from ...runtime.library.turns import over_time
from .axes import lengths_of, rank_of
from .linear import linear
from .rows import demanded, row

_NO_STEPS = "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
_NOT_SORTED = (
    "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to "
    "pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability."
)

F = api.nn.functional
Step = Callable[[Any, tuple, Any, Any], tuple]  # (projected input, states, w_hh, b_hh) -> states; the first one is the output


def _lstm(x: Any, states: tuple, w_hh: Any, b_hh: Any) -> tuple:
    h, c = states
    i, f, g, o = api.chunk(x + linear(h, w_hh, b_hh), 4, axis=-1)
    c = F.sigmoid(f) * c + F.sigmoid(i) * api.tanh(g)
    return F.sigmoid(o) * api.tanh(c), c


def _gru(x: Any, states: tuple, w_hh: Any, b_hh: Any) -> tuple:
    (h,) = states
    r, z, n = api.chunk(x, 3, axis=-1)
    hr, hz, hn = api.chunk(linear(h, w_hh, b_hh), 3, axis=-1)
    n = api.tanh(n + F.sigmoid(r + hr) * hn)
    z = F.sigmoid(z + hz)
    return (n + z * (h - n),)


def _simple(curve: Callable) -> Step:
    return lambda x, states, w_hh, b_hh: (curve(x + linear(states[0], w_hh, b_hh)),)


def _layer(step: Step, x: Any, states: tuple, weights: tuple, mask: Any, is_reverse: bool) -> tuple[Any, tuple]:
    """Outputs [T, N, H] and last states of one direction of a layer. mask [T, N, 1]: which steps count."""
    w_ih, w_hh, b_ih, b_hh, w_hr = weights
    x = linear(x, w_ih, b_ih)
    count = x.shape[0]
    if is_reverse:
        x, mask = api.flip(x, 0), None if mask is None else api.flip(mask, 0)

    def turn(t: Any, states: Any) -> Any:
        found = step(x[t], states, w_hh, b_hh)
        if w_hr is not None:
            found = (linear(found[0], w_hr), *found[1:])
        if mask is not None:
            found = tuple(api.where(mask[t], new, old) for new, old in zip(found, states))
        return found[0], found

    outputs, states = converted(over_time)(turn, count, states)
    outputs = converted(api.stack)(outputs)
    return api.flip(outputs, 0) if is_reverse else outputs, states


def _network(
    step: Step, x: Any, states: tuple, weights: list, mask: Any, bias: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool,
) -> tuple[Any, list]:  # fmt: skip
    """Layers one upon the other: outputs [T, N, directions * H] and last states [layers * directions, N, H]."""
    directions = 2 if bidirectional else 1
    each = len(weights) // (num_layers * directions)
    last = []
    for at in range(num_layers):
        outputs = []
        for direction in range(directions):
            k = at * directions + direction
            w_ih, w_hh, *others = weights[k * each : (k + 1) * each]
            biases, projection = (others[:2], others[2:]) if bias else ([None, None], others)
            given = (w_ih, w_hh, *biases, projection[0] if projection else None)
            found, end = _layer(step, x, tuple(s[k] for s in states), given, mask, direction == 1)
            outputs.append(found)
            last.append(end)
        x = outputs[0] if directions == 1 else api.concat(outputs, axis=-1)
        if dropout and train and at < num_layers - 1:
            x = F.dropout(x, dropout, training=True)
    return x, [api.stack(list(each), axis=0) for each in zip(*last)]


@row("nn.RNNBase.check_hidden_size")
def check_hidden_size(self: Any, hx: Any, expected_hidden_size: Any, msg: str = "Expected hidden size {}, got {}") -> None:
    """RuntimeError: states of another size, as far as staging knows; the number of samples is checked where they are used."""
    wanted = [n if type(n) is int else None for n in expected_hidden_size]
    if len(wanted) != rank_of(hx) or any(None not in pair and pair[0] != pair[1] for pair in zip(lengths_of(hx), wanted)):
        raise RuntimeError(msg.format(tuple(wanted), lengths_of(hx)))


def _run(step: Step, x: Any, states: tuple, weights: Any, *options: Any) -> tuple:
    """The network on [T, N, I], [N, T, I] where batch_first, or on one sample."""
    batch_first = options[-1]
    has_batch = rank_of(x) == 3
    if not has_batch:
        x, states = api.unsqueeze(x, 1), tuple(api.unsqueeze(s, 1) for s in states)
    elif batch_first:
        x = api.transpose(x, [1, 0, 2])
    states = tuple(of_length("hx", s, 1, x.shape[1], "not as many samples as in the input") for s in states)
    found, last = _network(step, x, states, list(weights), None, *options[:-1])
    if not has_batch:
        return (api.squeeze(found, 1), *(api.squeeze(s, 1) for s in last))
    return (api.transpose(found, [1, 0, 2]) if batch_first else found, *last)


def _run_packed(step: Step, data: Any, batch_sizes: Any, states: tuple, weights: Any, *options: Any) -> tuple:
    """The network on samples of unlike lengths, packed."""
    mask, places = _places(batch_sizes)
    states = tuple(of_length("hx", s, 1, places.shape[1], "not as many samples as in the input") for s in states)
    x = api.reshape(api.index_select(data, api.reshape(places, [-1]), 0), [*places.shape, data.shape[1]])
    found, last = _network(step, x, states, list(weights), api.unsqueeze(mask, 2), *options)
    return (_packed(found, mask), *last)


def _places(batch_sizes: Any) -> tuple[Any, Any]:
    """Which steps [T, N] there are, and where they are in packed data."""
    sizes = api.unsqueeze(batch_sizes, 1)
    samples = api.arange(0, batch_sizes[0].item(), 1, "int64")
    mask = samples < sizes
    places = api.cumsum(sizes, axis=0) - sizes + samples
    return mask, api.where(mask, places, api.zeros_like(places))


def _packed(x: Any, mask: Any) -> Any:
    """The steps [T, N, ...] that there are, one after the other."""
    steps, n, *rest = x.shape
    at = api.reshape(api.nonzero(api.reshape(mask, [-1])), [-1])
    return api.index_select(api.reshape(x, [steps * n, *rest]), at, 0)


def _rows(name: str, step: Step, count: int) -> None:
    """torch.name(input, hx, weights, ...) and torch.name(data, batch_sizes, hx, weights, ...). count: of states."""

    def states_of(hx: Any) -> tuple:
        return tuple(hx) if count == 2 else (hx,)

    def compute(input: Any, *args: Any) -> Any:
        is_packed = isinstance(args[2], tuple | list)
        if is_packed:
            batch_sizes, hx, weights, *options = args
            return _run_packed(step, input, batch_sizes, states_of(hx), weights, *options)
        hx, weights, *options = args
        return _run(step, input, states_of(hx), weights, *options)

    compute.__name__ = name
    row(name)(compute)


_TANH, _RELU = _simple(api.tanh), _simple(F.relu)
_rows("lstm", _lstm, 2)
_rows("gru", _gru, 1)
_rows("rnn_tanh", _TANH, 1)
_rows("rnn_relu", _RELU, 1)


def _cell(name: str, step: Step) -> None:
    def compute(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
        states = tuple(hx) if isinstance(hx, tuple | list) else (hx,)
        found = step(linear(input, w_ih, b_ih), states, w_hh, b_hh)
        return found if isinstance(hx, tuple | list) else found[0]

    compute.__name__ = name
    row(name)(compute)


_cell("lstm_cell", _lstm)
_cell("gru_cell", _gru)
_cell("rnn_tanh_cell", _TANH)
_cell("rnn_relu_cell", _RELU)


@row("_pack_padded_sequence")
def pack_padded_sequence(input: Any, lengths: Any, batch_first: bool) -> Any:
    """The steps of samples of unlike lengths, one after the other; and how many samples have each step."""
    x = api.transpose(input, [1, 0, *range(2, rank_of(input))]) if batch_first else input
    lengths = demanded(lengths, lengths[-1:] > 0, _NO_STEPS)
    lengths = demanded(lengths, lengths[1:] <= lengths[:-1], _NOT_SORTED)
    mask = api.unsqueeze(api.arange(0, api.max(lengths).item(), 1, "int64"), 1) < lengths
    return _packed(x[: mask.shape[0]], mask), api.sum(mask.astype("int64"), axis=1)


@row("_pad_packed_sequence")
def pad_packed_sequence(data: Any, batch_sizes: Any, batch_first: bool, padding_value: Any, total_length: Any) -> Any:
    """Samples of unlike lengths with a number behind them; and their lengths."""
    mask, places = _places(batch_sizes)
    steps, n = places.shape
    rest = data.shape[1:]
    found = api.reshape(api.index_select(data, api.reshape(places, [-1]), 0), [steps, n, *rest])
    wide = api.reshape(mask, [steps, n, *[1] * len(rest)])
    found = api.where(wide, found, api.full_like(found, padding_value))
    if isinstance(total_length, int) and total_length > 0:
        more = api.full([total_length - steps, n, *rest], padding_value, data.type.dtype)
        found = api.concat([found, more], axis=0)
    lengths = api.sum(mask.astype("int64"), axis=0)
    return api.transpose(found, [1, 0, *range(2, rank_of(found))]) if batch_first else found, lengths


@row("_C._nn.pad_sequence")
def pad_sequence(sequences: Any, batch_first: bool = False, padding_value: Any = 0.0, padding_side: str = "right") -> Any:
    """Sequences of unlike lengths side by side, with a number behind them, or before them."""
    longest = converted(max)([x.shape[0] for x in sequences])
    found = []
    for x in sequences:
        fill = api.full([longest - x.shape[0], *x.shape[1:]], padding_value, x.type.dtype)
        found.append(api.concat([x, fill] if padding_side == "right" else [fill, x], axis=0))
    return api.stack(found, axis=0 if batch_first else 1)

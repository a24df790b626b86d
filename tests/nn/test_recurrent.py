"""Cells of the user's over time, staged; attention that keeps what it has computed; dropout between layers."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import jit, nn
from dy2st.static import InputSpec

X = np.random.default_rng(0).standard_normal((2, 5, 3)).astype("float32")


class Leaky(nn.RNNCellBase):
    """Keeps a sum that is halved where it gets large, and the number of steps."""

    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([3, 3])

    @property
    def state_shape(self):
        return ((3,), (1,))

    def forward(self, inputs, states):
        total, count = states
        total = total + inputs @ self.weight
        if total.abs().max() > 1.5:
            total = total * 0.5
        return total * 2, (total, count + 1)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("open_axes", [True, False])
def test_a_cell_of_the_users_with_control_flow(reverse, open_axes, tmp_path):
    net = nn.RNN(Leaky(), is_reverse=reverse)
    lengths = np.array([5, 3])
    outputs, (total, count) = net(dy2st.to_tensor(X), None, dy2st.to_tensor(lengths))
    weight = net.cell.weight.numpy()
    states = [np.zeros((2, 3), "float32"), np.zeros((2, 1), "float32")]
    for t in reversed(range(5)) if reverse else range(5):
        new = states[0] + X[:, t] @ weight
        new = new * 0.5 if np.abs(new).max() > 1.5 else new
        np.testing.assert_allclose(outputs.numpy()[:, t], new * 2, rtol=1e-5)
        counts = (t < lengths)[:, None]
        states = [np.where(counts, new, states[0]), np.where(counts, states[1] + 1, states[1])]
    np.testing.assert_allclose(total.numpy(), states[0], rtol=1e-5)
    np.testing.assert_array_equal(count.numpy(), states[1])

    spec = InputSpec([None, None, 3] if open_axes else [2, 5, 3], "float32", "x")
    static = jit.to_static(net, input_spec=[spec, None, InputSpec([None], "int64", "lengths")])
    jit.save(static, str(tmp_path / "net"))
    for run in (static, jit.load(str(tmp_path / "net"))):
        found, (last, steps) = run(dy2st.to_tensor(X), None, dy2st.to_tensor(lengths))
        np.testing.assert_allclose(found.numpy(), outputs.numpy(), rtol=1e-5)
        np.testing.assert_allclose(last.numpy(), total.numpy(), rtol=1e-5)
        np.testing.assert_array_equal(steps.numpy(), count.numpy())


def test_a_network_stays_one_loop_of_the_program_for_any_length():
    static = jit.to_static(nn.LSTM(3, 4), input_spec=[InputSpec([None, None, 3], "float32", "x")])
    for length in (1, 5, 9):
        x = np.random.default_rng(length).standard_normal((2, length, 3)).astype("float32")
        np.testing.assert_allclose(static(dy2st.to_tensor(x))[0].shape, [2, length, 4])


def test_dropout_between_layers_only_in_training():
    net = nn.GRU(3, 8, 2, dropout=0.5)
    x = dy2st.to_tensor(X)
    assert (net(x)[0].numpy() != net(x)[0].numpy()).any()
    net.eval()
    np.testing.assert_array_equal(net(x)[0].numpy(), net(x)[0].numpy())


class Decoder(nn.Layer):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)

    def forward(self, x):
        cache = self.layer.gen_cache(x)
        outs = []
        for t in range(x.shape[1]):
            out, cache = self.layer(x[:, t : t + 1], None, cache)
            outs.append(out)
        return dy2st.concat(outs, axis=1)


def test_a_cache_gives_what_a_causal_mask_gives(tmp_path):
    net = Decoder()
    x = dy2st.to_tensor(np.random.default_rng(1).standard_normal((2, 5, 4)).astype("float32"))
    mask = nn.Transformer(4, 2, 1, 1, 4).generate_square_subsequent_mask(5)
    expected = net.layer(x, mask).numpy()
    np.testing.assert_allclose(net(x).numpy(), expected, rtol=1e-4, atol=1e-6)
    static = jit.to_static(net, input_spec=[InputSpec([None, None, 4], "float32", "x")])
    jit.save(static, str(tmp_path / "net"))
    np.testing.assert_allclose(static(x).numpy(), expected, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(jit.load(str(tmp_path / "net"))(x).numpy(), expected, rtol=1e-4, atol=1e-6)


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="direction is 'forward'"):
        nn.LSTM(3, 4, direction="backward")
    with pytest.raises(ValueError, match="multiple of num_heads"):
        nn.MultiHeadAttention(6, 4)
    with pytest.raises(NotImplementedError, match="must define state_shape"):
        nn.RNN(nn.RNNCellBase())(dy2st.to_tensor(X))

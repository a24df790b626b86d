"""The layers: shapes, what they compute, their errors."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
import dy2st.nn.functional as F
from dy2st import nn

IMAGE = dy2st.to_tensor(np.random.default_rng(0).standard_normal((2, 4, 6, 6)).astype("float32"))

SHAPES = [
    (nn.Conv2D(4, 8, 3), [2, 8, 4, 4]),
    (nn.Conv2D(4, 8, 3, padding="same"), [2, 8, 6, 6]),
    (nn.Conv2D(4, 8, [3, 1], stride=[2, 1], groups=2), [2, 8, 2, 6]),
    (nn.Conv2D(6, 8, 3, data_format="NHWC"), [2, 2, 4, 8]),
    (nn.MaxPool2D(2), [2, 4, 3, 3]),
    (nn.AvgPool2D(3, stride=1, padding=1), [2, 4, 6, 6]),
    (nn.AdaptiveAvgPool2D(1), [2, 4, 1, 1]),
    (nn.BatchNorm2D(4), [2, 4, 6, 6]),
    (nn.LayerNorm([6, 6]), [2, 4, 6, 6]),
    (nn.Flatten(), [2, 144]),
    (nn.Flatten(2), [2, 4, 36]),
    (nn.Linear(6, 5), [2, 4, 6, 5]),
    (nn.Identity(3, a=4), [2, 4, 6, 6]),
    (nn.Dropout(), [2, 4, 6, 6]),
    (nn.Dropout2D(), [2, 4, 6, 6]),
]


@pytest.mark.parametrize(("layer", "shape"), SHAPES, ids=lambda value: type(value).__name__)
def test_shapes(layer, shape):
    assert layer(IMAGE).shape == shape


ACTIVATIONS = {
    nn.ReLU(): F.relu,
    nn.ReLU6(): F.relu6,
    nn.Sigmoid(): F.sigmoid,
    nn.Tanh(): F.tanh,
    nn.Silu(): F.silu,
    nn.Swish(): F.silu,
    nn.Hardswish(): F.hardswish,
    nn.Hardsigmoid(): F.hardsigmoid,
    nn.GELU(True): lambda x: F.gelu(x, True),
    nn.LeakyReLU(0.3): lambda x: F.leaky_relu(x, 0.3),
    nn.ELU(0.5): lambda x: F.elu(x, 0.5),
    nn.Softplus(): F.softplus,
    nn.Softmax(1): lambda x: F.softmax(x, 1),
    nn.LogSoftmax(): F.log_softmax,
}


@pytest.mark.parametrize("layer", ACTIVATIONS, ids=lambda layer: type(layer).__name__)
def test_activations_apply_their_function(layer):
    np.testing.assert_array_equal(layer(IMAGE).numpy(), ACTIVATIONS[layer](IMAGE).numpy())


LABELS, ONES = dy2st.to_tensor([1, 3]), dy2st.ones([2, 4])
LOGITS = dy2st.to_tensor(np.random.default_rng(1).random((2, 4)).astype("float32"))
LOSSES = [
    (nn.CrossEntropyLoss(), LABELS, F.cross_entropy),
    (nn.NLLLoss(), LABELS, F.nll_loss),
    (nn.MSELoss(), ONES, F.mse_loss),
    (nn.L1Loss("sum"), ONES, lambda x, y: F.l1_loss(x, y, "sum")),
    (nn.SmoothL1Loss(), ONES, F.smooth_l1_loss),
    (nn.BCELoss(), ONES, F.binary_cross_entropy),
    (nn.BCEWithLogitsLoss(), ONES, F.binary_cross_entropy_with_logits),
]


@pytest.mark.parametrize(("layer", "label", "function"), LOSSES, ids=lambda value: type(value).__name__)
def test_losses_apply_their_function(layer, label, function):
    assert layer(LOGITS, label).item() == function(LOGITS, label).item()


def test_batch_norm_moves_its_buffers_in_training_only():
    layer = nn.BatchNorm2D(4)
    layer(IMAGE)
    np.testing.assert_allclose(layer._mean.numpy(), 0.1 * IMAGE.numpy().mean((0, 2, 3)), rtol=1e-4)
    before = layer._mean.numpy().copy()
    layer.eval()
    layer(IMAGE)
    np.testing.assert_array_equal(layer._mean.numpy(), before)
    assert list(layer.state_dict()) == ["weight", "bias", "_mean", "_variance"]
    np.testing.assert_allclose(nn.BatchNorm1D(6)(IMAGE[0, :, 0]).numpy().mean(0), 0, atol=1e-5)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: nn.Conv2D(3, 4, 3, groups=2), ValueError, "must divide into 2 groups"),
        (lambda: nn.Conv2D(3, 4, "3"), TypeError, "kernel_size must be an int or a list of two ints"),
        (lambda: nn.Conv2D(3, 4, 3)(IMAGE), ValueError, "has 4 channels"),
        (lambda: nn.Conv2D(4, 4, 9)(IMAGE), ValueError, "doesn't fit into"),
        (lambda: nn.BatchNorm2D(4)(ONES), ValueError, "takes a tensor of 4 axes"),
        (lambda: nn.Linear(3, 4)(ONES), ValueError, "linear: the last axis"),
        (lambda: nn.LayerNorm(5)(ONES), ValueError, "aren't the normalized_shape"),
        (lambda: nn.Embedding(4, 2)(ONES), TypeError, "integer ids"),
        (lambda: nn.Embedding(4, 2, padding_idx=4), ValueError, "padding_idx 4 is outside"),
        (lambda: nn.MSELoss("average")(ONES, ONES), ValueError, "reduction is 'mean', 'sum' or 'none'"),
        (lambda: nn.CrossEntropyLoss()(LOGITS, ONES[0, :2]), TypeError, "labels are integers"),
        (lambda: nn.MaxPool2D(2)(ONES), ValueError, "4 axes"),
    ],
)
def test_errors_say_what_is_wrong(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_embedding_starts_with_a_zero_row():
    layer = nn.Embedding(4, 3, padding_idx=-1)
    assert layer(dy2st.to_tensor([[3, 0]])).numpy()[0, 0].tolist() == [0, 0, 0]
    assert layer.weight.numpy()[3].tolist() == [0, 0, 0]


@pytest.mark.parametrize(("ours", "theirs"), [("LSTMCell", "LSTMCell"), ("GRUCell", "GRUCell"), ("SimpleRNNCell", "RNNCell")])
def test_recurrent_cells_against_torch(ours, theirs):
    torch = pytest.importorskip("torch")
    mine, other = getattr(nn, ours)(3, 4), getattr(torch.nn, theirs)(3, 4)
    with torch.no_grad():
        for name, parameter in other.named_parameters():
            parameter.copy_(torch.tensor(getattr(mine, name).numpy()))
    x = np.random.default_rng(2).standard_normal((5, 2, 3)).astype("float32")
    state, expected = None, None
    for step in x:
        out, state = mine(dy2st.to_tensor(step), state)
        expected = other(torch.tensor(step), expected)
    hidden = expected[0] if isinstance(expected, tuple) else expected
    np.testing.assert_allclose(out.numpy(), hidden.detach().numpy(), rtol=1e-5, atol=1e-6)


def test_settings_go_by_paddles_names_too():
    x = dy2st.to_tensor(np.arange(32, dtype="float32").reshape(1, 2, 4, 4))
    norm, conv = nn.LayerNorm(4), nn.Conv2D(2, 3, 3, stride=2)
    static = dy2st.jit.to_static(norm)
    for epsilon in (1e-5, 10.0):
        norm._epsilon = epsilon
        for layer in (norm, static):
            np.testing.assert_allclose(layer(x).numpy(), nn.LayerNorm(4, epsilon=epsilon)(x).numpy(), rtol=1e-6)
    assert (conv._stride, conv._kernel_size, conv._in_channels, conv._padding) == ([2, 2], [3, 3], 2, 0)
    conv._stride = [1, 1]
    assert conv(x).shape == [1, 3, 2, 2] and conv.stride == [1, 1]
    batch_norm = nn.BatchNorm2D(2)
    batch_norm._use_global_stats = True
    np.testing.assert_allclose(batch_norm(x).numpy(), x.numpy(), rtol=1e-4)

"""Layers and functions of torch.nn staged for lengths that only the Program knows: one Program, at lengths unlike each other."""

from __future__ import annotations

import copy

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402
from dy2st.torch.values import leaves  # noqa: E402

nn, F = torch.nn, torch.nn.functional

LINE, IMAGE, VOLUME, STEPS = [None, 4, None], [None, 4, None, None], [None, 4, None, None, None], [None, None, 4]
SIZES = {
    "LINE": [(2, 4, 8), (1, 4, 11)],
    "IMAGE": [(2, 4, 8, 7), (1, 4, 6, 9)],
    "VOLUME": [(2, 4, 8, 7, 6), (1, 4, 5, 9, 4)],
    "STEPS": [(2, 3, 4), (1, 6, 4)],
}


def causal(x):
    return F.scaled_dot_product_attention(x, x, x, is_causal=True)


def turned(x):
    turn = torch.tensor([[[1.0, 0.2, 0.0], [0.1, 1.0, 0.0]]]).expand(x.shape[0], -1, -1)
    return F.grid_sample(x, F.affine_grid(turn, x.shape, align_corners=False), align_corners=False)


def smaller(x):
    return F.interpolate(x, size=(3, 2), mode="bilinear", antialias=True)


def exact(x):
    return F.interpolate(x, scale_factor=0.7, mode="nearest-exact")


def filled(x):
    return F.pad(x, (0, 12 - x.shape[-1]))


def mirrored(x):
    return F.pad(x, (1, 2, 2, 1), mode="reflect")


def wrapped(x):
    return F.pad(x, (1, 2, 2, 1), mode="circular")


def smoothed(x):
    return F.cross_entropy(x, x.argmax(1), label_smoothing=0.1)


def angles(x):
    return F.cosine_similarity(x[:, None], x[None], dim=-1)


CASES = [
    ("LINE", nn.Conv1d(4, 6, 3, stride=2, padding=1)),
    ("IMAGE", nn.Conv2d(4, 6, 3, padding="same", groups=2)),
    ("VOLUME", nn.Conv3d(4, 6, 3, stride=2, padding=1)),
    ("LINE", nn.ConvTranspose1d(4, 6, 3, stride=2, padding=1)),
    ("IMAGE", nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1)),
    ("VOLUME", nn.ConvTranspose3d(4, 6, 3, stride=2, padding=1)),
    ("IMAGE", nn.MaxPool2d(3, 2, 1, return_indices=True, ceil_mode=True)),
    ("IMAGE", nn.MaxPool2d(3, 2, 1, dilation=2, ceil_mode=True)),
    ("VOLUME", nn.MaxPool3d(2, 2, return_indices=True)),
    ("IMAGE", nn.AvgPool2d(3, 2, 1, divisor_override=5)),
    ("IMAGE", nn.AvgPool2d(3, 2, 1, ceil_mode=True, count_include_pad=False)),
    ("VOLUME", nn.AvgPool3d(2, 2)),
    ("IMAGE", nn.AdaptiveAvgPool2d((3, 2))),
    ("IMAGE", nn.AdaptiveMaxPool2d((3, 2), return_indices=True)),
    ("IMAGE", nn.BatchNorm2d(4)),
    ("IMAGE", nn.BatchNorm2d(4).eval()),
    ("IMAGE", nn.InstanceNorm2d(4, affine=True, track_running_stats=True)),
    ("IMAGE", nn.GroupNorm(2, 4)),
    ("STEPS", nn.LayerNorm(4)),
    ("STEPS", nn.RMSNorm(4)),
    ("IMAGE", nn.LocalResponseNorm(2)),
    ("IMAGE", nn.Upsample(scale_factor=1.5, mode="bilinear")),
    ("IMAGE", nn.Upsample(size=(7, 5), mode="bicubic")),
    ("IMAGE", smaller),
    ("IMAGE", exact),
    ("IMAGE", mirrored),
    ("IMAGE", wrapped),
    ("LINE", filled),
    ("IMAGE", nn.PixelShuffle(2)),
    ("IMAGE", nn.ChannelShuffle(2)),
    ("IMAGE", nn.Unfold(2)),
    ("IMAGE", turned),
    ("STEPS", nn.LSTM(4, 5, 2, batch_first=True, bidirectional=True)),
    ("STEPS", nn.GRU(4, 5)),
    ("STEPS", nn.RNN(4, 5, nonlinearity="relu")),
    ("STEPS", nn.TransformerEncoderLayer(4, 2, 8, 0.0, batch_first=True)),
    ("STEPS", causal),
    ("LINE", smoothed),
    ("STEPS", angles),
    ("LINE", nn.PReLU(4)),
    ("STEPS", nn.GLU()),
]


@pytest.mark.parametrize(("axes", "layer"), CASES, ids=[f"{getattr(c, '__name__', c)}"[:40] for _, c in CASES])
def test_one_program_serves_all_lengths(axes, layer):
    other = copy.deepcopy(layer)
    net = dy2st.torch.to_static(other, input_spec=[InputSpec(globals()[axes], "float32", "x")])
    torch.manual_seed(0)
    for size in SIZES[axes]:
        x = torch.randn(*size)
        with torch.no_grad():
            torch.testing.assert_close(leaves(net(x)), leaves(layer(x)), rtol=1e-4, atol=1e-5)


def _packed(net, x, lengths):
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    found, last = net(packed)
    return *nn.utils.rnn.pad_packed_sequence(found, batch_first=True, padding_value=-1.0), last


class Packed(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 5, 2, bidirectional=True)

    def forward(self, x, lengths):
        return _packed(self.rnn, x, lengths)


def test_sequences_of_unlike_lengths_are_packed_and_unpacked():
    torch.manual_seed(0)
    layer = Packed()
    net = dy2st.torch.to_static(layer)
    for lengths in ([2, 5, 3], [5, 1, 1], [4, 4, 2]):
        x, given = torch.randn(3, 5, 4), torch.tensor(lengths)
        torch.testing.assert_close(leaves(net(x, given)), leaves(layer(x, given)), rtol=1e-4, atol=1e-5)


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.tensor(3))

    def forward(self, x, by: int):
        if by == 0:
            return x * float(self.n)
        if by == 1:
            return x * int(self.n)
        if by == 2:
            return x + 1 if self.n else x
        if by == 3:
            return x * self.n.item()
        return x[:, int(self.n) :]


@pytest.mark.parametrize("by", range(5))
def test_what_a_buffer_holds_is_read_at_each_call(by):
    layer = Counted()
    net = dy2st.torch.to_static(layer)
    for n in (3, 0, 2):
        layer.n.fill_(n)
        x = torch.randn(2, 4)
        torch.testing.assert_close(net(x, by), layer(x, by))


@pytest.mark.parametrize("p", [0.0, 1.0])
@pytest.mark.parametrize("drop", [F.dropout, F.dropout1d, F.dropout2d, F.dropout3d, F.alpha_dropout, F.feature_alpha_dropout])
def test_dropout_of_nothing_and_of_all_is_torchs(drop, p):
    sizes = {F.dropout1d: (2, 3, 4), F.dropout3d: (2, 3, 4, 2, 2)}
    x = torch.randn(*sizes.get(drop, (2, 3, 4, 2)))
    net = dy2st.torch.to_static(_dropped)
    for training in (True, False):
        torch.testing.assert_close(net(x, drop, p, training), _dropped(x, drop, p, training), equal_nan=True)


def _dropped(x, drop, p, training):
    return drop(x, p, training)


def test_dropout_keeps_the_mean_and_drops_the_share_that_is_asked_for():
    x = torch.ones(100, 100, 4)
    one, whole = (
        dy2st.torch.to_static(_dropped)(x, F.dropout, 0.3, True),
        dy2st.torch.to_static(_dropped)(x, F.dropout1d, 0.3, True),
    )
    assert abs((one == 0).float().mean() - 0.3) < 0.02
    assert abs(one.mean() - 1.0) < 0.02
    assert abs((whole == 0).float().mean() - 0.3) < 0.03
    assert bool(((whole == 0).all(-1) | (whole != 0).all(-1)).all())

"""Shape, index and neural functions with lengths that only the run knows: staged against eager."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
import dy2st.nn.functional as F
from dy2st.static import InputSpec

X = np.random.default_rng(0).standard_normal((3, 4, 6)).astype("float32")
IMAGE = np.random.default_rng(1).standard_normal((2, 4, 8, 6)).astype("float32")
WEIGHT = dy2st.to_tensor(np.random.default_rng(2).standard_normal((5, 4, 3, 3)).astype("float32"))
TABLE = dy2st.to_tensor(np.random.default_rng(3).standard_normal((7, 2)).astype("float32"))


def in_place(x):
    y = x * 1
    n = x.shape[0]
    y[n - 1, 1:] = -1.0
    row = y[0]
    row[..., 0] = 9.0
    y[y > 2] = 0.0
    return y


def by_position(x):
    n = x.shape[1]
    return x[:, n - 1] + x[:, n // 2], x[:, : n // 2], x[1:, -1]


def with_tensors(x):
    order = dy2st.argsort(x[:, 0, 0])
    return x[order], x[0, :, order], dy2st.gather(x, order, axis=0), x[x[:, 0, 0] > 0]


def stacked(x):
    rows = []
    for i in range(x.shape[0]):
        rows.append(x[i] * i)
    return dy2st.stack(rows), dy2st.concat(rows, axis=0)


FUNCTIONS = {
    "reshape by lengths": lambda x: x.reshape([x.shape[0] * x.shape[1], -1]),
    "reshape keeps": lambda x: x.reshape([0, 0, 2, -1]),
    "flatten": lambda x: (x.flatten(1), x.flatten()),
    "squeeze": lambda x: x[:, :1].squeeze(1),
    "unsqueeze": lambda x: x.unsqueeze([0, -1]),
    "transpose": lambda x: x.transpose([2, 0, 1]),
    "expand": lambda x: x[:1].expand([x.shape[0], -1, -1]) + x,
    "tile": lambda x: dy2st.tile(x, [2, 1, 1]),
    "repeat": lambda x: dy2st.repeat_interleave(x, 2, 0),
    "split": lambda x: tuple(dy2st.split(x, 2, axis=1)),
    "sections": lambda x: tuple(dy2st.split(x, [1, -1], axis=0)),
    "concat": lambda x: dy2st.concat([x, x[:1]], axis=0),
    "flip and roll": lambda x: dy2st.roll(x.flip([0]), 1, 1),
    "pad": lambda x: F.pad(x, [1, 2], data_format="NCL"),
    "index by position": by_position,
    "index tensors": with_tensors,
    "in place": in_place,
    "stack of a grown list": stacked,
    "masked": lambda x: (dy2st.masked_select(x, x > 0), dy2st.masked_fill(x, x > 0, 0.0), dy2st.nonzero(x > 1)),
    "take along": lambda x: dy2st.take_along_axis(x, dy2st.argsort(x, axis=1), 1),
    "normalise": lambda x: (F.softmax(x), F.layer_norm(x, 6), F.normalize(x, axis=2)),
    "activations": lambda x: F.gelu(x) + F.silu(x) + F.leaky_relu(x) + F.softplus(x),
    "loss": lambda x: F.cross_entropy(x, dy2st.argmax(x, axis=-1)),
    "embedding": lambda x: F.embedding((x > 0).astype("int64"), TABLE, padding_idx=0),
    "meshgrid": lambda x: tuple(dy2st.meshgrid(x[:, 0, 0], x[0, 0])),
}


def flat(value):
    return [t.numpy() for t in (value if isinstance(value, (tuple, list)) else [value])]


def check(function, array, shape):
    expected = flat(function(dy2st.to_tensor(array.copy())))
    static = dy2st.jit.to_static(function, input_spec=[InputSpec(shape, "float32", "x")])
    for given, value in zip(flat(static(dy2st.to_tensor(array.copy()))), expected, strict=True):
        np.testing.assert_allclose(given, value, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
@pytest.mark.parametrize("shape", [[None, 4, 6], [None, None, 6]], ids=["batch", "batch and length"])
def test_unknown_lengths(function, shape):
    check(function, X, shape)


IMAGES = {
    "conv": lambda x: F.conv2d(x, WEIGHT, padding=1, stride=2),
    "conv same": lambda x: F.conv2d(x, WEIGHT, padding="same"),
    "conv channels last": lambda x: F.conv2d(x.transpose([0, 2, 3, 1]), WEIGHT, data_format="NHWC"),
    "pools": lambda x: (F.max_pool2d(x, 2), F.avg_pool2d(x, 3, 2, 1), F.adaptive_avg_pool2d(x, 1)),
    "pool indices": lambda x: F.max_pool2d(x, 3, 2, 1, return_mask=True),
}


@pytest.mark.parametrize("function", IMAGES.values(), ids=IMAGES)
@pytest.mark.parametrize("shape", [[None, 4, 8, 6], [None, 4, None, None]], ids=["batch", "batch and size"])
def test_images_of_unknown_size(function, shape):
    check(function, IMAGE, shape)

"""Layers and losses of inputs whose dtype isn't that of the weights: a static function gives what plain Python gives."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.nn import functional as F
from dy2st.pytree import flat

X, Y, IMAGE = paddle.rand([2, 3]), paddle.rand([2, 3]), paddle.rand([1, 3, 5, 5])
LABEL, ONES, WIDE = paddle.to_tensor([0, 2]), paddle.ones([3]), paddle.ones([3], "float64")
CALLS = {
    "Linear": (nn.Linear(3, 4), X),
    "Conv2D": (nn.Conv2D(3, 4, 3), IMAGE),
    "BatchNorm1D": (nn.BatchNorm1D(3), X),
    "BatchNorm2D": (nn.BatchNorm2D(3), IMAGE),
    "LayerNorm": (nn.LayerNorm(3), X),
    "GroupNorm": (nn.GroupNorm(3, 3), IMAGE),
    "InstanceNorm2D": (nn.InstanceNorm2D(3), IMAGE),
    "LSTM": (nn.LSTM(3, 4), paddle.rand([2, 5, 3])),
    "attention": (nn.MultiHeadAttention(4, 2), paddle.rand([2, 3, 4])),
    "encoder": (nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), paddle.rand([2, 3, 4])),
    "bilinear": (lambda x: F.bilinear(x, Y, paddle.ones([2, 3, 3])), X),
    "a wide bias": (lambda x: F.linear(x, paddle.ones([3, 3]), WIDE), X),
    "layer_norm": (lambda x: F.layer_norm(x, 3, ONES, WIDE), X),
    "cross_entropy": (lambda x: F.cross_entropy(x, LABEL, weight=ONES), X),
    "bce": (lambda x: F.binary_cross_entropy(F.sigmoid(x), Y, weight=Y), X),
    "bce_with_logits": (lambda x: F.binary_cross_entropy_with_logits(x, Y, weight=Y, pos_weight=Y), X),
}



@pytest.mark.parametrize("dtype", ["float64", "float16", "int64"])
@pytest.mark.parametrize("name", CALLS)
def test_equal_to_plain_python(name, dtype):
    called, x = CALLS[name]
    x = x.astype(dtype)
    plain, static = (flat(f(x), tuple) for f in (called, paddle.jit.to_static(lambda x: called(x))))
    assert [t.dtype for t in static] == [t.dtype for t in plain]
    for ours, theirs in zip(static, plain):
        np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=2e-3, atol=2e-3)

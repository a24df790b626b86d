"""Losses of tensors whose number of axes the path decides give what plain Python gives, or say what to write; embeddings."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.nn import functional as F
from dy2st.static import InputSpec

X = paddle.to_tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])
Y = paddle.to_tensor([[0.25, 0.5, 0.25], [0.75, 0.125, 0.125]])
LABEL, COLUMN = paddle.to_tensor([0, 2]), paddle.to_tensor([[0], [2]])


def of_unknown_rank(x):
    if x.sum() > 1000:
        x = x[0]
    return x


EQUAL = {
    "mse": lambda x, y: F.mse_loss(x, y),
    "l1": lambda x, y: F.l1_loss(x, y),
    "smooth_l1": lambda x, y: F.smooth_l1_loss(x, y),
    "bce": lambda x, y: F.binary_cross_entropy(F.sigmoid(x), y),
    "bce_with_logits": lambda x, y: F.binary_cross_entropy_with_logits(x, y),
    "kl_div": lambda x, y: F.kl_div(x, y),
    "batchmean": lambda x, y: F.kl_div(x, y, "batchmean"),
    "margin": lambda x, y: F.margin_ranking_loss(x, y, y),
    "focal": lambda x, y: F.sigmoid_focal_loss(x, y),
}
REFUSED = {
    "triplet": lambda x, y: F.triplet_margin_loss(x, y, x + y),
    "poisson": lambda x, y: F.poisson_nll_loss(x, y),
    "cross_entropy": lambda x, y: F.cross_entropy(x, LABEL),
    "of a label": lambda x, y: F.cross_entropy(X, of_unknown_rank(COLUMN * (x.sum() > -1000).astype("int64"))),
    "soft_label": lambda x, y: F.cross_entropy(x, y, soft_label=True),
    "dice": lambda x, y: F.dice_loss(x, COLUMN),
    "gaussian": lambda x, y: F.gaussian_nll_loss(X, X, y),
    "multi_label_margin": lambda x, y: F.multi_label_margin_loss(x, paddle.to_tensor([[0, -1, -1], [1, 2, -1]])),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_to_plain_python(name):
    static = paddle.jit.to_static(lambda x, y: EQUAL[name](of_unknown_rank(x), of_unknown_rank(y)))
    np.testing.assert_allclose(static(X, Y).numpy(), EQUAL[name](X, Y).numpy(), rtol=1e-6)


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_words(name):
    with pytest.raises(ConversionError, match="whose number of axes is known while staging"):
        paddle.jit.to_static(lambda x, y: REFUSED[name](of_unknown_rank(x), of_unknown_rank(y)))(X, Y)


@pytest.mark.parametrize("index", [0, 3, -1, -4, 4, -5])
def test_the_padding_of_an_embedding_with_an_open_number_of_rows(index):
    def looked_up(ids, weight):
        return F.embedding(ids, weight, padding_idx=index)

    ids, weight = paddle.to_tensor([0, 3, 1]), paddle.to_tensor(np.arange(8, dtype="float32").reshape(4, 2))
    static = paddle.jit.to_static(looked_up, input_spec=[InputSpec([None], "int64"), InputSpec([None, 2])])
    if -4 <= index < 4:
        assert static(ids, weight).numpy().tolist() == looked_up(ids, weight).numpy().tolist()
        return
    for called in (static, looked_up):
        with pytest.raises(ValueError, match="padding_idx.* is outside the (4 )?rows of the weight"):
            called(ids, weight)

"""Dropout: its two modes, its axis, and that it draws from the seeded generator."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
import dy2st.nn.functional as F
from dy2st import nn

ONES = dy2st.ones([200, 50])


def test_what_stays_is_scaled_up_and_inference_is_the_identity():
    dy2st.seed(0)
    y = F.dropout(ONES, 0.25).numpy()
    np.testing.assert_allclose(np.unique(y), [0, 1 / 0.75], rtol=1e-6)
    assert abs((y == 0).mean() - 0.25) < 0.02
    assert F.dropout(ONES, 0.25, training=False) is ONES


def test_downscale_in_infer():
    dy2st.seed(0)
    assert np.unique(F.dropout(ONES, 0.25, mode="downscale_in_infer").numpy()).tolist() == [0, 1]
    assert np.unique(F.dropout(ONES, 0.25, training=False, mode="downscale_in_infer").numpy()).tolist() == [0.75]


def test_one_draw_for_a_whole_channel():
    dy2st.seed(0)
    y = F.dropout2d(dy2st.ones([8, 6, 3, 3])).numpy().reshape(48, 9)
    assert (y == y[:, :1]).all() and 0 < (y[:, 0] == 0).mean() < 1
    rows = F.dropout(dy2st.ones([8, 6]), axis=0).numpy()
    assert (rows == rows[:, :1]).all()


def test_everything_or_nothing():
    assert F.dropout(ONES, 1.0).numpy().max() == 0
    assert F.dropout(ONES, 0.0) is ONES
    with pytest.raises(ValueError, match="p must be between 0 and 1, not 1.5"):
        F.dropout(ONES, 1.5)


def test_the_layer_follows_its_mode_and_the_seed():
    layer = nn.Dropout(0.5)
    dy2st.seed(3)
    first = layer(ONES).numpy()
    dy2st.seed(3)
    np.testing.assert_array_equal(layer(ONES).numpy(), first)
    assert (layer(ONES).numpy() != first).any()
    layer.eval()
    assert layer(ONES) is ONES


def test_the_gradient_passes_where_the_value_passed():
    x = dy2st.ones([50])
    x.stop_gradient = False
    y = F.dropout(x, 0.5)
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), y.numpy())


def test_a_wrong_probability_is_refused_when_the_layer_is_made():
    with pytest.raises(ValueError, match="between 0 and 1, not 2"):
        nn.Dropout(2)
    with pytest.raises(TypeError, match="p must be a number"):
        nn.Dropout2D("often")

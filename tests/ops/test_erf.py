"""erf and gelu of narrow dtypes, against the standard library's erf."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dy2st
import dy2st.nn.functional as F

POINTS = np.concatenate([np.linspace(-6, 6, 20001), np.logspace(-38, 0, 2001), [0.0, -0.0, np.inf, -np.inf]]).astype("float32")


def test_erf_of_float32_is_off_by_less_than_a_unit_in_the_last_place():
    truth = np.array([math.erf(x) for x in POINTS.tolist()])
    given = dy2st.erf(dy2st.to_tensor(POINTS)).numpy()
    assert given.dtype == np.float32
    np.testing.assert_allclose(given.astype("float64"), truth, rtol=0.55 * 2.0**-23, atol=2.0**-149)


@pytest.mark.parametrize("size", [0, 1, (1 << 14) - 1, 1 << 14, (1 << 14) + 1, 40000])
def test_each_element_of_gelu_stands_for_itself(size):
    x = np.resize(POINTS[np.abs(POINTS) < 5], size)
    truth = np.array([0.5 * v * math.erfc(-v * math.sqrt(0.5)) for v in x.tolist()])
    np.testing.assert_allclose(F.gelu(dy2st.to_tensor(x)).numpy(), truth, rtol=1e-6, atol=2e-8)


def test_gelu_far_below_zero_is_next_to_nothing():
    x = np.concatenate([np.linspace(-14, -5.6, 841), [-1e3, -1e30, -3e38]]).astype("float32")
    truth = np.array([0.5 * v * math.erfc(-v * math.sqrt(0.5)) for v in x.tolist()])
    np.testing.assert_allclose(F.gelu(dy2st.to_tensor(x)).numpy(), truth, rtol=6e-4, atol=1e-10)


def test_nan_stays_nan():
    x = dy2st.to_tensor(np.array([np.nan, 1.0], "float32"))
    assert np.isnan(dy2st.erf(x).numpy()).tolist() == [True, False]
    assert np.isnan(F.gelu(x).numpy()).tolist() == [True, False]

"""Kernels that divide by zero or overflow give inf and nan, and no warning, either way of keeping NumPy quiet."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from dy2st.ops import quiet


@pytest.mark.parametrize("way", [(quiet.silence, quiet.speak), quiet.THROUGH_ERRSTATE], ids=["context", "errstate"])
def test_no_warning_and_the_state_comes_back(way, monkeypatch):
    monkeypatch.setattr(quiet, "silence", way[0])
    monkeypatch.setattr(quiet, "speak", way[1])
    divide = quiet.quiet(np.divide)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(divide(np.array([1.0, 0.0, -1.0]), 0.0), [np.inf, np.nan, -np.inf])
        with pytest.raises(RuntimeWarning):
            np.divide(np.ones(1), 0.0)
        with pytest.raises(ValueError):
            divide(np.ones(2), np.ones(3))
        with pytest.raises(RuntimeWarning):
            np.divide(np.ones(1), 0.0)

"""Calls with a vector `x` and a count `n` that take every path of a small function, in two dtypes."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from dy2st.errors import JoinWarning
from dy2st.static import InputSpec

from .agreement import NUMBER, assert_agrees

ROWS = [([1, 2, 3], 0), ([1, 2, 3], 1), ([-1, -2, -3], 2), ([0.5], 2), ([3, 1, 2, 1.5], 3), ([-1, -2, -3], 4), ([1, 2, 3], 3)]
in_two_dtypes = pytest.mark.parametrize("dtype", ["float32", "int64"])


def assert_agrees_on_all_paths(function, dtype):
    """Plain Python, the Program and the loaded Program give the same for every row."""
    calls = [(np.array(values, np.float32).astype(dtype), np.array(n, np.int64)) for values, n in ROWS]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JoinWarning)
        assert_agrees(function, (InputSpec([None], dtype), NUMBER), calls)

"""A case of a limit: plain Python, the Program and the loaded Program give the same, as `staging.agreement` says."""

from __future__ import annotations

import numpy as np
from staging.agreement import COUNTS, NUMBER, UP, VECTOR, as_programs, assert_agrees, outcome, plain  # noqa: F401

SIGNS = [(UP,), (-UP,)]
ROW = np.array([[1, -2, 3]], np.float32)


def on_x(function, calls=SIGNS):
    """For functions of a vector."""
    assert_agrees(function, (VECTOR,), calls)


def on_xn(function, calls=COUNTS):
    """For functions of a vector and a count."""
    assert_agrees(function, (VECTOR, NUMBER), calls)


def on_n(function, counts=(0, 1, 3)):
    """For functions of a count."""
    assert_agrees(function, (NUMBER,), [(np.int64(n),) for n in counts])

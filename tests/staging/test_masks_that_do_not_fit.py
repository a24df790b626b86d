"""How many places a mask picks depends on elements: what doesn't fit is an exception that the function may handle."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ShapeError
from dy2st.static import InputSpec


def handled(x):
    y = x.clone()
    try:
        y[x > 0] = x[:2]
    except ShapeError:
        return x * 100
    return y


def raised(x):
    y = x.clone()
    y[x > 0] = x[:2]
    return x.sum()  # nobody reads y


@pytest.mark.parametrize("function", [handled, raised])
@pytest.mark.parametrize("values", [[1, 2, -1, -2], [1, 2, 3, 4]])
def test_it_is_that_of_plain_python(function, values):
    found = []
    for call in (function, paddle.jit.to_static(function, input_spec=[InputSpec([4], "float32")])):
        try:
            found.append(call(paddle.to_tensor(np.asarray(values, "float32"))).tolist())
        except ShapeError as error:
            found.append(str(error))
    assert found[0] == found[1]

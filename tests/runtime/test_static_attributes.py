"""Attributes reach the kernel of a Program as the eager kernel gets them: several axes are a tuple."""

import numpy as np
import pytest

import dy2st
from dy2st import jit
from dy2st.static import InputSpec


def mean(x):
    return x.mean(axis=[2, 3])


def largest(x):
    return x.max(axis=(0, -1), keepdim=True)


def deviation(x):
    return dy2st.std(x, axis=[0, 1])


def anything(x):
    return (x > 3).any(axis=[1, 2])


@pytest.mark.parametrize("function", [mean, largest, deviation, anything])
def test_several_axes(function, tmp_path):
    x = dy2st.to_tensor(np.arange(16, dtype="float32").reshape(2, 2, 2, 2))
    static = jit.to_static(function, input_spec=[InputSpec([None, 2, 2, 2], "float32")])
    jit.save(static, str(tmp_path / "f"))
    for run in (static, jit.load(str(tmp_path / "f"))):
        assert np.array_equal(run(x).numpy(), function(x).numpy())

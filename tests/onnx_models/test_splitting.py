"""Slices that together are all of a tensor are one Split."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="models run in onnxruntime: pip install '.[onnx]'")

import onnx

import dy2st
import dy2st.onnx
from dy2st.static import InputSpec


def quarters(x):
    y = x * 2
    return y[:, 0:2] + y[:, 2:4] * y[:, 4:6] - y[:, 6:8]


def unequal(x):
    y = x * 2
    return y[:, 3:].sum(), y[:, :1], y[:, 1:3]


def from_the_end(x):
    y = x * 2
    return y[..., :-3], y[..., -3:]


def split(x):
    a, b = dy2st.split(x + 1, [3, 5], axis=-1)
    return a, b


def a_part_is_missing(x):
    y = x * 2
    return y[:, 0:2], y[:, 4:8]


def overlapping(x):
    y = x * 2
    return y[:, 0:5], y[:, 3:8], y[:, 5:8]


def taken_twice(x):
    y = x * 2
    return y[:, 0:4], y[:, 4:8], y[:, 0:4].sum(), y[:, 0:6]


def only_one_is_read(x):
    y = x * 2
    y[:, 0:4]
    return y[:, 4:8]


def with_steps(x):
    y = x * 2
    return y[:, 0:4:2], y[:, 4:8]


def empty_part(x):
    y = x * 2
    return y[:, 0:0], y[:, 0:4], y[:, 4:8]


def on_a_path(x):
    y = x * 2
    a = y[:, 0:4]
    if x.sum() > 0:
        a = a + y[:, 4:8]
    return a


COUNTS = {
    **{quarters: 1, unequal: 1, split: 1, overlapping: 1, taken_twice: 1, empty_part: 1},
    **{from_the_end: None, a_part_is_missing: 0, only_one_is_read: None, with_steps: 0, on_a_path: 0},
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32"])
@pytest.mark.parametrize("function", [*COUNTS], ids=lambda function: function.__name__)
def test_parts_of_a_tensor(function, dtype, tmp_path):
    dy2st.onnx.export(dy2st.jit.to_static(function, [InputSpec([None, 8], dtype, "x")]), tmp_path / "m")
    operators = [node.op_type for node in onnx.load(tmp_path / "m.onnx").graph.node]
    if COUNTS[function] is not None:
        assert operators.count("Split") == COUNTS[function]
    for rows in (0, 1, 5):
        x = (np.arange(rows * 8).reshape(rows, 8) - 3).astype(dtype)
        want, found = function(dy2st.to_tensor(x)), dy2st.onnx.Session(tmp_path / "m.onnx")(x)
        for a, b in zip(*([x] if not isinstance(x, (tuple, list)) else x for x in (want, found)), strict=True):
            np.testing.assert_array_equal(a.numpy(), b.numpy())

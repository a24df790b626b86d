"""Dicts whose keys are members of an Enum, of which the data say which is asked: in ONNX Runtime and in JAX."""

from __future__ import annotations

import enum

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, onnx
from dy2st.static import InputSpec

Color = enum.Enum("Color", "RED GREEN BLUE")
TABLE = {Color.RED: 1.0, Color.GREEN: 2.0, Color.BLUE: 3.0}


def of_a_table(x):
    key = Color.RED if x.sum() > 0 else Color.BLUE
    return x * TABLE[key]


def stored(x):
    key = Color.RED if x.sum() > 0 else Color.BLUE
    table = {Color.RED: x * 2, Color.BLUE: x * 3}
    table[key] = x
    return table[Color.RED] + table[Color.BLUE]


def perhaps_absent(x):
    key = Color.RED if x.sum() > 0 else Color.GREEN
    table = {Color.RED: x * 2, Color.BLUE: x * 3}
    return table.get(key, x * 9) + (1 if key in table else 5)


def one_of_three(x):
    key = Color.RED if x.sum() > 3 else Color.BLUE if x.sum() > 0 else Color.GREEN
    table = {Color.GREEN: x * 2, Color.BLUE: x * 3, Color.RED: x - 1}
    return table.pop(key) + len(table)


FUNCTIONS = [of_a_table, stored, perhaps_absent, one_of_three]
INPUTS = [np.array(values, "float32") for values in ([1, 2, 3], [0.5, 0.5, 0.5], [-1, -2, -3])]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_e_07_in_onnx_runtime(function, tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    path = str(tmp_path / "model.onnx")
    onnx.export(jit.to_static(function, input_spec=[InputSpec([3], "float32", "x")]), path)
    session = runtime.InferenceSession(path)
    for x in INPUTS:
        given = {"x": x}
        assert np.array_equal(session.run(None, given)[0], function(paddle.to_tensor(x)).numpy())


@pytest.mark.parametrize("function", FUNCTIONS)
def test_e_07_in_jax(function):
    pytest.importorskip("jax")
    import dy2st.jax

    compute, params = dy2st.jax.function(jit.to_static(function, input_spec=[InputSpec([3], "float32", "x")]))
    for x in INPUTS:
        assert np.array_equal(compute(params, x)[0], function(paddle.to_tensor(x)).numpy())

"""Loops over a known range: their lists have as many rows as turns, unless the loop ends before."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="models run in onnxruntime: pip install '.[onnx]'")

import onnx

import dy2st
import dy2st.onnx
from dy2st.static import InputSpec


def over(*bounds):
    def function(x, n):
        found = []
        h = x[0]
        for k in range(*bounds):
            h = h * 0.5 + x[k]
            found.append(h)
        return dy2st.stack([h, *found]), found[-1] if found else h

    return function


def until_it_is_large(x, n):
    found = []
    for k in range(39):
        found.append(x[k] * 2)
        if x[k].sum() > n:
            break
    return found[0], found[-1], dy2st.stack(found)


def item_that_may_be_missing(x, n):
    found = []
    for k in range(39):
        found.append(x[k + n])
    return found[7], found[-39]


def place_that_may_be_missing(x, n):
    found = []
    for k in range(39):
        found.append(x[k])
    return found[n]


def outcome(function, *operands):
    try:
        found = function(*operands)
    except Exception as error:
        return type(error).__name__
    return [part.numpy() if isinstance(part, dy2st.Tensor) else np.asarray(part) for part in found]


BOUNDS = [(39,), (2, 39), (0, 39, 2), (1, 39, 3), (38, -1, -1), (0,), (5, 5), (39, 2)]
RANGES = {f"range{bounds}": over(*bounds) for bounds in BOUNDS}
OTHERS = {f.__name__: f for f in (until_it_is_large, item_that_may_be_missing, place_that_may_be_missing)}
SPECS = [InputSpec([40, 3], "float32", "x"), InputSpec([], "int64", "n")]


@pytest.mark.parametrize("name", [*RANGES, *OTHERS])
def test_lists_of_counted_loops(name, tmp_path):
    function = {**RANGES, **OTHERS}[name]
    dy2st.onnx.export(dy2st.jit.to_static(function, SPECS), tmp_path / "m")
    session = dy2st.onnx.Session(tmp_path / "m.onnx")
    x = np.random.default_rng(0).normal(size=(40, 3)).astype("float32")
    for n in (0, 1, 2, 38, 39, -39, -40):
        n = np.array(n)
        want, given = outcome(function, dy2st.to_tensor(x), dy2st.to_tensor(n)), outcome(session, x, n)
        assert type(want) is type(given), f"{n}: {want}, {given}"
        if isinstance(want, str):
            assert want == given
        else:
            assert len(want) == len(given)
            for a, b in zip(want, given):
                np.testing.assert_allclose(a, b, atol=1e-6)


def test_an_item_of_a_list_of_known_length_is_one_node(tmp_path):
    dy2st.onnx.export(dy2st.jit.to_static(over(39), SPECS), tmp_path / "m")
    nodes = [node.op_type for node in onnx.load(tmp_path / "m.onnx").graph.node]
    assert "Loop" in nodes
    assert "If" not in nodes and "Shape" not in nodes

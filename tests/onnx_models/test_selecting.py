"""Branches on single numbers are computed on both sides and selected: every pair of values, and what stays an If."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")
pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")

import onnx

import dy2st as paddle
import dy2st.onnx
from dy2st.static import InputSpec

BOOLS = {
    "p": lambda p, q: p,
    "q": lambda p, q: q,
    "not q": lambda p, q: not q,
    "True": lambda p, q: True,
    "False": lambda p, q: False,
}


def operators(graph):
    """The operators of a graph and of those in it."""
    for node in graph.node:
        yield node.op_type
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from operators(attribute.g)


def exported(function, specs, tmp_path):
    path = dy2st.onnx.export(paddle.jit.to_static(function, input_spec=specs), tmp_path / "model")
    return dy2st.onnx.Session(path), list(operators(onnx.load(path).graph))


@pytest.mark.parametrize(("then", "orelse"), [*itertools.product(BOOLS, BOOLS)])
def test_pairs_of_bools(then, orelse, tmp_path):
    first, second = BOOLS[then], BOOLS[orelse]

    def choose(a, b):
        p, q = bool(a), bool(b)
        if p:
            found = first(p, q)
        else:
            found = second(p, q)
        return a + 1.0, found

    session, found = exported(choose, [InputSpec([], "float32", "a"), InputSpec([], "float32", "b")], tmp_path)
    assert "If" not in found
    for p, q in itertools.product((0.0, 1.0), repeat=2):
        expected = first(bool(p), bool(q)) if p else second(bool(p), bool(q))
        given = session(paddle.to_tensor(p), paddle.to_tensor(q))[1]
        assert bool(given) is expected


def test_numbers_and_tensors_without_axes(tmp_path):
    def choose(x, n):
        k = n * 2 if n > 3 else n - 1
        y = x * 2.0 if k > 4 else -x
        return y, k

    session, found = exported(choose, [InputSpec([], "float32", "x"), InputSpec([], "int64", "n")], tmp_path)
    assert "If" not in found
    for n in (0, 3, 4, 6):
        y, k = session(paddle.to_tensor(1.5), paddle.to_tensor(n))
        assert (float(y), int(k)) == (3.0 if (n * 2 if n > 3 else n - 1) > 4 else -1.5, n * 2 if n > 3 else n - 1)


def divides(x, n):
    return n // x if n > 2 else n


def is_large(x, n):
    return x * 2 if n > 2 else x


@pytest.mark.parametrize(("function", "shape"), [(divides, []), (is_large, [None])])
def test_what_may_fail_or_take_long_stays_an_if(function, shape, tmp_path):
    session, found = exported(function, [InputSpec(shape, "int64", "x"), InputSpec([], "int64", "n")], tmp_path)
    assert "If" in found
    x = paddle.to_tensor(np.arange(3) if shape else np.array(2))
    for n in (1, 5):
        expected = function(x, paddle.to_tensor(n)).numpy().tolist()
        assert session(x, paddle.to_tensor(n)).numpy().tolist() == expected

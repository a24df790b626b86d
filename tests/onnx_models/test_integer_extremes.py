"""Integers beyond 2 ** 53, at the ends of their dtypes, and sums that wrap: ONNX Runtime gives what NumPy gives."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

from onnx_models import integer_extremes  # noqa: E402
from support.sampling import sampled  # noqa: E402

import dy2st as paddle  # noqa: E402
from dy2st.onnx import Session, export  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

LARGE = np.array([[2**53 + 1, 2, 2**62], [1, 2**53 + 3, 2**62], [7, -1, 2**62 + 5]])


def reductions(x):
    return x.sum(), x.prod(), x.sum(0), x.sum(axis=[0, 1], keepdim=True), x.prod(1), paddle.trace(x)


@pytest.mark.parametrize("opset", [17, 18, 26])
@pytest.mark.parametrize("shape", [[3, 3], [None, None]])
def test_s_24_sums_and_products_of_int64_wrap(shape, opset, tmp_path):
    path = export(reductions, tmp_path / "model", [InputSpec(shape, "int64", "x")], opset)
    with np.errstate(over="ignore"):
        wanted = LARGE.sum(), LARGE.prod(), LARGE.sum(0), LARGE.sum(keepdims=True), LARGE.prod(1), LARGE.trace()
    for ours, theirs in zip(wanted, Session(path)(paddle.to_tensor(LARGE))):
        assert np.array_equal(ours, theirs.numpy())


def along(x, n):
    return x.sum(int(n)), x.prod(int(n)), x.sum(int(n), keepdim=True)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_s_24_along_an_axis_that_the_run_tells(axis, tmp_path):
    x = np.random.default_rng(0).integers(-(2**63), 2**63 - 1, (2, 3, 4))
    path = export(along, tmp_path / "model", [InputSpec([None, 3, None], "int64", "x"), InputSpec([], "int64", "n")])
    wanted = x.sum(axis), x.prod(axis), x.sum(axis, keepdims=True)
    for ours, theirs in zip(wanted, Session(path)(paddle.to_tensor(x), paddle.to_tensor(axis))):
        assert np.array_equal(ours, theirs.numpy())


def test_s_24_in_the_engine():
    static = paddle.jit.to_static(reductions, backend="onnxruntime")
    for ours, theirs in zip(reductions(paddle.to_tensor(LARGE)), static(paddle.to_tensor(LARGE))):
        assert np.array_equal(ours.numpy(), theirs.numpy())


@pytest.mark.long
@pytest.mark.parametrize("cell", sampled(integer_extremes.cells(), 200), ids=str)
def test_operators_on_integers_at_their_ends(cell):
    integer_extremes.tried(cell)

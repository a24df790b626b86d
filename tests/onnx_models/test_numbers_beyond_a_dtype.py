"""A number that a dtype has no place for: what Python raises, a Session does, or the export is refused; nothing wraps around."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")

import dy2st as paddle
import dy2st.onnx
from dy2st.errors import ConversionError
from dy2st.nn import functional as F
from dy2st.static import InputSpec


def put(x, n):
    x[0] = n
    return x


def put_where(x, n):
    x[x >= 0] = n
    return x


WAYS = {
    "setitem": put,
    "setitem by a mask": put_where,
    "full_like": lambda x, n: paddle.full_like(x, n),
    "full": lambda x, n: x + paddle.full([3], n, x.dtype),
    "fill_": lambda x, n: x.fill_(n),
    "masked_fill": lambda x, n: x.masked_fill(x >= 0, n),
    "index_fill": lambda x, n: paddle.index_fill(x, paddle.to_tensor([0]), 0, n),
    "put_along_axis": lambda x, n: paddle.put_along_axis(x, paddle.to_tensor([0]), n, 0),
    "where": lambda x, n: paddle.where(x > 0, x, n),
    "clip": lambda x, n: paddle.clip(x, 0, n),
    "pad": lambda x, n: F.pad(x, [1, 1], value=n),
    "add": lambda x, n: x + n,
    "equal": lambda x, n: x == n,
}
NUMBERS = [100, -1, 128, 300, -129, 2**40, 1.5, 300.5, float("nan"), True]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64"])
@pytest.mark.parametrize("way", WAYS)
def test_what_becomes_of_it(way, dtype, tmp_path):
    for number in NUMBERS:

        def f(x):
            return WAYS[way](x, number)

        try:
            session = dy2st.onnx.Session(dy2st.onnx.export(f, tmp_path / "model", [InputSpec([None], dtype)]))
        except ConversionError:
            continue
        ours, pythons = (outcome(g, dtype) for g in (session, f))
        assert ours == pythons, number


def outcome(f, dtype):
    try:
        found = f(paddle.to_tensor(np.arange(3).astype(dtype))).numpy()
        return str(found.dtype), str(found.tolist())
    except Exception as error:
        return type(error).__name__

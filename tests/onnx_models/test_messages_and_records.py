"""Lists of dicts as results, and messages with shapes in them, as a Session gives them; what nobody reads isn't lowered."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")

import dy2st as paddle
import dy2st.onnx
from dy2st import jit
from dy2st.static import InputSpec

OPEN = [InputSpec([None, None], "float32", "x")]


def session(function, tmp_path):
    return dy2st.onnx.Session(dy2st.onnx.export(jit.to_static(function, OPEN), tmp_path / "net"))


def boxes(x):
    found = []
    for row in (x[0], x[1]):
        found.append({"kept": row[row > 0], "sum": row.sum()})
    if x.sum() > 100:
        raise ValueError("too much")
    for one in found:
        one["kept"] = one["kept"] * 2
    return found


def checked(x):
    if x.shape[0] != x.shape[1]:
        raise ValueError(f"{(x.shape[0], 1, (x.shape[1],))} is no square of {x.shape[0]}")
    return x * 2


def unread(x):
    text = f"{(x.shape[0], 0.5 * x.shape[1])}"
    if len(x.shape) != 2:
        raise ValueError(text)
    return x + 1


def test_a_list_of_dicts(tmp_path):
    x = paddle.to_tensor(np.array([[1.0, -2.0, 3.0], [4.0, -5.0, -6.0]], "float32"))
    found, right = ([{k: v.tolist() for k, v in one.items()} for one in f(x)] for f in (session(boxes, tmp_path), boxes))
    assert found == right


def test_a_shape_in_a_message(tmp_path):
    net = session(checked, tmp_path)
    assert net(paddle.ones([2, 2])).tolist() == [[2.0, 2.0], [2.0, 2.0]]
    with pytest.raises(ValueError, match=r"^\(2, 1, \(3,\)\) is no square of 2"):
        net(paddle.ones([2, 3]))


def test_a_text_that_nobody_reads(tmp_path):
    assert session(unread, tmp_path)(paddle.zeros([1, 2])).tolist() == [[1.0, 1.0]]

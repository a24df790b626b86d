"""Lists of open shapes that a loop fills and that are stacked after it: their shapes must be one, in each turn."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="models run in onnxruntime: pip install '.[onnx]'")

import onnx

import dy2st
import dy2st.onnx
from dy2st.static import InputSpec


def counted(x, n):
    found = []
    for k in range(30):
        x = x * 0.5
        found.append(x)
    return dy2st.stack(found)


def counted_along_another_axis(x, n):
    found = []
    for k in range(30):
        x = x * 0.5
        found.append(x)
    return dy2st.stack(found, axis=-1)


def while_there_are(x, n):
    found, k = [], 0
    while k < n:
        found.append(x + k)
        k = k + 1
    return dy2st.stack(found, axis=1)


def with_a_break(x, n):
    found = []
    for k in range(40):
        x = x + 1
        found.append(x)
        if k >= n:
            break
    return dy2st.stack(found)


def a_row_fewer_each_turn(x, n):
    found, k = [], 0
    while k < n:
        found.append(x)
        x = x[1:]
        k = k + 1
    return dy2st.stack(found)


def rows_and_columns_change_places(x, n):
    """As many elements in each turn, in another shape."""
    found, k = [], 0
    while k < n:
        found.append(x)
        x = x.t()
        k = k + 1
    return dy2st.stack(found)


def stacked_on_a_path(x, n):
    found, k, y = [], 0, x
    while k < n:
        found.append(y)
        y = y[1:]
        k = k + 1
    if n < 2:
        return dy2st.stack(found).sum()
    return x.sum()


def read_besides(x, n):
    found, k, y = [], 0, x
    while k < n:
        found.append(y)
        y = y.t()
        k = k + 1
    return found[0].sum() + len(found), dy2st.stack(found)


def not_stacked(x, n):
    found, k = [], 0
    while k < n:
        found.append(x)
        x = x[1:]
        k = k + 1
    return dy2st.concat(found)


FUNCTIONS = [
    *(counted, counted_along_another_axis, while_there_are, with_a_break, a_row_fewer_each_turn),
    *(rows_and_columns_change_places, stacked_on_a_path, read_besides, not_stacked),
]
OPEN = {"a": [None, None], "b": [None, 3], "c": [2, None]}


def outcome(function, *operands):
    try:
        found = function(*operands)
    except Exception as error:
        line = getattr(error, "user_line", None)
        return type(error).__name__, line
    parts = found if isinstance(found, (tuple, list)) else [found]
    return [np.asarray(part.numpy() if isinstance(part, dy2st.Tensor) else part) for part in parts]


@pytest.mark.parametrize("shape", [*OPEN])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_as_in_plain_python(function, shape, tmp_path):
    specs = [InputSpec(OPEN[shape], "float32", "x"), InputSpec([], "int64", "n")]
    dy2st.onnx.export(dy2st.jit.to_static(function, specs), tmp_path / "m")
    session = dy2st.onnx.Session(tmp_path / "m.onnx")
    for given in ((2, 3), (3, 3), (0, 3), (1, 3), (2, 0), (0, 0), (2, 2), (2, 4)):
        if any(length not in (None, own) for length, own in zip(OPEN[shape], given)):
            continue
        x = np.arange(np.prod(given), dtype="float32").reshape(given)
        for n in (0, 1, 2, 3):
            n = np.array(n)
            want, found = outcome(function, dy2st.to_tensor(x), dy2st.to_tensor(n)), outcome(session, x, n)
            assert type(want) is type(found), (given, n, want, found)
            if isinstance(want, tuple):
                assert want[0] == found[0], (given, n)
            else:
                for a, b in zip(want, found, strict=True):
                    assert a.shape == b.shape, (given, n)
                    np.testing.assert_allclose(a, b, 1e-6)


def test_they_are_no_sequence(tmp_path):
    for function in (counted, while_there_are, with_a_break):
        specs = [InputSpec([None, 3], "float32", "x"), InputSpec([], "int64", "n")]
        dy2st.onnx.export(dy2st.jit.to_static(function, specs), tmp_path / "m")
        nodes = onnx.load(tmp_path / "m.onnx").graph.node
        assert not any(node.op_type.startswith(("Sequence", "ConcatFromSequence")) for node in nodes)


def test_the_line_is_that_of_the_stack(tmp_path):
    specs = [InputSpec([None, 3], "float32", "x"), InputSpec([], "int64", "n")]
    dy2st.onnx.export(dy2st.jit.to_static(a_row_fewer_each_turn, specs), tmp_path / "m")
    with pytest.raises(ValueError) as raised:
        dy2st.onnx.Session(tmp_path / "m.onnx")(np.ones((3, 3), "float32"), np.array(2))
    line = a_row_fewer_each_turn.__code__.co_firstlineno + 6
    assert f"test_stacked_lists.py:{line}" in "".join([str(raised.value), *getattr(raised.value, "__notes__", [])])

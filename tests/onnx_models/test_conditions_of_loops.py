"""What the condition of a `while` says is left to the Loop: its bound, its bools. What Python asks, and what fails, stays."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="models run in onnxruntime: pip install '.[onnx]'")

import onnx

import dy2st
import dy2st.onnx
from dy2st.static import InputSpec


def tensor_first(x, n):
    i = 0
    while x.sum() < 100.0 and i < 7:
        x, i = x * 2, i + 1
    return x


def bound_first(x, n):
    i = 0
    while i < 7 and x.sum() < 100.0:
        x, i = x * 2, i + 1
    return x, i


def bound_in_the_middle(x, n):
    i, going = 0, n > 0
    while going and i < 7 and x.sum() < 100.0:
        x, i, going = x * 2, i + 1, bool(i < n)
    return x, i, going


def place_beyond_the_end(x, n):
    """`i < 3` is asked before x[i], which would fail."""
    i = 0
    while i < 3 and x[i] > n:
        i = i + 1
    return i


def place_beyond_the_end_asked_first(x, n):
    i = 0
    while x[i] > n and i < 3:
        i = i + 1
    return i


def counter_from_3_by_2(x, n):
    i, places = 3, dy2st.zeros([], "int64")
    while i < 12 and places < n:
        places = places + i
        i = i + 2
    return places, i


def counter_that_is_changed(x, n):
    i = 0
    while i < 12:
        x = x + i
        i = i + 1
        if x.sum() > n:
            i = i + 5
    return x, i


def counter_that_is_asked_twice(x, n):
    i = 0
    while i < 12 and i < n:
        x, i = x + i, i + 1
    return x, i


def no_turn(x, n):
    i = 9
    while i < 9 and x.sum() < n:
        x, i = x + 1, i + 1
    return x, i


def stopped(x, n):
    stop, count = False, 0
    while not stop and count < 20:
        count = count + 1
        if stop:
            x = x - 1000
        stop = bool(count >= n)
        x = x + 1
    return x, stop, count


def stopped_with_else(x, n):
    for k in range(60):
        x = x + k
        if k >= n:
            break
    else:
        x = x * 0
    return x


def going_down(x, n):
    i = 9
    while i > n:
        x, i = x + i, i - 1
    return x, i


def nested(x, n):
    total, i = x.sum() * 0, 0
    while i < 4:
        j = 0
        while j < 3 and total < n:
            total = total + x[j] * i
            j = j + 1
        i = i + 1
    return total, i


def checked(x, n):
    i, found = 0, []
    while i < 9:
        if i > n:
            raise ValueError("too far")
        found.append(x[0] + i)
        i = i + 1
    return dy2st.stack(found)


FUNCTIONS = [
    *(tensor_first, bound_first, bound_in_the_middle, place_beyond_the_end, place_beyond_the_end_asked_first),
    *(counter_from_3_by_2, counter_that_is_changed, counter_that_is_asked_twice, no_turn, stopped, stopped_with_else),
    *(going_down, nested, checked),
]
SPECS = [InputSpec([3], "float32", "x"), InputSpec([], "int64", "n")]


def outcome(function, *operands):
    try:
        found = function(*operands)
    except Exception as error:
        return type(error).__name__, str(error)[:7]
    parts = found if isinstance(found, (tuple, list)) else [found]
    return [np.asarray(part.numpy() if isinstance(part, dy2st.Tensor) else part).tolist() for part in parts]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_as_in_plain_python(function, tmp_path):
    dy2st.onnx.export(dy2st.jit.to_static(function, SPECS), tmp_path / "m")
    session = dy2st.onnx.Session(tmp_path / "m.onnx")
    x = np.array([1.0, 2.0, 3.0], "float32")
    for n in (-1, 0, 1, 2, 3, 5, 7, 12, 30):
        n = np.array(n)
        want = outcome(function, dy2st.to_tensor(x), dy2st.to_tensor(n))
        found = outcome(session, x, n)
        assert want[0] == found[0] if want[0] == "IndexError" else want == found, n


def loop_of(function, specs, tmp_path):
    dy2st.onnx.export(dy2st.jit.to_static(function, specs), tmp_path / "m")
    (loop,) = [node for node in onnx.load(tmp_path / "m.onnx").graph.node if node.op_type == "Loop"]
    return loop, [node.op_type for node in next(a.g for a in loop.attribute if a.name == "body").node]


def test_a_bound_costs_no_node(tmp_path):
    loop, body = loop_of(tensor_first, SPECS, tmp_path)
    assert body == ["Mul", "ReduceSum", "Less"]
    assert len(loop.input) == 3  # the bound, the first condition, x


def test_a_bool_that_is_asked_costs_no_node(tmp_path):
    loop, body = loop_of(stopped_with_else, SPECS, tmp_path)
    assert len([kind for kind in body if kind in ("Or", "And", "If")]) == 0

"""The guide, section 8: the normal forms of control flow, lists in loops, shapes."""

from __future__ import annotations

import re

import numpy as np

import dy2st as paddle
from dy2st.jit import to_static
from dy2st.static import InputSpec

X = np.random.default_rng(8).standard_normal((3, 4), dtype=np.float32)
SPEC = [InputSpec([None, 4], "float32", "x")]


def branch(x):
    if paddle.mean(x) > 5.0:
        out = x - 1.0
    else:
        out = x + 1.0
    return out


def collect(x):
    bs = paddle.shape(x)[0]
    outs = []
    for i in range(bs):
        outs.append(x)
    return outs


def collect_nested(x):
    bs = paddle.shape(x)[0]
    outs = [[]]
    for i in range(bs):
        outs[0].append(x)
    return outs


def collect_by_shape(x):
    bs = x.shape[0]
    outs = []
    for i in range(bs):
        outs.append(x[i] * i)
    return outs


def collect_python(x):
    outs = []
    for i in range(3):
        outs.append(x * i)
    return outs


def test_section_8_an_if_becomes_convert_ifelse(agree):
    """8. Control flow again: an if is rewritten to convert_ifelse(pred, true_fn_0, false_fn_0, ...)."""
    code = to_static(branch, input_spec=SPEC).code
    assert "def true_fn_0(" in code and "def false_fn_0(" in code
    pred = "_jst.call(paddle.mean)(x) > 5.0"
    assert f"out = _jst.convert_ifelse({pred}, true_fn_0, false_fn_0, (" in code, code
    agree(lambda: branch, SPEC, [X], [X + 10.0])


def test_section_8_the_pred_is_recorded_once():
    """8. One If in the Program, both branches inside."""
    program = str(to_static(branch, input_spec=SPEC).concrete_program.main_program)
    assert program.count(" if") == 1 or len(re.findall(r"\bif\b", program)) >= 1
    assert "subtract" in program and "add" in program


def test_section_8_1_append_in_a_tensor_loop(agree):
    """8.1 list and LoDTensorArray: outs.append(x) in a tensor-bounded for becomes a tensor array in convert_while_loop."""
    static = to_static(collect, input_spec=SPEC)
    assert re.search(r"_jst\.convert_while_loop\(None, for_body_0, \[", static.code), static.code
    assert "list<float32[" in str(static.concrete_program.main_program)
    agree(lambda: collect, SPEC, [X], [X[:1]], [X[:0]])


def test_section_8_1_a_nested_list(agree):
    """8.1 The guide refuses `outs = [[]]`; here it works."""
    agree(lambda: collect_nested, SPEC, [X], [X[:0]])


def test_section_8_1_a_python_loop_keeps_a_python_list(same):
    """8.1 A list becomes a tensor array only where the control flow depends on a Tensor."""
    static = to_static(collect_python, input_spec=SPEC)
    assert "while" not in str(static.concrete_program.main_program)
    same([X * 0, X * 1, X * 2], static(paddle.to_tensor(X)))


def test_section_8_2_x_shape_of_an_unknown_dim(agree):
    """8.2 x.shape and paddle.shape(x): both follow the real batch size."""
    agree(lambda: collect_by_shape, SPEC, [X], [X[:1]], [X[:0]])

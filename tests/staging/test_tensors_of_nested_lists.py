"""A list of lists of numbers whose lengths only the Program knows becomes a tensor, as in plain Python, or an error."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

SPECS = [InputSpec([None, 3], "float32", "x"), InputSpec([], "int64", "k")]


def rows_of(x, k):
    rows = [[1] for _ in range(x.shape[0])]
    for i in range(len(rows)):
        for _ in range(int(k)):
            rows[i].append(i)
        if k > 2 and i > 0:
            rows[i].append(7)
    return rows


def two_axes(x, k):
    return paddle.to_tensor(rows_of(x, k), dtype="int64")


def three_axes(x, k):
    return paddle.to_tensor([[[float(i)] * 2 for i in range(int(k))] for _ in range(x.shape[0])], dtype="float32")


def grown(x, k):
    rows = []
    while len(rows) < k:
        rows.append([float(len(rows)), len(rows) * 2.5])
    return paddle.to_tensor(rows) * x.sum()


GIVEN = [(4, 0), (4, 2), (1, 3), (2, 1)]


@pytest.mark.parametrize("function", [two_axes, three_axes, grown], ids=lambda function: function.__name__)
def test_a_rectangle(function, tmp_path):
    static = paddle.jit.to_static(function, input_spec=SPECS)
    paddle.jit.save(static, str(tmp_path / "net"))
    loaded = paddle.jit.load(str(tmp_path / "net"))
    for n, k in GIVEN:
        x, count = paddle.to_tensor(np.ones((n, 3), np.float32)), paddle.to_tensor(k)
        for form in (static, loaded):
            if k == 0 and function is not two_axes:  # no lists, no axis for what they would hold
                with pytest.raises(ValueError, match="makes a tensor of another rank"):
                    form(x, count)
                continue
            expected = function(x, count)
            assert (form(x, count).tolist(), form(x, count).dtype) == (expected.tolist(), expected.dtype)


def test_lists_of_several_lengths_are_an_error_in_words_of_the_user():
    static = paddle.jit.to_static(two_axes, input_spec=SPECS)
    with pytest.raises(ValueError, match="don't form a rectangle"):
        static(paddle.ones([4, 3]), paddle.to_tensor(3))
    with pytest.raises(ValueError, match="don't form a rectangle"):
        two_axes(paddle.ones([4, 3]), paddle.to_tensor(3))

"""Values that exist, or have a kind, on some paths only."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.jit import to_static
from dy2st.static import InputSpec

X = np.array([1.0, 2.0], np.float32)
SPEC = [InputSpec([2], "float32", "x")]


def bound_on_one_path(x):
    if x.sum() > 0:
        y = x * 2.0
    if x.sum() > 1:
        return y
    return x


def read_where_unbound(x):
    if x.sum() > 0:
        y = x * 2.0
    return y


def none_on_one_path(x):
    y = None
    if x.sum() > 0:
        y = x + 1.0
    if y is None:
        return x - 1.0
    return y


def none_as_the_result(x):
    if x.sum() > 0:
        return x
    return None


def arity_follows_the_path(x):
    if x.sum() > 0:
        return x, x + 1.0
    return x


def length_follows_the_path(x):
    if x.sum() > 0:
        pair = (x, x + 1.0)
    else:
        pair = (x,)
    return pair, len(pair)


def test_a_name_bound_on_one_path(agree):
    agree(lambda: bound_on_one_path, SPEC, [X], [-X])


def test_an_unbound_name_raises_what_python_raises(tmp_path, same):
    static = to_static(read_where_unbound, input_spec=SPEC)
    same(X * 2, static(paddle.to_tensor(X)))
    with pytest.raises(UnboundLocalError, match="y"):
        static(paddle.to_tensor(-X))
    paddle.jit.save(static, str(tmp_path / "unbound"))
    loaded = paddle.jit.load(str(tmp_path / "unbound"))
    same(X * 2, loaded(paddle.to_tensor(X)))
    with pytest.raises(UnboundLocalError, match="y"):
        loaded(paddle.to_tensor(-X))


def test_none_on_one_path(agree):
    agree(lambda: none_on_one_path, SPEC, [X], [-X])


def test_none_as_the_result_of_one_path(agree):
    agree(lambda: none_as_the_result, SPEC, [X], [-X])


def test_a_result_whose_arity_follows_the_path(agree):
    agree(lambda: arity_follows_the_path, SPEC, [X], [-X])


def test_a_tuple_whose_length_follows_the_path(agree):
    agree(lambda: length_follows_the_path, SPEC, [X], [-X])

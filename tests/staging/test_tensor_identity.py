"""`a is b` of tensors: answered where staging can tell, else refused in words rather than answered wrongly."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import NUMBER, VECTOR, assert_agrees


def known(x, n):
    items, table = [x, x + 1], {"k": x}
    y = table["k"]
    return y is x, items[0] is x, items[1] is not x, x + 0 is x, x.clone() is x, (None if n > 0 else 1) is None, items is table


def after_a_branch(x, n):
    y = x if n > 0 else x + 1
    return y is x


def in_a_loop(x, n):
    last = None
    for _ in range(n):
        if last is x:
            return 1
        last = x
    return 2


def in_a_staged_list(x, n):
    items = [x]
    for _ in range(n):
        items.append(x + 1)
    return items[0] is not x


def an_optional_tensor(x, n):
    found = None
    if n > 0:
        found = x
    return found is x


def two_arguments(x, y):
    return x * 2 if x is y else x


def test_what_staging_can_tell():
    assert_agrees(known)


def test_what_each_path_can_tell():
    assert_agrees(an_optional_tensor)


@pytest.mark.parametrize("function", [after_a_branch, in_a_loop, in_a_staged_list])
def test_what_depends_on_the_path_is_refused(function):
    with pytest.raises(ConversionError, match=r"test_tensor_identity.py:\d+: whether these two tensors are one object"):
        paddle.jit.to_static(function, input_spec=[VECTOR, NUMBER]).concrete_program


def test_one_tensor_may_be_passed_twice():
    x = paddle.to_tensor(np.array([1.0], np.float32))
    with pytest.raises(ConversionError, match=r"compare what they hold, \(a == b\).all\(\), or keep an index or a flag"):
        paddle.jit.to_static(two_arguments)(x, x)

"""Functions that leave their result in their first operand, and those that give it another shape or dtype."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

START = [[0.2, 0.4, 0.6], [0.3, 0.5, 0.7]]


def leaf():
    return dy2st.to_tensor(START, stop_gradient=False)


def test_the_memory_stays_and_is_counted():
    x = dy2st.to_tensor(START)
    array = x.numpy()
    assert x.log_() is x and x.numpy() is array and x.inplace_version == 1
    np.testing.assert_allclose(array, np.log(np.float32(START)), rtol=1e-6)


def test_gradients_are_those_of_the_function_on_what_was_there():
    x, other = leaf(), leaf()
    (x * 1).log_().asin_().sum().backward()
    dy2st.asin(dy2st.log(other * 1)).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), other.grad.numpy())


def test_another_shape_keeps_memory_and_history():
    x = leaf()
    h = x * 2
    array = h.numpy()
    assert h.unsqueeze_(0) is h and h.shape == [1, 2, 3]
    h.reshape_([3, 2]).transpose_([1, 0])
    assert h.shape == [2, 3] and np.shares_memory(h.numpy(), array)
    h.flatten_()
    h.add_(1.0)
    (h * dy2st.arange(6, dtype="float32")).sum().backward()
    turned = np.arange(6, dtype="float32").reshape(2, 3).T.reshape(2, 3)
    np.testing.assert_allclose(x.grad.numpy(), turned * 2)


def test_another_shape_of_a_view_still_writes_into_its_base():
    x = leaf()
    h = x * 1
    row = h[0]
    row.unsqueeze_(0)
    row.add_(dy2st.ones([1, 3]))
    np.testing.assert_allclose(h.numpy()[0], np.float32(START)[0] + 1)
    (h * h).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * h.numpy())


def test_a_view_of_what_has_taken_another_shape_is_refused():
    h = leaf() * 1
    row = h[:, 0]
    h.transpose_([1, 0])
    h.add_(1.0)
    with pytest.raises((RuntimeError, ValueError, IndexError)):
        (row * 2).sum().backward()


def test_another_dtype():
    x = dy2st.to_tensor(START)
    assert x.less_than_(dy2st.full([2, 3], 0.45)) is x
    np.testing.assert_array_equal(x.numpy(), np.float32(START) < 0.45)
    assert dy2st.to_tensor([1.5]).cast_("int32").dtype == "int32"


def test_a_leaf_refuses():
    for write in (lambda x: x.sin_(), lambda x: x.reshape_([6]), lambda x: x.cast_("float64")):
        with pytest.raises(RuntimeError, match="leaf tensor"):
            write(leaf())


def test_what_has_no_gradient_says_so():
    with pytest.raises(RuntimeError, match="floor_divide_ has no gradient"):
        (leaf() * 1).floor_divide_(2.0)


def made_inside(x):
    y = x * 2
    y.reshape_([6])
    z = y.clone()
    z.log_().unsqueeze_(0)
    return y, z


def an_input(x):
    x.unsqueeze_(0)
    return x


def in_a_branch(x):
    y = x * 2
    if x.sum() > 0:
        y.reshape_([6])
    return y


def test_recorded():
    x = dy2st.to_tensor(START)
    static = dy2st.jit.to_static(made_inside, input_spec=[InputSpec([2, 3])])
    for given, expected in zip(static(x), made_inside(x)):
        assert given.shape == expected.shape
        np.testing.assert_array_equal(given.numpy(), expected.numpy())


@pytest.mark.parametrize("function", [an_input, in_a_branch])
def test_another_shape_is_refused_where_others_would_see_the_old_one(function):
    with pytest.raises(ConversionError, match="write x = x"):
        dy2st.jit.to_static(function, input_spec=[InputSpec([2, 3])])(dy2st.to_tensor(START))

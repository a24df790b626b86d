"""gather, scatter, masks against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st

ARRAY = np.arange(12, dtype="float32").reshape(3, 4)
X = dy2st.to_tensor(ARRAY)


def T(value):
    return dy2st.to_tensor(np.asarray(value))


def test_gather_along_axes():
    np.testing.assert_array_equal(dy2st.gather(X, T([2, 0])).numpy(), ARRAY[[2, 0]])
    np.testing.assert_array_equal(dy2st.gather(X, T([1, 1]), axis=1).numpy(), ARRAY[:, [1, 1]])
    np.testing.assert_array_equal(dy2st.index_select(X, T([3]), axis=-1).numpy(), ARRAY[:, [3]])
    np.testing.assert_array_equal(dy2st.gather_nd(X, T([[0, 1], [2, 3]])).numpy(), ARRAY[[0, 2], [1, 3]])
    np.testing.assert_array_equal(dy2st.gather_nd(X, T([[2]])).numpy(), ARRAY[[2]])


def test_take_and_put_along_an_axis():
    indices = np.array([[0, 3], [1, 1], [2, 0]])
    np.testing.assert_array_equal(dy2st.take_along_axis(X, T(indices), 1).numpy(), np.take_along_axis(ARRAY, indices, 1))
    broadcast = dy2st.take_along_axis(X, T([[2]]), 1)
    np.testing.assert_array_equal(broadcast.numpy(), ARRAY[:, [2]])
    expected = ARRAY.copy()
    np.put_along_axis(expected, indices, 9.0, 1)
    np.testing.assert_array_equal(dy2st.put_along_axis(X, T(indices), 9.0, 1).numpy(), expected)
    added = dy2st.put_along_axis(X, T([[0, 0]] * 3), T(np.ones((3, 2), "float32")), 1, reduce="add")
    np.testing.assert_array_equal(added.numpy(), ARRAY + np.eye(4)[0] * 2)


def test_scatter_overwrites_or_adds():
    rows, updates = T([1, 0, 1]), T(np.array([[1.0] * 4, [2.0] * 4, [3.0] * 4], "float32"))
    assert dy2st.scatter(X, rows, updates).numpy()[:2].tolist() == [[2] * 4, [3] * 4]
    assert dy2st.scatter(X, rows, updates, overwrite=False).numpy()[:2].tolist() == [[2] * 4, [4] * 4]
    assert dy2st.index_add(X, T([2, 2]), 0, updates[:2]).numpy()[2].tolist() == (ARRAY[2] + 3).tolist()
    assert dy2st.scatter_nd_add(X, T([[0, 0], [0, 0]]), T(np.array([1, 2], "float32"))).numpy()[0, 0] == 3


def test_masks():
    mask = T([True, False, True, False])
    np.testing.assert_array_equal(dy2st.masked_select(X, mask).numpy(), ARRAY[:, [0, 2]].reshape(-1))
    np.testing.assert_array_equal(dy2st.masked_fill(X, mask, -1.0).numpy(), np.where(mask.numpy(), -1, ARRAY))
    assert dy2st.nonzero(T([0, 3, 4])).tolist() == [[1], [2]]
    assert [v.tolist() for v in dy2st.nonzero(X > 9, as_tuple=True)] == [[2, 2], [2, 3]]


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda: dy2st.gather(X, T([5])), IndexError, "out of bounds"),
        (lambda: dy2st.gather(X, T([0.5])), TypeError, "integers"),
        (lambda: dy2st.masked_select(X, X), TypeError, "bools"),
        (lambda: dy2st.take_along_axis(X, T([1]), 0), ValueError, "as many axes"),
        (lambda: dy2st.put_along_axis(X, T([[0]]), 1.0, 0, reduce="max"), ValueError, "one of assign, add"),
    ],
)
def test_errors_say_what_is_wrong(function, error, words):
    with pytest.raises(error, match=words):
        function()

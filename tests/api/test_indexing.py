"""x[index] and x[index] = value against NumPy; what is a view; what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st

ARRAY = np.arange(60, dtype="float32").reshape(3, 4, 5)
PICK = np.array([2, 0, 2])

PLAIN = {
    "int": (1,),
    "negative": (-1, slice(None), -2),
    "slices": (slice(1, None), slice(None, -1), slice(None, None, 2)),
    "backwards": (slice(None, None, -1), slice(3, 0, -2)),
    "ellipsis": (Ellipsis, 0),
    "middle ellipsis": (0, Ellipsis, slice(1, 3)),
    "newaxis": (None, 0, None, Ellipsis),
    "element": (0, 1, 2),
    "empty": (slice(2, 1),),
    "numpy int": (np.int64(2),),
}
PICKED = {
    "vector": (PICK,),
    "after slice": (slice(None), PICK),
    "two side by side": (slice(None), PICK, np.array([0, 4, 1])),
    "two apart": (PICK, slice(None), np.array([0, 4, 1])),
    "broadcast": (PICK[:, None], np.array([0, 1])),
    "mask": (ARRAY > 30,),
    "mask of one axis": (slice(None), np.array([True, False, True, True])),
    "mask of two axes": (ARRAY[..., 0] > 30,),
    "list": ([0, 2],),
    "list of bools": ([True, False, True],),
    "empty list": ([],),
    "one": (np.array(1),),
}


def as_key(index: tuple):
    items = tuple(dy2st.to_tensor(i) if isinstance(i, np.ndarray) else i for i in index)
    return items if len(items) > 1 else items[0]


@pytest.mark.parametrize("index", [*PLAIN.values(), *PICKED.values()], ids=[*PLAIN, *PICKED])
def test_reading_is_numpys(index):
    x = dy2st.to_tensor(ARRAY)
    np.testing.assert_array_equal(x[as_key(index)].numpy(), ARRAY[index])


@pytest.mark.parametrize("index", [*PLAIN.values(), *PICKED.values()], ids=[*PLAIN, *PICKED])
def test_writing_is_numpys(index):
    x, expected = dy2st.to_tensor(ARRAY.copy()), ARRAY.copy()
    part = expected[index]
    value = np.arange(part.size, dtype="float64").reshape(part.shape) * 0.5
    expected[index] = value
    x[as_key(index)] = dy2st.to_tensor(value)
    np.testing.assert_array_equal(x.numpy(), expected)
    x[as_key(index)] = -1
    expected[index] = -1
    np.testing.assert_array_equal(x.numpy(), expected)


@pytest.mark.parametrize("index", PLAIN.values(), ids=PLAIN)
def test_a_plain_subscript_is_a_view(index):
    x = dy2st.to_tensor(ARRAY.copy())
    view = x[as_key(index)]
    assert view.numpy().size == 0 or np.shares_memory(view.numpy(), x.numpy())


@pytest.mark.parametrize("index", PICKED.values(), ids=PICKED)
def test_an_index_tensor_copies(index):
    x = dy2st.to_tensor(ARRAY.copy())
    assert not np.shares_memory(x[as_key(index)].numpy(), x.numpy())


def test_an_int_beside_an_index_tensor_is_taken_first():
    x = dy2st.to_tensor(ARRAY)
    np.testing.assert_array_equal(x[0, :, dy2st.to_tensor(PICK)].numpy(), ARRAY[0][:, PICK])


def test_slice_bounds_may_be_tensors():
    x = dy2st.to_tensor(ARRAY)
    np.testing.assert_array_equal(x[dy2st.to_tensor(1) :].numpy(), ARRAY[1:])


def test_writing_a_view_writes_its_base_and_counts():
    x = dy2st.zeros([2, 3])
    row = x[1]
    row[0] = 5.0
    assert x.numpy().tolist() == [[0, 0, 0], [5, 0, 0]]
    assert x.inplace_version == row.inplace_version == 1


def test_gradient_of_a_write_reaches_value_and_rest():
    x = dy2st.ones([2, 3])
    x.stop_gradient = False
    value = dy2st.to_tensor([2.0, 3.0, 4.0], stop_gradient=False)
    y = x * 3
    y[0] = value
    (y * y).sum().backward()
    assert x.grad.numpy().tolist() == [[0, 0, 0], [18, 18, 18]]
    assert value.grad.numpy().tolist() == [4, 6, 8]


def test_iteration_gives_the_slices():
    rows = list(dy2st.to_tensor(ARRAY))
    assert len(rows) == 3
    np.testing.assert_array_equal(rows[2].numpy(), ARRAY[2])
    with pytest.raises(TypeError, match="0-d"):
        iter(dy2st.to_tensor(1.0))


@pytest.mark.parametrize(
    ("key", "error", "words"),
    [
        ("a", TypeError, "not by str 'a'"),
        (1.5, TypeError, "not by float 1.5"),
        (slice(0, 1.5), TypeError, "a bound must be an int"),
        ((0, 0, 0, 0), ValueError, "4 indices for float32"),
        (7, IndexError, "out of bounds"),
        ((Ellipsis, Ellipsis), IndexError, "one ellipsis"),
    ],
)
def test_bad_subscripts(key, error, words):
    with pytest.raises(error, match=words):
        dy2st.to_tensor(ARRAY)[key]


def test_bad_values():
    x = dy2st.zeros([2, 3])
    with pytest.raises(ValueError, match=r"shape \[4\] doesn't broadcast to the part of shape \[3\]"):
        x[0] = dy2st.ones([4])
    with pytest.raises(TypeError, match="value takes a Tensor|takes a Tensor or a number"):
        x[0] = "text"
    with pytest.raises(RuntimeError, match="read-only"):
        dy2st.expand(x, [4, 2, 3])[0] = 1.0

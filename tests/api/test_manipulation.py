"""Shapes, joins and repetitions against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st

ARRAY = np.arange(24, dtype="float32").reshape(2, 3, 4)


def given():
    return dy2st.to_tensor(ARRAY.copy())


def check(tensor, expected):
    np.testing.assert_array_equal(tensor.numpy(), expected)


CASES = {
    "reshape": (lambda x: x.reshape([4, -1]), ARRAY.reshape(4, -1)),
    "reshape keeps": (lambda x: dy2st.reshape(x, [0, -1]), ARRAY.reshape(2, -1)),
    "reshape by tensor": (lambda x: dy2st.reshape(x, dy2st.to_tensor([6, 4])), ARRAY.reshape(6, 4)),
    "reshape_as": (lambda x: x.reshape_as(dy2st.zeros([12, 2])), ARRAY.reshape(12, 2)),
    "flatten": (lambda x: dy2st.flatten(x, 1), ARRAY.reshape(2, 12)),
    "squeeze": (lambda x: dy2st.squeeze(x[:1]), ARRAY[0]),
    "squeeze axis": (lambda x: x[:1].squeeze([0, 1]), ARRAY[0]),
    "unsqueeze": (lambda x: x.unsqueeze([0, -1]), ARRAY[None, ..., None]),
    "transpose": (lambda x: x.transpose([2, 0, 1]), ARRAY.transpose(2, 0, 1)),
    "T": (lambda x: x.T, ARRAY.T),
    "moveaxis": (lambda x: dy2st.moveaxis(x, [0, 1], [2, 0]), np.moveaxis(ARRAY, [0, 1], [2, 0])),
    "swapaxes": (lambda x: dy2st.swapaxes(x, 0, -1), ARRAY.swapaxes(0, -1)),
    "expand": (lambda x: dy2st.expand(x[:, :1], [5, 2, 3, -1]), np.broadcast_to(ARRAY[:, :1], (5, 2, 3, 4))),
    "expand_as": (lambda x: x[:, :1].expand_as(x), np.broadcast_to(ARRAY[:, :1], (2, 3, 4))),
    "tile": (lambda x: dy2st.tile(x, [2, 1, 3]), np.tile(ARRAY, [2, 1, 3])),
    "repeat_interleave": (lambda x: dy2st.repeat_interleave(x, 2, 1), ARRAY.repeat(2, 1)),
    "repeat flattened": (lambda x: dy2st.repeat_interleave(x, 2), ARRAY.repeat(2)),
    "flip": (lambda x: x.flip([0, 2]), np.flip(ARRAY, (0, 2))),
    "roll": (lambda x: dy2st.roll(x, 1, 2), np.roll(ARRAY, 1, 2)),
    "concat": (lambda x: dy2st.concat([x, x[:, :1]], axis=1), np.concatenate([ARRAY, ARRAY[:, :1]], 1)),
    "stack": (lambda x: dy2st.stack([x, x], axis=-1), np.stack([ARRAY, ARRAY], -1)),
    "slice": (lambda x: dy2st.slice(x, [0, 2], [1, -3], [2, 4]), ARRAY[1:2, :, -3:4]),
    "strided_slice": (lambda x: dy2st.strided_slice(x, [2], [3], [0], [-2]), ARRAY[:, :, 3:0:-2]),
}


@pytest.mark.parametrize(("function", "expected"), CASES.values(), ids=CASES)
def test_against_numpy(function, expected):
    check(function(given()), expected)


VIEWS = (
    "reshape",
    "flatten",
    "squeeze",
    "unsqueeze",
    "transpose",
    "T",
    "moveaxis",
    "swapaxes",
    "expand",
    "slice",
    "strided_slice",
)


@pytest.mark.parametrize("name", VIEWS)
def test_these_share_memory(name):
    x = given()
    assert np.shares_memory(CASES[name][0](x).numpy(), x.numpy())


def test_reshape_copies_only_where_it_must():
    x = given()
    assert not np.shares_memory(x.T.reshape([-1]).numpy(), x.numpy())


def test_split_in_equal_parts_and_by_sections():
    x = given()
    for part, expected in zip(dy2st.split(x, 2, axis=2), np.split(ARRAY, 2, 2)):
        check(part, expected)
    assert [p.shape for p in dy2st.split(x, [1, -1], axis=1)] == [[2, 1, 4], [2, 2, 4]]
    assert len(dy2st.chunk(x, 3, axis=1)) == 3
    dy2st.split(x, 2)[0][...] = 0.0
    assert x.numpy()[0].max() == 0


def test_unbind_and_unstack():
    for part, expected in zip(dy2st.unbind(given(), 1), ARRAY.transpose(1, 0, 2)):
        check(part, expected)
    assert len(dy2st.unstack(given())) == 2


def test_meshgrid():
    a, b = np.arange(2.0), np.arange(3.0)
    for tensor, expected in zip(dy2st.meshgrid(dy2st.to_tensor(a), dy2st.to_tensor(b)), np.meshgrid(a, b, indexing="ij")):
        check(tensor, expected)


def test_dtypes_are_promoted_where_tensors_join():
    joined = dy2st.concat([dy2st.to_tensor([1, 2]), dy2st.to_tensor([0.5])])
    assert joined.dtype == "float32" and joined.tolist() == [1, 2, 0.5]


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda x: x.reshape([5, -1]), ValueError, "doesn't divide"),
        (lambda x: x.reshape([-1, -1]), ValueError, "at most one -1"),
        (lambda x: x.reshape([2.5]), TypeError, "must be an int"),
        (lambda x: x.transpose([0, 1]), ValueError, "each axis"),
        (lambda x: dy2st.concat([x, x[0]]), ValueError, "don't go together"),
        (lambda x: dy2st.concat([]), TypeError, "non-empty list"),
        (lambda x: dy2st.stack([x, x[:, 1:]]), ValueError, "don't go together"),
        (lambda x: dy2st.split(x, 2, axis=1), ValueError, "doesn't divide into 2 parts"),
        (lambda x: dy2st.split(x, [1, 1], axis=1), ValueError, "add up"),
        (lambda x: x.expand([2, 2, 4]), ValueError, "expanded|broadcast"),
        (lambda x: dy2st.reshape([1, 2], [2]), TypeError, "must be a Tensor"),
        (lambda x: dy2st.flip(x, 5), ValueError, "axis 5"),
    ],
)
def test_errors_say_what_is_wrong(function, error, words):
    with pytest.raises(error, match=words):
        function(given())


@pytest.mark.parametrize("name", ["reshape", "transpose", "expand", "tile", "squeeze", "flip"])
def test_numbers_given_one_by_one_are_not_taken_for_a_name(name):
    with pytest.raises(TypeError, match=rf"write {name}\(\[1, 0\]\)"):
        getattr(dy2st.ones([1, 1]), name)(1, 0)

"""Making tensors: dtypes, shapes, copies, errors."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pytest

import dy2st


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        (1, "int64", []),
        (1.5, "float32", []),
        (True, "bool", []),
        (1j, "complex64", []),
        ([1, 2], "int64", [2]),
        ([[1.0, 2], [3, 4]], "float32", [2, 2]),
        ((1.0, True), "float32", [2]),
        (np.ones(2), "float64", [2]),
        (np.ones(2, "int32"), "int32", [2]),
        (np.float64(2), "float64", []),
        ([np.float64(2)], "float32", [1]),
        ([], "float32", [0]),
    ],
)
def test_to_tensor(data, dtype, shape):
    x = dy2st.to_tensor(data)
    assert x.dtype == dtype and x.shape == shape and x.stop_gradient
    np.testing.assert_array_equal(x.numpy(), np.asarray(data, dtype))


def test_to_tensor_copies():
    array = np.zeros(2)
    x = dy2st.to_tensor(array)
    y = dy2st.to_tensor(x)
    array += 1
    x.add_(2.0)
    np.testing.assert_array_equal(y.numpy(), [0, 0])
    np.testing.assert_array_equal(x.numpy(), [2, 2])


def test_to_tensor_of_lists_that_hold_tensors():
    x = dy2st.to_tensor([[dy2st.to_tensor(1.0), 2.0], [3, dy2st.to_tensor(4.0)]])
    np.testing.assert_array_equal(x.numpy(), [[1, 2], [3, 4]])
    assert x.dtype == "float32"


@pytest.mark.parametrize("data", ["text", None, [1, "a"], object()])
def test_to_tensor_refuses_what_is_no_number(data):
    with pytest.raises(TypeError, match="to_tensor takes numbers"):
        dy2st.to_tensor(data)


def test_to_tensor_of_an_array_in_the_other_byte_order():
    made = dy2st.to_tensor(np.array([1.5, 2.0], ">f4"))
    assert made.dtype is dy2st.float32 and made.tolist() == [1.5, 2.0]


def test_to_tensor_names_a_dtype_that_there_is_not():
    with pytest.raises(TypeError, match="no dtype for uint32"):
        dy2st.to_tensor(np.array([1], np.uint32))


def test_to_tensor_refuses_ragged_lists():
    with pytest.raises(ValueError, match="don't form a rectangle"):
        dy2st.to_tensor([[1, 2], [3]])
    with pytest.raises(TypeError, match="'float33' is not a dtype"):
        dy2st.to_tensor(1, dtype="float33")


@pytest.mark.parametrize(
    ("args", "dtype"),
    [((5,), "int64"), ((1, 5), "int64"), ((1, 5, 2), "int64"), ((0.0, 1.0, 0.25), "float32"), ((5, 0, -1), "int64")],
)
def test_arange(args, dtype):
    x = dy2st.arange(*args)
    assert x.dtype == dtype
    np.testing.assert_array_equal(x.numpy(), np.arange(*args))


def test_full_and_its_kin():
    assert dy2st.full([2, 3], 1).dtype == "float32"
    assert dy2st.full([2], True).dtype == "bool"
    assert dy2st.full([2], 1.5).dtype == "float32"
    assert dy2st.full([], dy2st.to_tensor(3)).item() == 3
    assert dy2st.zeros([dy2st.to_tensor(2), 3]).shape == [2, 3]
    assert dy2st.ones(dy2st.to_tensor([2, 3])).shape == [2, 3]
    assert dy2st.ones_like(dy2st.to_tensor([1, 2]), dtype="float64").dtype == "float64"
    np.testing.assert_array_equal(dy2st.eye(2, 3).numpy(), np.eye(2, 3))
    np.testing.assert_allclose(dy2st.linspace(0, 1, 5).numpy(), np.linspace(0, 1, 5))
    np.testing.assert_array_equal(dy2st.tril(dy2st.ones([3, 3]), -1).numpy(), np.tril(np.ones((3, 3)), -1))


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="can't be negative, but -1 is"):
        dy2st.zeros([2, -1])
    with pytest.raises(TypeError, match="each of shape must be an int, not float 1.5"):
        dy2st.ones([1.5])
    with pytest.raises(TypeError, match="shape must be an int or a list of ints, not str"):
        dy2st.ones("a")
    with pytest.raises(ValueError, match="step must not be 0"):
        dy2st.arange(0, 5, 0)


def test_one_hot():
    x = dy2st.to_tensor([0, 2])
    np.testing.assert_array_equal(dy2st.one_hot(x, 3).numpy(), [[1, 0, 0], [0, 0, 1]])
    assert dy2st.one_hot(x).shape == [2, 3]
    with pytest.raises(TypeError, match="integer classes"):
        dy2st.one_hot(dy2st.ones([2]), 3)


def test_assign_and_set_value():
    x = dy2st.to_tensor([1.0, 2.0], stop_gradient=False)
    y = dy2st.assign(x)
    assert not y.stop_gradient and not np.shares_memory(x.numpy(), y.numpy())
    out = dy2st.zeros([2])
    assert dy2st.assign(np.array([5.0, 6.0]), out) is out and out.dtype == "float32"
    array = x.numpy()
    x.set_value(np.array([7, 8]))
    np.testing.assert_array_equal(array, [7, 8])
    dy2st.assign(dy2st.to_tensor([3.0, 4.0]), x)
    np.testing.assert_array_equal(array, [3, 4])
    assert x.is_leaf and not x.stop_gradient
    with pytest.raises(RuntimeError, match="leaf"):
        dy2st.assign(y * 2, x)
    with pytest.raises(ValueError, match=r"shape is \[3\], not \[2\]"):
        x.set_value(np.zeros(3))


def test_deepcopy_copies_leaves_only():
    x = dy2st.to_tensor([1.0], stop_gradient=False)
    y = copy.deepcopy(x)
    y.stop_gradient = True
    y.add_(1.0)
    assert x.item() == 1.0 and not x.stop_gradient
    with pytest.raises(RuntimeError, match="only leaf tensors"):
        copy.deepcopy(x * 2)


def test_random_numbers_repeat_after_seed():
    def draw():
        return [
            dy2st.rand([3]).tolist(),
            dy2st.randn([3]).tolist(),
            dy2st.uniform([2], min=5.0, max=6.0).tolist(),
            dy2st.normal(2.0, 0.1, [2]).tolist(),
            dy2st.randint(0, 10, [4]).tolist(),
            dy2st.randperm(5).tolist(),
            dy2st.bernoulli(dy2st.full([4], 0.5)).tolist(),
            dy2st.zeros([2]).uniform_().tolist(),
        ]

    dy2st.seed(7)
    state = dy2st.get_rng_state()
    first = draw()
    assert draw() != first
    dy2st.seed(7)
    assert draw() == first
    dy2st.set_rng_state(state)
    assert draw() == first
    with pytest.raises(ValueError, match="non-negative"):
        dy2st.seed(-1)


@pytest.mark.parametrize("draw", [dy2st.rand, dy2st.randn, dy2st.uniform])
def test_fractions_are_not_drawn_as_integers(draw):
    with pytest.raises(TypeError, match="not int64"):
        draw([2], dtype="int64")


def test_random_numbers_have_their_moments():
    dy2st.seed(0)
    x = dy2st.randn([20_000])
    assert abs(x.mean().item()) < 0.03 and abs(x.std().item() - 1) < 0.03 and x.dtype == "float32"
    y = dy2st.uniform([20_000], min=2.0, max=4.0)
    assert 2 <= y.min().item() < 2.01 and 3.99 < y.max().item() <= 4
    z = dy2st.randint(3, shape=[20_000])
    assert sorted(set(z.tolist())) == [0, 1, 2] and z.dtype == "int64"
    assert sorted(dy2st.randperm(100).tolist()) == list(range(100))


def of_a_constant(x):
    return x + dy2st.to_tensor([1.0, 2.0])


def of_places(x):
    places = []
    for row in x:
        place = int(row.argmax())
        if place == 1:
            break
        places.append(place)
    return dy2st.to_tensor(places, "int64")


@pytest.mark.parametrize("function, is_told", [(of_a_constant, True), (of_places, False)])
def test_a_hint_is_for_what_every_call_makes_anew_of_the_same_numbers(function, is_told):
    static = dy2st.jit.to_static(function, input_spec=[dy2st.static.InputSpec([2, 2], "float32")])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        static(dy2st.ones([2, 2]))
    assert any("to_tensor of a constant" in str(warning.message) for warning in told) == is_told

"""DLPack both ways: what is shared is one memory, what can't be is copied or refused in words."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from interop.kinds import MAKERS, Plain, foreign

import dy2st as paddle
from dy2st.errors import ConversionError, DTypeError, StagedValueError
from dy2st.utils.dlpack import from_dlpack, to_dlpack

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"]
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch isn't installed")
OLD = np.lib.NumpyVersion(np.__version__) < "2.1.0"
tells_read_only = pytest.mark.skipif(OLD, reason="NumPy 2.0 doesn't tell what is read-only, and takes everything for it")
needs_bfloat16 = pytest.mark.skipif(find_spec("ml_dtypes") is None, reason="ml_dtypes isn't installed")


def given(dtype, shape=(2, 3)):
    return np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)


# --- taking -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_taken_has_the_values_and_the_dtype(kind, dtype):
    x = paddle.from_dlpack(foreign(kind, given(dtype)))
    assert (x.dtype.name, x.shape, x.stop_gradient) == (dtype, [2, 3], True)
    np.testing.assert_array_equal(x.numpy(), given(dtype))


@pytest.mark.parametrize("array", [np.array(1.5), np.arange(6.0).reshape(2, 3).T, np.arange(8.0)[::2], np.arange(4.0)[::-1],
                                   pytest.param(np.broadcast_to(np.array([1.0, 2.0]), (3, 2)), marks=tells_read_only),
                                   np.zeros((0, 3))])  # fmt: skip
def test_taken_memory_is_shared_whatever_its_strides(array):
    source = np.lib.stride_tricks.as_strided(array, writeable=True)  # a broadcast array is read-only, by NumPy's caution
    x = paddle.from_dlpack(Plain(source))
    np.testing.assert_array_equal(x.numpy(), array)
    if array.size:
        assert np.shares_memory(x.numpy(), source)


@tells_read_only
def test_writes_are_seen_on_both_sides():
    array = np.zeros(3, "float32")
    x = from_dlpack(Plain(array))
    x[0] = 1.0
    array[1] = 2.0
    assert x.tolist() == array.tolist() == [1.0, 2.0, 0.0]


def test_a_copy_is_made_where_it_is_asked_for():
    array = np.zeros(3, "float32")
    assert not np.shares_memory(paddle.from_dlpack(Plain(array), copy=True).numpy(), array)


def test_read_only_memory_is_never_written():
    array = np.ones(3, "float32")
    array.flags.writeable = False
    x = paddle.from_dlpack(array)
    x[0] = 5.0
    assert x.tolist() == [5.0, 1.0, 1.0] and array.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.skipif("jax" not in MAKERS, reason="jax isn't installed")
def test_an_array_of_jax_stays_as_it_is():
    array = foreign("jax", [1.0, 2.0], "float32")
    x = paddle.from_dlpack(array)
    assert x.numpy().ctypes.data == array.unsafe_buffer_pointer()
    x[0] = 5.0
    assert x.tolist() == [5.0, 2.0] and array.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("wrong, error, words", [
    (lambda: Plain(np.ones(2), (2, 0)), BufferError, "interop.Plain can't be taken: it lies on cuda:0, and tensors of dy2st on"),
    (lambda: Plain(np.ones(2), (8, 1)), BufferError, "it lies on metal:1"),
    (lambda: Plain(np.ones(2), (99, 0)), BufferError, "it lies on a device of kind 99:0"),
    (lambda: Plain(np.ones(2, "uint32")), DTypeError, "no dtype for the uint32 elements of this interop.Plain: cast it"),
    (lambda: 3, TypeError, "from_dlpack takes a tensor or a capsule of DLPack, not a int"),
    (lambda: [1.0], TypeError, "from_dlpack takes a tensor or a capsule of DLPack, not a list"),
])  # fmt: skip
def test_what_cant_be_taken_is_refused_in_words(wrong, error, words):
    with pytest.raises(error) as told:
        paddle.from_dlpack(wrong())
    assert words in str(told.value)


@needs_torch
@pytest.mark.parametrize("made, error, words", [
    ("torch.ones(2, requires_grad=True)", BufferError, "Can't export tensors that require gradient, use tensor.detach()"),
    ("torch.ones(2, device='meta')", BufferError, "meta"),
    ("torch.eye(2).to_sparse()", BufferError, "layout"),
    ("torch.ones(2, dtype=torch.complex64).conj()", BufferError, "conjugate bit"),
    ("torch.ones(2).to(torch.float8_e4m3fn)", DTypeError, "no dtype for the torch.float8_e4m3fn elements of this torch.Tensor"),
    ("torch.ones(2).to(torch.uint16)", DTypeError, "no dtype for the uint16 elements"),
])  # fmt: skip
def test_what_torch_doesnt_give_is_refused_in_words(made, error, words):
    import torch

    for take in (paddle.from_dlpack, paddle.abs, paddle.jit.to_static(lambda x: x + 1)):
        with pytest.raises(error) as told:
            take(eval(made, {"torch": torch}))
        assert words in str(told.value)


# --- giving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_given_is_the_memory_of_the_tensor(dtype):
    x = paddle.to_tensor(given(dtype))
    array = np.from_dlpack(x)
    assert np.shares_memory(array, x.numpy()) and x.__dlpack_device__() == (1, 0)
    np.testing.assert_array_equal(array, given(dtype))


@needs_torch
@pytest.mark.parametrize("dtype", DTYPES)
def test_torch_shares_the_memory(dtype):
    import torch

    for x in (paddle.to_tensor(given(dtype)), paddle.to_tensor(given(dtype)).T, paddle.to_tensor(given(dtype))[0, 1]):
        theirs = torch.from_dlpack(x)
        assert str(theirs.dtype) == f"torch.{dtype}" and theirs.data_ptr() == x.numpy().ctypes.data
        np.testing.assert_array_equal(theirs.numpy(), x.numpy())


@needs_torch
def test_negative_strides_and_read_only_memory_are_copied_since_torch_would_abort_or_write_there():
    import torch

    turned = paddle.to_tensor([1.0, 2.0, 3.0])[::-1]
    assert torch.from_dlpack(turned).tolist() == [3.0, 2.0, 1.0]
    fixed = np.ones(2, "float32")
    fixed.flags.writeable = False
    x = paddle.Tensor(fixed)
    torch.from_dlpack(x)[0] = 5.0
    assert x.tolist() == [1.0, 1.0]


def test_where_a_copy_isnt_allowed_it_is_refused():
    with pytest.raises(BufferError, match="its strides are negative; leave copy=False out"):
        paddle.to_tensor([1.0, 2.0])[::-1].__dlpack__(copy=False)
    fixed = np.ones(2)
    fixed.flags.writeable = False
    with pytest.raises(BufferError, match="its memory is read-only"):
        paddle.Tensor(fixed).__dlpack__(copy=False)
    with pytest.raises(BufferError, match="tensors live on the CPU"):
        paddle.ones([1]).__dlpack__(dl_device=(2, 0))


def test_a_tensor_with_gradients_is_refused():
    weight = paddle.nn.Linear(2, 2).weight
    for give in (to_dlpack, np.from_dlpack):
        with pytest.raises(BufferError, match="give x.detach()"):
            give(weight)
    assert np.shares_memory(np.from_dlpack(weight.detach()), weight.numpy())


@needs_bfloat16
def test_bfloat16_goes_both_ways_by_its_bits():
    x = paddle.to_tensor([1.0, -2.5, 3.0]).astype("bfloat16")
    back = from_dlpack(to_dlpack(x))
    assert back.dtype.name == "bfloat16" and np.shares_memory(back._data, x._data)
    assert back.astype("float32").tolist() == [1.0, -2.5, 3.0]


@needs_bfloat16
@pytest.mark.parametrize("kind", [kind for kind in MAKERS if kind != "plain"])
def test_bfloat16_is_that_of_other_libraries(kind):
    if kind == "torch":
        import torch

        theirs, give = torch.tensor([1.0, -2.5], dtype=torch.bfloat16), torch.from_dlpack
    else:
        import jax.numpy as jnp

        theirs, give = jnp.asarray([1.0, -2.5], jnp.bfloat16), jnp.from_dlpack
    x = paddle.from_dlpack(theirs)
    assert x.dtype.name == "bfloat16" and x.astype("float32").tolist() == [1.0, -2.5]
    again = give(x)
    assert "bfloat16" in str(again.dtype) and [float(v) for v in again] == [1.0, -2.5]


def test_a_capsule_is_taken_once():
    x = paddle.ones([2])
    capsule = to_dlpack(x)
    y = from_dlpack(capsule)
    y[0] = 7.0
    assert x.tolist() == [7.0, 1.0]
    with pytest.raises(TypeError, match="that nobody has taken yet"):
        from_dlpack(capsule)


def test_the_memory_lives_as_long_as_somebody_has_it():
    array = np.from_dlpack(paddle.full([1000], 3.0))
    x = paddle.from_dlpack(Plain(np.full(1000, 4.0)))
    assert float(array.sum()) == 3000.0 and float(x.sum()) == 4000.0


# --- staging ----------------------------------------------------------------------------------------------------------


def test_a_staged_tensor_has_no_memory():
    @paddle.jit.not_to_static
    def give(x):
        return np.from_dlpack(x)

    for call in (give, to_dlpack, lambda x: x.__dlpack__()):
        with pytest.raises((StagedValueError, ConversionError)):
            paddle.jit.to_static(lambda x, call=call: call(x))(paddle.ones([2]))


@pytest.mark.parametrize("kind", MAKERS)
def test_a_foreign_tensor_that_a_static_function_reads_from_outside_is_refused(kind):
    outside = foreign(kind, [1.0, 2.0], "float32")
    for function in (lambda x: x + outside, lambda x: paddle.add(x, outside), lambda x: paddle.from_dlpack(outside) + x):
        with pytest.raises(ConversionError, match="give it as an argument, or make a tensor of it before"):
            paddle.jit.to_static(function)(paddle.ones([2]))

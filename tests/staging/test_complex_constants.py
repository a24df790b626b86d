"""Python's complex numbers beside tensors, in static functions: `x * 1j`."""

import io
import operator

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.eq, operator.ne]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "complex64", "complex128"])
@pytest.mark.parametrize("symbol", OPERATORS, ids=lambda symbol: symbol.__name__)
def test_on_either_side(symbol, dtype):
    def function(x):
        factor = 2j if x.sum().abs() > 100 else 1 - 0.5j
        return symbol(x, factor), symbol(1j, x), symbol(x, complex(x.shape[0], 0.0))

    x = paddle.to_tensor([1, 2, 3], dtype)
    static = paddle.jit.to_static(function, input_spec=[InputSpec([3], dtype)])
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    expected = function(x)
    for found in (static(x), paddle.jit.load(file)(x)):
        for got, right in zip(found, expected):
            assert got.dtype == right.dtype
            assert got.tolist() == pytest.approx(right.tolist(), rel=1e-6)


def test_rotary_embedding():
    def rotated(x, angles):
        pairs = paddle.as_complex(x.reshape([-1, 2]))
        turned = pairs * paddle.exp(angles * 1j)
        return paddle.as_real(turned).reshape(x.shape)

    x, angles = paddle.to_tensor([1.0, 2.0, 3.0, 4.0]), paddle.to_tensor([0.5, 1.0])
    assert paddle.jit.to_static(rotated)(x, angles).tolist() == rotated(x, angles).tolist()


def written(x):
    y = x * 1j
    y[0] = 3j
    y.add_(1j)
    y.multiply_(paddle.to_tensor(2j))
    return y, y + paddle.where(x > 0, x * 1j, paddle.zeros([3], "complex64"))


def gathered(x):
    return sum([x, 1j]), paddle.zeros([2], "complex64") + 1j


@pytest.mark.parametrize("function", [written, gathered])
@pytest.mark.filterwarnings("ignore:to_tensor of a constant")
def test_written_and_filled(function):
    x = paddle.to_tensor([1.0, -2.0, 3.0])
    for _ in range(2):
        found, expected = paddle.jit.to_static(function)(x), function(x)
        assert [(part.dtype, part.tolist()) for part in found] == [(part.dtype, part.tolist()) for part in expected]


def test_gradients_are_refused():
    def loss(x):
        return (x * 2j + 1).abs().sum()

    with pytest.raises(NotImplementedError, match=r"no gradient for complex numbers; compute with x.real\(\) and x.imag\(\)"):
        paddle.jit.to_static(loss)(paddle.to_tensor([1.0, -2.0], stop_gradient=False)).backward()


@pytest.mark.parametrize(
    "function",
    [
        lambda x: paddle.full([2], 1j),
        lambda x: paddle.full_like(x.astype("complex64"), 2j),
        lambda x: x.astype("complex64").fill_(1j),
    ],
)
def test_a_fill_is_refused(function):
    with pytest.raises(ConversionError, match=r"write zeros\(..., 'complex64'\) \+ [12]j instead"):
        paddle.jit.to_static(function)(paddle.to_tensor([1.0]))

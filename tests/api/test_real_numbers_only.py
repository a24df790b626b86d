"""Special functions refuse complex numbers; axes in the wrong order are refused, and channels that stand last stay there."""

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import DTypeError, ShapeError
from dy2st.static import InputSpec

Z = paddle.to_tensor(np.array([0.5 + 1j], np.complex64))


@pytest.mark.parametrize("function", [paddle.erf, paddle.erfinv, paddle.lgamma, paddle.digamma], ids=lambda f: f.__name__)
def test_complex_numbers_are_refused(function):
    with pytest.raises(DTypeError, match="real numbers"):
        function(Z)
    with pytest.raises(DTypeError, match="real numbers"):
        paddle.jit.to_static(lambda z: function(z), input_spec=[InputSpec([1], "complex64")]).concrete_program


def test_flatten_from_a_later_axis_to_an_earlier_one():
    with pytest.raises(ShapeError, match="comes after"):
        paddle.flatten(paddle.ones([2, 3]), 1, 0)


def test_the_mean_of_areas_with_channels_last():
    x = paddle.rand([1, 4, 4, 3])
    found = paddle.nn.functional.interpolate(x, size=[2, 2], mode="area", data_format="NHWC")
    expected = x.numpy().reshape(1, 2, 2, 2, 2, 3).mean((2, 4))
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)

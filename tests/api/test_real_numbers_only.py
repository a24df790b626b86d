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


F, L = paddle.nn.functional, paddle.linalg
SQUARE = paddle.to_tensor(np.array([[2, 1j], [-1j, 3]], np.complex128))
ORDERED_OR_TRANSPOSED = {
    "slogdet": L.slogdet,
    "cov": L.cov,
    "corrcoef": L.corrcoef,
    "relu": F.relu,
    "leaky_relu": F.leaky_relu,
    "elu": F.elu,
    "clip": lambda z: paddle.clip(z, 0.0, 1.0),
    "mse_loss": lambda z: F.mse_loss(z, z),
    "smooth_l1_loss": lambda z: F.smooth_l1_loss(z, z * 2),
    "layer_norm": lambda z: F.layer_norm(z, 2),
    "cosine_similarity": lambda z: F.cosine_similarity(z, z),
}


@pytest.mark.parametrize("name", ORDERED_OR_TRANSPOSED)
def test_s_08_what_would_order_complex_numbers_or_lose_a_conjugate_is_refused(name):
    call = ORDERED_OR_TRANSPOSED[name]
    for given in (call, paddle.jit.to_static(call)):
        with pytest.raises(TypeError, match="complex"):
            given(SQUARE)


@pytest.mark.parametrize(
    ("ours", "numpys"),
    [
        (paddle.round, np.round),
        (L.inv, np.linalg.inv),
        (L.det, np.linalg.det),
        (L.cholesky, np.linalg.cholesky),
        (L.eigvalsh, np.linalg.eigvalsh),
        (L.svdvals, lambda z: np.linalg.svd(z)[1]),
        (L.pinv, np.linalg.pinv),
        (L.matrix_rank, np.linalg.matrix_rank),
        (lambda z: L.lstsq(z[:, :1], z)[0], lambda z: np.linalg.lstsq(z[:, :1], z, rcond=None)[0]),
        (lambda z: L.lstsq(z[:, :1], z, driver="gelsd")[1], lambda z: np.linalg.lstsq(z[:, :1], z, rcond=None)[1]),
        (lambda z: L.cholesky_solve(z, L.cholesky(z)), lambda z: np.eye(2)),
        (lambda z: L.cholesky_solve(z, L.cholesky(z, upper=True), upper=True), lambda z: np.eye(2)),
        (lambda z: L.cholesky_inverse(L.cholesky(z)), np.linalg.inv),
        (lambda z: L.matrix_exp(z * 1e-3), lambda z: np.eye(2) + z * 1e-3 + z @ z * 5e-7 + z @ z @ z * 1e-9 / 6),
        (lambda z: L.lu_solve(z, *L.lu(z * (1 + 1j)), trans="C"), lambda z: np.eye(2) / (1 - 1j)),
        (lambda z: L.solve(z, z * 1j), lambda z: np.linalg.solve(z, z * 1j)),
    ],
)
def test_s_08_what_takes_complex_numbers_gives_numpys(ours, numpys):
    np.testing.assert_allclose(ours(SQUARE * 1.3).numpy(), numpys(SQUARE.numpy() * 1.3), atol=1e-11)


def test_flatten_from_a_later_axis_to_an_earlier_one():
    with pytest.raises(ShapeError, match="comes after"):
        paddle.flatten(paddle.ones([2, 3]), 1, 0)


def test_the_mean_of_areas_with_channels_last():
    x = paddle.rand([1, 4, 4, 3])
    found = paddle.nn.functional.interpolate(x, size=[2, 2], mode="area", data_format="NHWC")
    expected = x.numpy().reshape(1, 2, 2, 2, 2, 3).mean((2, 4))
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)

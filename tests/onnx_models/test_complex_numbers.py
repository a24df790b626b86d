"""Complex numbers in onnxruntime, as two tensors: operators against their kernels, and whole functions."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")

from onnx_models.cases import LOWERED, SAME, accepts, changed, check
from onnx_models.running import opened
from ops.samples.sample import Sample, sample
from support.sampling import case_in_failure

import dy2st as paddle
import dy2st.onnx
from dy2st import nn
from dy2st.errors import ConversionError
from dy2st.ops.complex_numbers import COMPONENTWISE
from dy2st.ops.registry import OPERATORS
from dy2st.static import InputSpec

NAMES = [name for name in LOWERED if name in COMPONENTWISE or OPERATORS[name].onnx_complex]
RNG = np.random.default_rng(0)


def turned(case: Sample, dtype: str) -> Sample:
    """The sample with complex numbers in place of fractions."""
    return changed(case, lambda x: np.asarray(x + 1j * np.sin(3 * x), dtype) if x.dtype.kind in "fc" else x)


REAL = ("complex", "fft_r2c", "cast", "full", "as_complex", "as_complex_copy", "as_real_scatter")  # which take real numbers


@pytest.mark.parametrize("blur", [SAME, opened], ids=["known lengths", "open lengths"])
@pytest.mark.parametrize("name", NAMES)
def test_operators(name, blur):
    ran = 0
    for k, case in enumerate(LOWERED[name]):
        for dtype in ("complex64", "complex128"):
            whole = turned(case, dtype)
            if accepts(name, whole):
                with case_in_failure(f"sample {k} of {dtype}"):
                    refused = check(name, whole, blur)
                    assert not refused or "number of axes isn't known" in refused or "unknown number of axes" in refused, refused
                ran += 1
    assert ran or name in REAL, "give it a sample that complex numbers can stand in"


Z, W = RNG.normal(size=(2, 3)) + 1j * RNG.normal(size=(2, 3)), RNG.normal(size=(2, 3)) + 1j * RNG.normal(size=(2, 3))
MORE = [  # operator, sample
    *(("as_complex", sample(x)) for x in (np.stack([Z.real, Z.imag], -1), np.ones((2, 2), "float32"))),
    ("as_real_scatter", sample(Z, np.stack([W.real, W.imag], -1))),
    ("as_complex_scatter", sample(np.stack([Z.real, Z.imag], -1), W)),
    *((name, sample(Z, number)) for name in ("add", "subtract", "multiply", "divide") for number in (2.5, 3)),
    *((name, sample(2.5, Z)) for name in ("add", "subtract", "multiply", "divide")),
    ("divide", sample(Z * 1e-200, W * 1e-200)),
    ("divide", sample(Z, W * 1e200)),
    ("abs", sample(Z * 1e200)),
    ("equal", sample(Z, Z.copy())),
    ("conj", sample(np.array([complex(np.inf, 0.0), complex(0.0, np.inf), complex(np.nan, 1.0)]))),
    ("not_equal", sample(Z, Z.real + 0j)),
    *(("cast", sample(x, dtype=dtype)) for x in (Z, Z.real, np.arange(3)) for dtype in ("complex64", "complex128")),
    ("where", sample(Z.real > 0, Z, 0.5)),
    *(("zeros_like", sample(x, dtype=dtype)) for x in (Z, Z.real) for dtype in (None, "complex64", "float32")),
    ("full", sample(shape=[2, 3], fill_value=1.5, dtype="complex64")),
    ("full_like", sample(Z.real, 2, dtype="complex128")),
    ("matmul", sample(Z, W, transpose_y=True)),
]


@pytest.mark.parametrize(("name", "case"), MORE)
def test_numbers_and_edges(name, case):
    refused = check(name, case)
    assert not refused, refused


def filtered(x, taps):
    """A convolution by spectra."""
    spectrum = paddle.fft.rfft(x, n=16) * paddle.fft.rfft(taps, n=16)
    return paddle.fft.irfft(spectrum, n=16)[:, : x.shape[1]], spectrum.abs()


def looped(z, n):
    """Complex numbers that a loop carries and a list takes in."""
    seen = []
    for k in range(int(n)):
        z = z * z + 0.25 if z.abs().max() < 2 else z.conj()
        seen.append(z[k % 2])
    return z, paddle.stack(seen).sum(axis=0), seen


def spectrogram(x):
    return paddle.signal.stft(x, n_fft=8, hop_length=4).abs()


def there_and_back(x):
    return paddle.signal.istft(paddle.signal.stft(x, n_fft=8, hop_length=2), n_fft=8, hop_length=2)


def two_axes(z):
    return paddle.fft.ifftn(paddle.fft.fftshift(paddle.fft.fft2(z, norm="ortho"), axes=[0]), norm="forward")


X, C = InputSpec([None, 12], "float32", "x"), InputSpec([None, 3], "complex64", "z")
SIGNAL, NUMBERS = RNG.normal(size=(2, 12)).astype("float32"), (Z / 2).astype("complex64")
FUNCTIONS = [
    (filtered, [X, InputSpec([5], "float32", "taps")], [SIGNAL, SIGNAL[0, :5].copy()]),
    (looped, [C, InputSpec([], "int64", "n")], [NUMBERS, np.array(4)]),
    (spectrogram, [X], [SIGNAL]),
    (there_and_back, [X], [SIGNAL]),
    (two_axes, [C], [NUMBERS]),
]


@pytest.mark.parametrize(("function", "specs", "arrays"), FUNCTIONS, ids=lambda x: getattr(x, "__name__", ""))
def test_functions(function, specs, arrays, tmp_path):
    given = [paddle.to_tensor(x) for x in arrays]
    session = dy2st.onnx.Session(dy2st.onnx.export(function, tmp_path / "model", specs, verify=given))
    flat = lambda x: [part for item in x for part in flat(item)] if isinstance(x, (tuple, list)) else [x.numpy()]
    for found, wanted in zip(flat(session(*given)), flat(function(*given)), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("length", [1, 2, 3, 8, 12, 97, 1000])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_lengths(length, dtype):
    x = RNG.normal(size=(2, length)).astype(dtype)
    z = (x + 1j * x[:, ::-1]).astype("complex64" if dtype == "float32" else "complex128")
    for norm in ("backward", "ortho", "forward"):
        for forward in (True, False):
            assert not check("fft_c2c", sample(z, axes=[1], norm=norm, forward=forward))
        assert not check("fft_r2c", sample(x, axes=[1], norm=norm))
        for length in (None, length, length + 3):
            if length != 0 and not (length is None and z.shape[1] == 1):
                assert not check("fft_c2r", sample(z, axes=[1], norm=norm, length=length), opened)


class Spectral(nn.Layer):
    """A filter in the domain of frequencies, with state that is complex."""

    def __init__(self):
        super().__init__()
        self.gain = self.create_parameter([7])
        self.gain.set_value(paddle.ones([7]))
        self.last = paddle.zeros([7], "complex64")
        self.optimizer = paddle.optimizer.Momentum(0.01, parameters=[self.gain])

    def forward(self, x):
        spectrum = paddle.fft.rfft(x) * self.gain
        loss = (paddle.fft.irfft(spectrum, n=12) ** 2).mean() + spectrum.abs().mean()
        loss.backward()
        self.optimizer.step()
        self.optimizer.clear_grad()
        self.last = spectrum.detach().mean(axis=0)
        return loss


def test_a_step_through_spectra(tmp_path):
    plain = Spectral()
    session = dy2st.onnx.Session(dy2st.onnx.export(Spectral(), tmp_path / "step", [X]))
    for k in range(3):
        x = paddle.to_tensor(SIGNAL * (k + 1))
        assert float(session(x)) == pytest.approx(float(plain(x)), rel=1e-4)
    np.testing.assert_allclose(session.state["gain"].numpy(), plain.gain.numpy(), rtol=1e-4)
    np.testing.assert_allclose(session.state["last"].numpy(), plain.last.numpy(), rtol=1e-3, atol=1e-4)


def test_what_has_no_form_of_complex_numbers_is_refused(tmp_path):
    with pytest.raises(ConversionError, match=r"sin has no form in ONNX: .*x\.real\(\) and x\.imag\(\)"):
        dy2st.onnx.export(lambda z: paddle.sin(z), tmp_path / "model", [C])

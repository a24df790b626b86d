"""Spectra over time: of signals whose length only a run tells, back again, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.errors import ShapeError
from dy2st.static import InputSpec

SIGNAL = np.random.default_rng(4).normal(size=(2, 50)).astype(np.float32)
WINDOW = np.hanning(13)[:-1].astype(np.float32) + 0.1


def spectrogram(x):
    return paddle.signal.stft(x, 16, hop_length=5, win_length=12, window=paddle.to_tensor(WINDOW)).abs() ** 2


def by_hand(signal):
    """Frame by frame, with NumPy."""
    window = np.pad(WINDOW, 2)
    padded = np.pad(signal, ((0, 0), (8, 8)), mode="reflect")
    frames = [np.fft.rfft(padded[:, at : at + 16] * window) for at in range(0, padded.shape[1] - 15, 5)]
    return np.abs(np.stack(frames, axis=-1)) ** 2


@pytest.mark.filterwarnings("ignore:to_tensor of a constant")
def test_a_spectrogram_of_any_length(tmp_path):
    static = jit.to_static(spectrogram, input_spec=[InputSpec([None, None], "float32", "x")])
    jit.save(static, str(tmp_path / "net"))
    for model in (spectrogram, static, jit.load(str(tmp_path / "net"))):
        for length in (50, 37):
            found = model(paddle.to_tensor(SIGNAL[:, :length])).numpy()
            np.testing.assert_allclose(found, by_hand(SIGNAL[:, :length]), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("length", [None, 44])
def test_the_signal_comes_back(length):
    def back(x):
        spectra = paddle.signal.stft(x, 12, window=paddle.hann_window(12))
        return paddle.signal.istft(spectra, 12, window=paddle.hann_window(12), length=length)

    static = jit.to_static(back, input_spec=[InputSpec([None, None], "float32", "x")])
    for model in (back, static):
        found = model(paddle.to_tensor(SIGNAL)).numpy()
        np.testing.assert_allclose(found, SIGNAL[:, : found.shape[1]], atol=1e-5)
        assert found.shape[1] == (length or 48)


def test_gradients_through_a_spectrogram():
    x = paddle.to_tensor(SIGNAL[:1].astype("float64"), stop_gradient=False)
    spectra = paddle.signal.stft(x, 8, 4)
    (spectra.abs() ** 2).sum().backward()
    step = np.zeros_like(SIGNAL[:1], "float64")
    step[0, 11] = 1e-4
    loss = lambda values: float((paddle.signal.stft(paddle.to_tensor(values), 8, 4).abs() ** 2).sum())
    slope = (loss(SIGNAL[:1] + step) - loss(SIGNAL[:1] - step)) / 2e-4
    assert float(x.grad[0, 11]) == pytest.approx(slope, rel=1e-5)


X = paddle.to_tensor(SIGNAL)
REFUSED = [
    (lambda: paddle.fft.fft(X, norm="half"), ValueError, "norm is"),
    (lambda: paddle.fft.rfft(paddle.complex(X, X)), TypeError, "rfft takes real numbers"),
    (lambda: paddle.fft.fftn(X, s=[2, 3, 4]), (ValueError, ShapeError), "rank|axes"),
    (lambda: paddle.fft.fftn(X, axes=[0, 0]), ValueError, "different axes"),
    (lambda: paddle.signal.frame(X, 60, 5), ValueError, "no frame of 60"),
    (lambda: paddle.signal.frame(X, 6, 0), ValueError, "hop_length must be positive"),
    (lambda: paddle.signal.stft(X, 16, pad_mode="edge"), ValueError, "pad_mode"),
    (lambda: paddle.signal.stft(X, 16, window=paddle.ones([8])), ShapeError, "16 elements"),
    (lambda: paddle.signal.istft(X, 16), ShapeError, "complex spectra"),
    (lambda: paddle.signal.istft(paddle.signal.stft(X, 16, 8), 14), ShapeError, "8 frequencies"),
    (lambda: paddle.signal.istft(paddle.signal.stft(X, 8), 8, 8, window=paddle.zeros([8])), ValueError, "without weight"),
]


@pytest.mark.parametrize("call, error, words", REFUSED)
def test_what_makes_no_sense_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()

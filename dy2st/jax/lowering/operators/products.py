"""Products of matrices, and Einstein's sums."""

from __future__ import annotations

from typing import Any

import numpy as np


def _is_whole(x: Any) -> bool:
    return np.dtype(x.dtype).kind in "iub"


def _matmul(m: Any, a: Any, b: Any) -> Any:
    return m.matmul(a, b) if m is np or _is_whole(a) else m.matmul(a, b, precision="highest")


def _gemm(m: Any, a: Any, b: Any, c: Any = None, alpha: float = 1.0, beta: float = 1.0, transA: int = 0, transB: int = 0) -> Any:
    found = _matmul(m, a.T if transA else a, b.T if transB else b)
    found = found if alpha == 1.0 else found * np.asarray(alpha, found.dtype)
    return found if c is None else found + (c if beta == 1.0 else c * np.asarray(beta, c.dtype))


def _einsum(m: Any, *xs: Any, equation: Any) -> Any:
    text = equation.decode() if isinstance(equation, bytes) else equation
    return m.einsum(text, *xs) if m is np else m.einsum(text, *xs, precision="highest")


def _layer_norm(m: Any, x: Any, scale: Any, bias: Any = None, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1) -> Any:
    over = tuple(range(axis % x.ndim, x.ndim))
    wide = x.astype("float32") if np.dtype(x.dtype).itemsize < 4 else x
    mean = m.mean(wide, axis=over, keepdims=True)
    centred = wide - mean
    variance = m.mean(centred * centred, axis=over, keepdims=True)
    found = (centred / m.sqrt(variance + np.asarray(epsilon, wide.dtype))).astype(x.dtype) * scale
    return found if bias is None else found + bias


def _batch_norm(m: Any, x: Any, scale: Any, bias: Any, mean: Any, variance: Any, epsilon: float = 1e-5, **more: Any) -> Any:
    shape = [1, -1] + [1] * (x.ndim - 2)
    slope = scale / m.sqrt(variance + np.asarray(epsilon, x.dtype))
    return x * slope.reshape(shape) + (bias - mean * slope).reshape(shape)


def _dft(m: Any, x: Any, length: Any = None, axis: Any = None, inverse: int = 0, onesided: int = 0) -> Any:
    """The last axis holds the real and the imaginary part, or the real one alone."""
    along = -2 if axis is None else int(np.asarray(axis))
    along = along % x.ndim
    wide = np.dtype("complex128" if x.dtype == "float64" else "complex64")
    whole = x[..., 0].astype(wide) if x.shape[-1] == 1 else x[..., 0].astype(wide) + x[..., 1].astype(wide) * wide.type(1j)
    count = None if length is None else int(np.asarray(length))
    if onesided and not inverse:
        found = m.fft.rfft(whole.real, count, axis=along)
    else:
        found = (m.fft.ifft if inverse else m.fft.fft)(whole, count, axis=along)
    return m.stack([found.real, found.imag], -1).astype(x.dtype)


NODES = {
    "DFT": _dft,
    "BatchNormalization": _batch_norm,
    "Einsum": _einsum,
    "Gemm": _gemm,
    "LayerNormalization": _layer_norm,
    "MatMul": _matmul,
}

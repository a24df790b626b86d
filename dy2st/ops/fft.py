"""Discrete Fourier transforms along `axes` (from the front, in the order of transforming, the halved one last).

Three operators: of complex numbers, of real ones (only the half of the spectrum that isn't the mirror of the other), and from
such a half back to real ones. `norm` is NumPy's: the direction that is scaled by 1/n, or "ortho", both by its root.
The gradient of a linear map is its adjoint: the transform in the other direction, with the scale of the other norm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError, ShapeError
from ..ir.types import TensorType, Type
from .cast import cast
from .complex_numbers import _WHOLE, real
from .dims import axis_of
from .elementwise import multiply
from .lowered import complexes
from .lowered import padding as lowered
from .registry import define
from .rules import REAL_OF, need_tensor

ADJOINT = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def _checked(op: str, x: Type, dtypes: dict[str, str]) -> TensorType:
    tensor = need_tensor(op, x)
    if tensor.dtype not in dtypes:
        raise DTypeError(f"{op} takes a tensor of {' or '.join(dtypes)}, not {tensor}")
    return tensor


def _with_last(tensor: TensorType, dtype: str, axes: Any, length: Any) -> TensorType:
    """The type with another length along the last of `axes`."""
    if tensor.shape is None:
        return TensorType(dtype, None)
    dims = list(tensor.shape)
    dims[axes[-1]] = length if isinstance(length, int) else None
    return TensorType(dtype, tuple(dims))


def _c2c(x: np.ndarray, axes: list, norm: Any, forward: bool) -> np.ndarray:
    return (np.fft.fftn if forward else np.fft.ifftn)(x, axes=axes, norm=norm)


# The transform of complex numbers.
fft_c2c = define(
    "fft_c2c",
    kernel=_c2c,
    in_words=True,
    infer=lambda x, axes, norm, forward: _checked("fft_c2c", x, REAL_OF),
    grad=lambda ctx, g: (
        fft_c2c(g, axes=ctx.attrs["axes"], norm=ADJOINT[ctx.attrs["norm"]], forward=not ctx.attrs["forward"]),
    ),
    grad_ignores=(0,),
    onnx_complex=complexes.fft_c2c,
)


def _r2c(x: np.ndarray, axes: list, norm: Any) -> np.ndarray:
    return np.fft.rfftn(x, axes=axes, norm=norm)


def _infer_r2c(x: Type, axes: Any, norm: str) -> TensorType:
    tensor = _checked("fft_r2c", x, _WHOLE)
    last = None if tensor.shape is None else tensor.shape[axes[-1]]
    return _with_last(tensor, _WHOLE[tensor.dtype], axes, last // 2 + 1 if isinstance(last, int) else None)


def _r2c_grad(ctx, g):
    x, axes, norm = ctx.inputs[0], ctx.attrs["axes"], ctx.attrs["norm"]
    whole = spectrum_like(g, x, axis=axes[-1])
    return (real(fft_c2c(whole, axes=axes, norm=ADJOINT[norm], forward=False)),)


# The transform of real numbers: half of the spectrum along the last axis, all of it along the others.
fft_r2c = define("fft_r2c", kernel=_r2c, in_words=True, infer=_infer_r2c, grad=_r2c_grad, onnx_complex=complexes.fft_r2c)


def _c2r(x: np.ndarray, axes: list, norm: Any, length: int | None) -> np.ndarray:
    if x.shape[axes[-1]] < 1:  # of which NumPy would make random numbers
        raise ShapeError("fft_c2r: the axis has no elements")
    lengths = [x.shape[a] for a in axes[:-1]] + [2 * (x.shape[axes[-1]] - 1) if length is None else length]
    if lengths[-1] < 1:
        raise ShapeError(f"fft_c2r: a length must be positive, not {lengths[-1]}")
    return np.fft.irfftn(x, s=lengths, axes=axes, norm=norm)


def _infer_c2r(x: Type, axes: Any, norm: str, length: Any) -> TensorType:
    tensor = _checked("fft_c2r", x, REAL_OF)
    last = None if tensor.shape is None else tensor.shape[axes[-1]]
    return _with_last(tensor, REAL_OF[tensor.dtype], axes, 2 * (last - 1) if length is None and isinstance(last, int) else length)


def _c2r_grad(ctx, g):
    x, axes, norm = ctx.inputs[0], ctx.attrs["axes"], ctx.attrs["norm"]
    half = fft_r2c(g, axes=axes, norm=ADJOINT[norm])
    weights = mirror_weights(half, g, axis=axes[-1])
    return (spectrum_like(multiply(half, cast(weights, dtype=half.dtype.name)), x, axis=axes[-1]),)


# Back from half of a spectrum to real numbers, `length` of them along the last axis (None: twice as many as there are, less two).
fft_c2r = define("fft_c2r", kernel=_c2r, in_words=True, infer=_infer_c2r, grad=_c2r_grad, onnx_complex=complexes.fft_c2r)


def _spectrum_like(g: np.ndarray, x: np.ndarray, axis: int) -> np.ndarray:
    axis = axis_of(axis, min(g.ndim, x.ndim), "spectrum_like")
    made = np.zeros([*g.shape[:axis], x.shape[axis], *g.shape[axis + 1 :]], g.dtype)
    shared = (slice(None),) * axis + (slice(min(g.shape[axis], x.shape[axis])),)
    made[shared] = g[shared]
    return made


def _infer_spectrum(g: Type, x: Type, axis: int) -> TensorType:
    given, like = need_tensor("spectrum_like", g), need_tensor("spectrum_like", x)
    return _with_last(given, given.dtype, [axis], None if like.shape is None else like.shape[axis])


# `g` with zeros behind it along `axis`, or cut off, as far as `x` goes.
spectrum_like = define(
    "spectrum_like",
    kernel=_spectrum_like,
    in_words=True,
    infer=_infer_spectrum,
    grad=lambda ctx, g: (spectrum_like(g, ctx.inputs[0], axis=ctx.attrs["axis"]), None),
    shape_only=(1,),
    like=(1,),
    onnx=lambda g, x, like, axis: lowered.fit_length(g, x, axis, g.dim(like, axis)),
)


def _mirror_weights(half: np.ndarray, x: np.ndarray, axis: int) -> np.ndarray:
    axis = axis_of(axis, min(half.ndim, x.ndim), "mirror_weights")
    weights = np.full(half.shape[axis], 2, DTYPES[REAL_OF[half.dtype.name]].numpy)
    weights[0] = 1
    if x.shape[axis] % 2 == 0:
        weights[-1] = 1
    return weights.reshape([-1] + [1] * (half.ndim - axis - 1))


def _infer_weights(half: Type, x: Type, axis: int) -> TensorType:
    tensor = _checked("mirror_weights", half, REAL_OF)
    if tensor.shape is None:
        return TensorType(REAL_OF[tensor.dtype], None)
    return TensorType(REAL_OF[tensor.dtype], (tensor.shape[axis], *(1 for _ in tensor.shape[axis + 1 :])))


# How often each number of half a spectrum stands in the whole one of `x`: once where it is its own mirror.
mirror_weights = define(
    "mirror_weights",
    kernel=_mirror_weights,
    in_words=True,
    infer=_infer_weights,
    shape_only=(0, 1),
    onnx_complex=complexes.mirror_weights,
)


def _fit_length(x: np.ndarray, axis: int, length: int) -> np.ndarray:
    axis = axis_of(axis, x.ndim, "fit_length")
    made = np.zeros([*x.shape[:axis], length, *x.shape[axis + 1 :]], x.dtype)
    shared = (slice(None),) * axis + (slice(min(x.shape[axis], length)),)
    made[shared] = x[shared]
    return made


# `x` with zeros behind it along `axis`, or cut off, so that it has this length.
fit_length = define(
    "fit_length",
    kernel=_fit_length,
    in_words=True,
    infer=lambda x, axis, length: _with_last(need_tensor("fit_length", x), x.dtype, [axis], length),
    grad=lambda ctx, g: (spectrum_like(g, ctx.inputs[0], axis=ctx.attrs["axis"]),),
    grad_ignores=(0,),
    onnx=lowered.fit_length,
)

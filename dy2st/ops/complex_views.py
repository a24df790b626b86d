"""Complex numbers as pairs of real ones, and such pairs as complex numbers: views of the same memory."""

from __future__ import annotations

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError, ShapeError
from ..ir.types import TensorType, Type
from .complex_numbers import _WHOLE, _complex_only
from .dims import known
from .lowered import complexes
from .registry import define
from .rules import need_tensor, real_part
from .viewing import define_view


def _pairs(x: np.ndarray) -> np.ndarray:
    if x.dtype.kind != "c":
        raise DTypeError(f"as_real takes a complex tensor, not one of {x.dtype}")
    return x[..., np.newaxis].view(x.real.dtype)


def _infer_pairs(x: Type) -> TensorType:
    part = real_part(_complex_only("as_real", x))
    return TensorType(part.dtype, None if part.shape is None else (*part.shape, 2))


def _whole(x: np.ndarray) -> np.ndarray:
    if x.dtype.name not in _WHOLE or x.ndim == 0 or x.shape[-1] != 2:
        raise ShapeError(f"as_complex takes float32 or float64 with a last axis of length 2, not {x.dtype}{list(x.shape)}")
    is_side_by_side = x.strides[-1] == x.itemsize or x.size == 0
    return (x if is_side_by_side else np.ascontiguousarray(x)).view(DTYPES[_WHOLE[x.dtype.name]].numpy)[..., 0]


def _infer_whole(x: Type) -> TensorType:
    given = need_tensor("as_complex", x)
    if given.dtype not in _WHOLE:
        raise DTypeError(f"as_complex takes float32 or float64, not {given}")
    if given.shape is not None and (not given.shape or (known(given.shape[-1]) and given.shape[-1] != 2)):
        raise ShapeError(f"as_complex takes a last axis of length 2, not {given}")
    return TensorType(_WHOLE[given.dtype], None if given.shape is None else given.shape[:-1])


as_real = define_view(
    "as_real",
    _pairs,
    _infer_pairs,
    lambda ctx, g: (as_complex(g),),
    onnx_complex=complexes.as_real,
    scatter="as_real_scatter",
    restore=lambda base, attrs: ("as_complex", {}),
    keeps_order=lambda attrs: True,
)
as_complex = define_view(
    "as_complex",
    _whole,
    _infer_whole,
    lambda ctx, g: (as_real(g),),
    onnx_complex=complexes.as_complex,
    may_copy=True,
    scatter="as_complex_scatter",
    restore=lambda base, attrs: ("as_real", {}),
    keeps_order=lambda attrs: True,
)

# What writing to the pairs, or to the complex numbers, leaves in the other.
as_real_scatter = define(
    "as_real_scatter",
    kernel=lambda base, view: _whole(np.array(view, order="C")),
    infer=lambda base, view: _infer_whole(view),
    grad=lambda ctx, g: (None, as_real(g)),
    shape_only=(0,),
    grad_ignores=(0, 1),
    onnx_complex=lambda g, base, view: complexes.as_complex(g, view),
)
as_complex_scatter = define(
    "as_complex_scatter",
    kernel=lambda base, view: _pairs(np.array(view, order="C")),
    infer=lambda base, view: _infer_pairs(view),
    grad=lambda ctx, g: (None, as_complex(g)),
    shape_only=(0,),
    grad_ignores=(0, 1),
    onnx_complex=lambda g, base, view: complexes.as_real(g, view),
)

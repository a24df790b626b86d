"""Making tensors from shapes and numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError
from ..ir.types import TensorType, Type
from .inplace import define_in_place
from .lowered import complexes, made
from .registry import UNKNOWN, define
from .rules import as_shape, dims_of, is_number, need_tensor, scalar_of


def _filled(shape: tuple[int, ...], value: Any, dtype: np.dtype) -> np.ndarray:
    """As `np.full`, which makes some int of a float beyond the dtype; `fill` raises an OverflowError or a ValueError."""
    made = np.empty(shape, dtype)
    made.fill(scalar_of(value))
    return made


def _full(shape, fill_value, dtype: str) -> np.ndarray:
    return _filled(as_shape(shape), fill_value, DTYPES[dtype].numpy)


full = define(
    "full",
    kernel=_full,
    infer=lambda shape, fill_value, dtype: TensorType(dtype, dims_of(shape)),
    onnx=lambda g, shape, fill_value, dtype: g.filled(dtype, fill_value, shape),
    onnx_complex=complexes.full,
)


def _full_like(x: np.ndarray, fill_value, dtype: str | None = None) -> np.ndarray:
    return _filled(x.shape, fill_value, x.dtype if dtype is None else DTYPES[dtype].numpy)


def _infer_like(x: Type, fill_value: Any = 0, dtype: str | None = None) -> TensorType:
    tensor = need_tensor("full_like", x)
    return TensorType(dtype or tensor.dtype, tensor.shape)


# `fill_value` in the shape of `x`; nothing flows back to `x`.
full_like = define(
    "full_like",
    kernel=_full_like,
    infer=_infer_like,
    shape_only=(0,),
    onnx=made.full_like,
    onnx_complex=complexes.full_like,
)
zeros_like = define(
    "zeros_like",
    kernel=lambda x, dtype=None: np.zeros(x.shape, x.dtype if dtype is None else DTYPES[dtype].numpy),
    infer=lambda x, dtype=None: _infer_like(x, dtype=dtype),
    shape_only=(0,),
    onnx=lambda g, x, dtype=None: made.full_like(g, x, dtype=dtype),
    onnx_complex=lambda g, x, dtype=None: complexes.full_like(g, x, dtype=dtype),
)

# `fill_value` in place of every element of `x`: a write, through which the history of `x` goes on, with zeros as its gradient.
fill = define(
    "fill",
    kernel=_full_like,
    infer=lambda x, fill_value: _infer_like(x),
    grad=lambda ctx, g: (zeros_like(g),),
    shape_only=(0,),
    grad_ignores=(0,),
    onnx=made.full_like,
    onnx_complex=complexes.full_like,
)


def _fill_in_place(x: np.ndarray, fill_value: Any) -> tuple:
    x.fill(scalar_of(fill_value))
    return ()


def _infer_fill(x: Type, fill_value: Any) -> tuple:
    need_tensor("full_like_", x)
    return ()


fill_ = define("full_like_", kernel=_fill_in_place, infer=_infer_fill, mutates=(0,), functional="fill")


def _arange(start, end, step, dtype: str) -> np.ndarray:
    if scalar_of(step) == 0:
        raise ValueError(NO_STEP)
    return np.arange(scalar_of(start), scalar_of(end), scalar_of(step), dtype=DTYPES[dtype].numpy)


NO_STEP = "arange: step must not be 0"


def _infer_arange(start, end, step, dtype: str) -> TensorType:
    if not all(map(is_number, (start, end, step))):
        return TensorType(dtype, (None,))
    if step == 0:
        raise ValueError(NO_STEP)
    return TensorType(dtype, (max(math.ceil((end - start) / step), 0),))


# start, start + step, ... up to but not including end.
arange = define("arange", kernel=_arange, infer=_infer_arange, raises=("ValueError",), onnx=made.arange)


def _linspace(start, stop, num, dtype: str) -> np.ndarray:
    if int(num) < 1:
        raise ValueError(f"linspace: num must be at least 1, not {int(num)}")
    return np.linspace(scalar_of(start), scalar_of(stop), int(num)).astype(DTYPES[dtype].numpy)


# `num` values from start to stop, both included.
linspace = define(
    "linspace",
    kernel=_linspace,
    infer=lambda start, stop, num, dtype: TensorType(dtype, dims_of((num,))),
    raises=("ValueError",),
    onnx=made.linspace,
)


def _eye(num_rows, num_columns, dtype: str) -> np.ndarray:
    return np.eye(int(num_rows), None if num_columns is None else int(num_columns), dtype=DTYPES[dtype].numpy)


def _infer_eye(num_rows, num_columns, dtype: str) -> TensorType:
    return TensorType(dtype, dims_of((num_rows, num_rows if num_columns is None else num_columns)))


eye = define("eye", kernel=_eye, infer=_infer_eye, onnx=made.eye)


def _infer_triangle(op: str):
    def infer(x: Type, diagonal: Any = 0) -> TensorType:
        tensor = need_tensor(op, x)
        if tensor.shape is not None and len(tensor.shape) < 2:
            raise DTypeError(f"{op} takes a tensor of at least 2 axes, not {tensor}")
        return tensor

    return infer


def _triangle(op: str, of: Callable[[np.ndarray, int], np.ndarray]) -> Callable:
    """The kernel: NumPy makes a matrix of a vector, which is refused here."""

    def kernel(x: np.ndarray, diagonal: Any = 0) -> np.ndarray:
        if x.ndim < 2:
            raise DTypeError(f"{op} takes a tensor of at least 2 axes, not one of shape {list(x.shape)}")
        return of(x, int(diagonal))

    return kernel


# The lower or upper triangle of matrices, zero elsewhere.
tril = define(
    "tril",
    kernel=_triangle("tril", np.tril),
    infer=_infer_triangle("tril"),
    grad=lambda ctx, g: (tril(g, diagonal=ctx.attrs.get("diagonal", 0)),),
    grad_ignores=(0,),
    onnx=made.triangle(upper=False),
)
triu = define(
    "triu",
    kernel=_triangle("triu", np.triu),
    infer=_infer_triangle("triu"),
    grad=lambda ctx, g: (triu(g, diagonal=ctx.attrs.get("diagonal", 0)),),
    grad_ignores=(0,),
    onnx=made.triangle(upper=True),
)
tril_ = define_in_place(tril)
triu_ = define_in_place(triu)


def _one_hot(x: np.ndarray, num_classes, dtype: str = "float32") -> np.ndarray:
    """-1 classes are as many as the largest one says."""
    count = x.max() + 1 if num_classes == -1 else int(num_classes)
    return (x[..., None] == np.arange(count)).astype(DTYPES[dtype].numpy)


def _infer_one_hot(x: Type, num_classes: Any, dtype: str = "float32") -> TensorType:
    tensor = need_tensor("one_hot", x)
    if not DTYPES[tensor.dtype].is_integer:
        raise DTypeError(f"one_hot takes integer classes, not {tensor.dtype}")
    counted = UNKNOWN if num_classes is not UNKNOWN and num_classes == -1 else num_classes
    return TensorType(dtype, None if tensor.shape is None else (*tensor.shape, *dims_of((counted,))))  # type: ignore[misc]


# A last axis of length `num_classes` that is 1 at the class and 0 elsewhere; all 0 for a class out of range.
one_hot = define("one_hot", kernel=_one_hot, in_words=True, infer=_infer_one_hot, onnx=made.one_hot)

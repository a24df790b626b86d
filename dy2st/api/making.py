"""More ways to make a tensor, under Paddle's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import dtype_name, get_default_dtype
from ..ops import elementwise
from ..ops.cast import cast
from ..runtime.tensors.tensor import Tensor
from .checks import describe, need_tensor
from .creation import arange, linspace, to_tensor
from .math import add_
from .modes import set_device

__all__ = (  # fmt: skip
    "as_tensor",
    "asarray",
    "from_numpy",
    "increment",
    "logspace",
    "range",
    "tensor",
)


def tensor(data: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False) -> Tensor:
    """A new Tensor of the shape and with the values of `data`, as `to_tensor` makes it, spelt as in PyTorch.

    requires_grad: whether gradients flow into it. device: "cpu" or None; ValueError for any other. `pin_memory` has no effect.
    """
    if device is not None:
        set_device(device)
    return to_tensor(data, dtype, stop_gradient=not requires_grad)


def as_tensor(data: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False) -> Tensor:
    """As `tensor`, always a copy."""
    return tensor(data, dtype, device, requires_grad)


def asarray(obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False) -> Tensor:
    """As `tensor` of `obj`; always a copy, whatever `copy` says."""
    return tensor(obj, dtype, device, requires_grad)


def from_numpy(ndarray: np.ndarray) -> Tensor:
    """A new Tensor with the shape, the dtype and the values of the array `ndarray`. TypeError: no array."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"from_numpy takes an array, not {describe(ndarray)}")
    return to_tensor(ndarray)


def logspace(start: Any, stop: Any, num: Any, base: Any = 10.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """`num` powers of `base`, the exponents evenly spaced from `start` to `stop`, both included: a vector [num].

    All of them numbers. dtype: the default dtype where None. Computed in float64. ValueError: `num` below 1.

    >>> dy2st.logspace(0, 2, 3).tolist()
    [1.0, 10.0, 100.0]
    """
    exponents = linspace(start, stop, num, "float64")
    return cast(elementwise.power(base, exponents), dtype=dtype_name(dtype or get_default_dtype()))


def range(start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None) -> Tensor:
    """start, start + step, ... up to and including `end`, as a vector; with one argument, from 0 up to it.

    dtype: the default dtype where None.

    >>> dy2st.range(1, 4).tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    if end is None:
        start, end = 0, start
    steps = int((end - start) / step)
    return arange(start, start + (steps + 0.5) * step, step, dtype or get_default_dtype())


def increment(x: Tensor, value: Any = 1.0, name: str | None = None) -> Tensor:
    """Add the number `value` to x in place; x, of any shape and number dtype, is returned.

    Of an integer x the fraction is dropped.
    """
    if not need_tensor("increment", x).dtype.is_floating:
        value = int(value)
    return add_(x, value)

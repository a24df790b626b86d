"""More ways to make a tensor, under Paddle's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype import dtype_name, get_default_dtype
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
    """As `to_tensor`, spelt as in PyTorch."""
    if device is not None:
        set_device(device)
    return to_tensor(data, dtype, stop_gradient=not requires_grad)


def as_tensor(data: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False) -> Tensor:
    """As `tensor`."""
    return tensor(data, dtype, device, requires_grad)


def asarray(obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False) -> Tensor:
    """As `tensor`; always a copy."""
    return tensor(obj, dtype, device, requires_grad)


def from_numpy(ndarray: np.ndarray) -> Tensor:
    """A Tensor with the values of an array."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"from_numpy takes an array, not {describe(ndarray)}")
    return to_tensor(ndarray)


def logspace(start: Any, stop: Any, num: Any, base: Any = 10.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """`num` powers of `base`, the exponents evenly spaced from start to stop, both included."""
    exponents = linspace(start, stop, num, "float64")
    return cast(elementwise.power(base, exponents), dtype=dtype_name(dtype or get_default_dtype()))


def range(start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None) -> Tensor:
    """start, start + step, ... up to and including `end`; of the default dtype unless `dtype` is given."""
    if end is None:
        start, end = 0, start
    steps = int((end - start) / step)
    return arange(start, start + (steps + 0.5) * step, step, dtype or get_default_dtype())


def increment(x: Tensor, value: Any = 1.0, name: str | None = None) -> Tensor:
    """Add `value` to x, a tensor of one element, in place, and return it."""
    if not need_tensor("increment", x).dtype.is_floating:
        value = int(value)
    return add_(x, value)

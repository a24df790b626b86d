"""Changes of dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors import ConversionError
from ....ops.cast import cast
from ....runtime.tensors.tensor import Tensor
from ..registry import node, on_arrays
from ..tensors import dtype_of


@node("Cast", since=6)
def cast_to(x: Tensor, *, to: int, saturate: int = 1, round_mode: str = "up") -> Tensor:
    """How numbers are rounded and bounded is asked of dtypes of 8 bits and fewer, which dy2st lacks."""
    return cast(x, dtype=dtype_of(to))


@on_arrays("Cast")
def cast_ints(x: Any, *, to: int, saturate: int = 1, round_mode: str = "up") -> np.ndarray | None:
    """Ints of which some are staged stay what they are as int64."""
    return x if x.dtype == object and dtype_of(to) == "int64" else None


@node("CastLike")
def cast_like(x: Tensor, like: Tensor, *, saturate: int = 1, round_mode: str = "up") -> Tensor:
    return cast(x, dtype=like.dtype.name)


@node("BitCast")
def bit_cast(x: Tensor, *, to: int) -> Tensor:
    """ConversionError: another dtype of as many bits, whose bits dy2st can't look at."""
    dtype = dtype_of(to)
    if dtype == x.dtype.name:
        return x
    raise ConversionError(f"BitCast from {x.dtype.name} to {dtype} can't be loaded")

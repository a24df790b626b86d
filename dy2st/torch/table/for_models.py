"""What models ask for beside the families."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ..dtypes import name_of, of_name
from ..packages import torch
from .rows import row


@row("_weight_norm")
def weight_norm(v: Any, g: Any, dim: int = 0) -> Any:
    """v of the norms g along one axis."""
    axes = [axis for axis in range(len(v.static_shape)) if axis != dim % len(v.static_shape)]
    return v * (g / api.sqrt(api.sum(v * v, axis=axes, keepdim=True)))


@row("diff", "Tensor.diff")
def diff(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours along an axis."""
    return api.diff(input, n, dim, prepend, append)


@row("Tensor.type")
def type_(self: Any, dtype: Any = None, non_blocking: bool = False) -> Any:
    """Another dtype, or the name of the class of tensors."""
    if dtype is None:
        return torch().empty(0, dtype=of_name(self.type.dtype)).type()
    return self.astype(name_of(torch().empty(0).type(dtype).dtype if isinstance(dtype, str) else dtype))

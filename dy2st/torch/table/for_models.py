"""What models ask for beside the families."""

from __future__ import annotations

from typing import Any

import dy2st as api

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

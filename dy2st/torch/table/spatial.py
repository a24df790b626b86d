"""What the rows of convolution, pooling and padding share: ints for axes, and inputs without a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dy2st as api

from .axes import rank_of


def ints(value: Any, rank: int) -> list:
    """One number for each spatial axis, from a number or a sequence of one or of all."""
    found = list(value) if isinstance(value, tuple | list) else [value]
    return found * rank if len(found) == 1 else found


def batched(function: Callable, input: Any, rank: int, *args: Any, **kwargs: Any) -> Any:
    """function(input, ...) of [N, C, *spatial]; of [C, *spatial] it is that of a batch of one. rank: of the spatial axes."""
    if rank_of(input) != rank + 1:
        return function(input, *args, **kwargs)
    found = function(api.unsqueeze(input, 0), *args, **kwargs)
    return tuple(api.squeeze(x, 0) for x in found) if isinstance(found, tuple) else api.squeeze(found, 0)

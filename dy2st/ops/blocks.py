"""Chains of elementwise steps, block after block: what a step writes is still in the cache when the next one reads it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_BLOCK = 1 << 14  # elements: 128 KiB of float64, which the second cache holds together with one or two temporaries


def in_blocks(function: Callable[[np.ndarray], np.ndarray], x: np.ndarray, dtype: type = np.float64) -> np.ndarray:
    """What `function` gives for each block of the elements of `x`, as `dtype`. The result has the shape and dtype of `x`.

    function(block): an array as long as the block, which is a copy that it may write.
    """
    flat, result = x.reshape(-1), np.empty(x.size, x.dtype)
    for start in range(0, x.size, _BLOCK):
        result[start : start + _BLOCK] = function(flat[start : start + _BLOCK].astype(dtype))
    return result.reshape(x.shape)

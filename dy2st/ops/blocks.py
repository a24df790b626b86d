"""Chains of elementwise steps, block after block: what a step writes is still in the cache when the next one reads it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_BLOCK = 1 << 13  # elements: 64 KiB of float64, which the second cache holds together with a few temporaries


def in_blocks(
    function: Callable[[np.ndarray], np.ndarray], x: np.ndarray, dtype: type = np.float64, out: np.ndarray | None = None
) -> np.ndarray:
    """What `function` gives for each block of the elements of `x`, as `dtype`. The result has the shape and dtype of `x`.

    function(block): an array as long as the block, which is a copy that it may write. out: where the result goes, `x` itself too.
    """
    memory = out if out is not None and out.flags.c_contiguous else np.empty(x.shape, x.dtype)
    flat, result = x.reshape(-1), memory.reshape(-1)
    for start in range(0, x.size, _BLOCK):
        result[start : start + _BLOCK] = function(flat[start : start + _BLOCK].astype(dtype))
    if out is None or out is memory:
        return memory
    np.copyto(out, memory)
    return out

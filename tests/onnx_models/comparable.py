"""Results as nested tuples: their structure and values; a number is what a tensor of no axes is."""

from __future__ import annotations

from typing import Any

import numpy as np

from dy2st import Tensor


def values(value: Any, depth: int = 0) -> Any:
    """Structure and values in comparable form."""
    assert depth < 50, "a container that holds itself"
    if isinstance(value, Tensor):
        value = value.numpy()
    if isinstance(value, bool | int | float | np.ndarray | np.generic):
        array = np.asarray(value)
        return ("array", array.shape, array.tolist())
    if isinstance(value, tuple | list):
        return (type(value).__name__ if type(value) in (tuple, list) else "tuple", *(values(x, depth + 1) for x in value))
    if isinstance(value, dict):
        return ("dict", *((key, values(x, depth + 1)) for key, x in value.items()))
    if value is None or isinstance(value, str):
        return value
    if not hasattr(value, "__dict__"):
        return str(value)
    return ("object", *((key, values(x, depth + 1)) for key, x in sorted(vars(value).items())))

"""Nodes on small constants are computed while they are written.

The condition of a loop, written for its start values, often comes out so. onnxruntime 1.32 crashes where it folds such conditions
of Ifs in Ifs itself, so none is left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .values import OnnxValue

_SMALL = 64  # elements
_KERNELS: dict[str, Callable[..., Any]] = {  # operators without attributes that NumPy computes bit by bit alike
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Neg": np.negative,
    "Equal": np.equal,
    "Less": np.less,
    "LessOrEqual": np.less_equal,
    "Greater": np.greater,
    "GreaterOrEqual": np.greater_equal,
    "And": np.logical_and,
    "Or": np.logical_or,
    "Xor": np.logical_xor,
    "Not": np.logical_not,
    "Where": np.where,
}


def folded(operator: str, inputs: Sequence[OnnxValue | None], attributes: Mapping[str, Any]) -> np.ndarray | None:
    """What a node gives, where all its inputs are small constants of numbers and bools; None elsewhere."""
    arrays = [x.array for x in inputs if x is not None and x.array is not None and x.dtype != "string"]
    if operator not in _KERNELS or attributes or len(arrays) < len(inputs) or max(x.size for x in arrays) > _SMALL:
        return None
    with np.errstate(all="ignore"):
        return np.asarray(_KERNELS[operator](*arrays))

"""Nodes on small constants are computed while they are written.

The condition of a loop, written for its start values, often comes out so. onnxruntime 1.32 crashes where it folds such conditions
of Ifs in Ifs itself, so none is left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ...graphs.lowering.values import GraphValue
from ..packages import onnx

_SMALL = 64  # elements
_FLOATS = "fV"  # kinds of dtypes whose arithmetic may round otherwise elsewhere
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
_OF_INTEGERS = frozenset(  # which onnx computes itself, exactly on integers and bools
    "Cast Concat Expand Gather Max Min Range ReduceMax ReduceMin ReduceSum Reshape Slice Squeeze Unsqueeze".split()
)


def folded(operator: str, inputs: Sequence[GraphValue | None], attributes: Mapping[str, Any]) -> np.ndarray | None:
    """What a node gives, where all its inputs are small constants of numbers and bools; None elsewhere."""
    arrays = [x.array for x in inputs if x is not None and x.array is not None and x.dtype != "string"]
    if not arrays or len(arrays) < len(inputs) or max(x.size for x in arrays) > _SMALL:
        return None
    if operator in _KERNELS and not attributes:
        with np.errstate(all="ignore"):
            return np.asarray(_KERNELS[operator](*arrays))
    if operator in _OF_INTEGERS and not any(x.dtype.kind in _FLOATS for x in arrays):
        return _computed(operator, arrays, attributes)
    return None


def _computed(operator: str, arrays: list[np.ndarray], attributes: Mapping[str, Any]) -> np.ndarray | None:
    """What onnx's own evaluation gives; None where the result is large, or of floats."""
    names = [f"x{k}" for k in range(len(arrays))]
    node = onnx().helper.make_node(operator, names, ["y"], **{key: x for key, x in attributes.items() if x is not None})
    try:
        (found,) = import_module("onnx.reference").ReferenceEvaluator(node).run(None, dict(zip(names, arrays)))
    except (IndexError, TypeError, ValueError, RuntimeError):
        return None  # the run will say what is wrong with it
    array = np.asarray(found)
    return array if array.size <= _SMALL and array.dtype.kind not in _FLOATS else None

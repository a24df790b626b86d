"""What only the elements of tensors tell to be wrong: the Program raises there."""

from __future__ import annotations

import numpy as np

from ..errors import DTypeError
from ..ir.types import TensorType, Type
from .lowered import demands
from .registry import define
from .rules import need_tensor

EXCEPTIONS = {"RuntimeError": RuntimeError, "ValueError": ValueError, "IndexError": IndexError}


def _demand(x: np.ndarray, holds: np.ndarray, says: str, exception: str = "RuntimeError") -> np.ndarray:
    if not holds.all():
        raise EXCEPTIONS[exception](says)
    return x.copy()


def _infer(x: Type, holds: Type, says: str, exception: str = "RuntimeError") -> TensorType:
    if need_tensor("demand", holds).dtype != "bool" or exception not in EXCEPTIONS:
        raise DTypeError(f"demand takes bools that hold, and raises one of {', '.join(EXCEPTIONS)}")
    return need_tensor("demand", x)


# `x`, where all of `holds` does; else an exception that `says` so.
demand = define(
    "demand", kernel=_demand, infer=_infer, grad=lambda ctx, g: (g, None), grad_ignores=(0, 1), onnx=demands.demand,
    raises=("RuntimeError", "ValueError", "IndexError"),
)  # fmt: skip

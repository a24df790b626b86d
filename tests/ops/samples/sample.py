"""What a sample of an operator is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Sample:
    """Operands in native form and attributes with which an operator runs.

    grad: check the gradient against finite differences (floating-point operands only).
    twice: check the second derivative too; off where it is NaN.
    """

    operands: tuple
    attrs: dict[str, Any] = field(default_factory=dict)
    grad: bool = True
    twice: bool = True


def sample(*operands: Any, grad: bool = True, twice: bool = True, **attrs: Any) -> Sample:
    return Sample(operands, attrs, grad, twice)


def values(*shape: int, low: float = -2.0, high: float = 2.0, dtype: str = "float64", seed: int = 0) -> np.ndarray:
    """Different values in [low, high], in no order, none of them nearer than a finite difference to another."""
    count = int(np.prod(shape))
    steps = np.random.default_rng(seed + count).permutation(count)
    return np.asarray(low + (high - low) * (steps + 0.5) / max(count, 1)).reshape(shape).astype(dtype)


def integers(*shape: int, low: int = 0, high: int = 5, dtype: str = "int64", seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, high, shape).astype(dtype)


def flags(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random(shape) < 0.5

"""`dy2st.regularizer`: what weight decay adds to gradients. An optimizer's `weight_decay`, or a ParamAttr's `regularizer`."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["L1Decay", "L2Decay"]


class L2Decay:
    """coeff * p: the gradient of coeff / 2 times the sum of squares."""

    def __init__(self, coeff: float = 0.0):
        self.coeff = float(coeff)

    def gradient(self, value: Any) -> Any:
        """What is added to the gradient of a parameter with this `value`, an array or a Tensor: one of its shape and dtype."""
        return value * self.coeff


class L1Decay(L2Decay):
    """coeff * sign(p): the gradient of coeff times the sum of absolute values."""

    def gradient(self, value: Any) -> Any:
        return (np.sign(value) if isinstance(value, np.ndarray) else value.sign()) * self.coeff

    def __repr__(self) -> str:
        return f"L1Decay({self.coeff})"

"""SGD and Momentum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..runtime.tensor import Tensor
from .optimizer import Optimizer


class SGD(Optimizer):
    """p = p - rate * g."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        parameters: Iterable | None = None,
        weight_decay: float | None = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        name: str | None = None,
    ):
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def _update(self, p: Tensor, value: np.ndarray, g: np.ndarray, rate: float, decay: float) -> None:
        value -= value.dtype.type(rate) * g


class Momentum(Optimizer):
    """v = momentum * v + g; p = p - rate * v, or with `use_nesterov` p - rate * (g + momentum * v)."""

    _slots = ("velocity",)

    def __init__(
        self,
        learning_rate: Any = 0.001,
        momentum: float = 0.9,
        parameters: Iterable | None = None,
        use_nesterov: bool = False,
        weight_decay: float | None = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        rescale_grad: float = 1.0,
        use_multi_tensor: bool = False,
        name: str | None = None,
    ):
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._momentum, self._nesterov, self._rescale = float(momentum), use_nesterov, float(rescale_grad)

    def _update(self, p: Tensor, value: np.ndarray, g: np.ndarray, rate: float, decay: float) -> None:
        kind = value.dtype.type
        if self._rescale != 1.0:
            g = g * kind(self._rescale)
        velocity = self._slots_of(p)["velocity"]
        velocity *= kind(self._momentum)
        velocity += g
        value -= kind(rate) * (g + kind(self._momentum) * velocity if self._nesterov else velocity)

"""Optimizers whose steps follow how large gradients have been: Adagrad, Adadelta, RMSProp, Rprop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..ops import updates
from .optimizer import Optimizer


class Adagrad(Optimizer):
    """m = m + g * g; p = p - rate * g / (sqrt(m) + epsilon) (Duchi et al., 2011).

    m starts at `initial_accumulator_value`. learning_rate, parameters, weight_decay, grad_clip and errors as in `Optimizer`.
    """

    _rule = updates.adagrad
    _slots = ("moment",)

    def __init__(
        self, learning_rate: Any, epsilon: float = 1e-06, parameters: Iterable | None = None, weight_decay: Any = None,
        grad_clip: Any = None, name: str | None = None, initial_accumulator_value: float = 0.0,
    ):  # fmt: skip
        self._own, self._initial = {"epsilon": epsilon}, initial_accumulator_value
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def _new_slots(self, value: np.ndarray) -> dict[str, np.ndarray]:
        return {"moment": np.full_like(value, self._initial)}


class Adadelta(Optimizer):
    """Steps as large as steps have been, relative to gradients (Zeiler, 2012).

        a = rho * a + (1 - rho) * g * g; d = g * sqrt((b + epsilon) / (a + epsilon)); b = rho * b + (1 - rho) * d * d
        p = p - rate * d

    learning_rate, parameters, weight_decay, grad_clip and errors as in `Optimizer`.
    """

    _rule = updates.adadelta
    _slots = ("avg_squared_grad", "avg_squared_update")

    def __init__(
        self, learning_rate: Any = 0.001, epsilon: float = 1e-06, rho: float = 0.95, parameters: Iterable | None = None,
        weight_decay: Any = None, grad_clip: Any = None, name: str | None = None,
    ):  # fmt: skip
        self._own = {"epsilon": epsilon, "rho": rho}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)


class RMSProp(Optimizer):
    """s = rho * s + (1 - rho) * g * g; v = momentum * v + rate * g / sqrt(s + epsilon); p = p - v (Hinton, 2012).

    With `centered`, s is reduced by the square of the running mean of g. learning_rate, parameters, weight_decay, grad_clip and
    errors as in `Optimizer`. ValueError: a negative rho, epsilon or momentum.
    """

    _rule = updates.rmsprop
    _slots = ("momentum", "mean_square", "mean_grad")

    def __init__(
        self, learning_rate: Any, rho: float = 0.95, epsilon: float = 1e-06, momentum: float = 0.0, centered: bool = False,
        parameters: Iterable | None = None, weight_decay: Any = None, grad_clip: Any = None, name: str | None = None,
    ):  # fmt: skip
        self._own = {"rho": rho, "epsilon": epsilon, "momentum": momentum, "centered": centered}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def _checked(self, own: dict[str, Any]) -> dict[str, Any]:
        for what in ("rho", "epsilon", "momentum"):
            if own[what] < 0:
                raise ValueError(f"RMSProp: {what} must not be negative, unlike {own[what]}")
        return {name: bool(value) if name == "centered" else float(value) for name, value in own.items()}


class Rprop(Optimizer):
    """Each element has a step of its own, larger while its gradient keeps its sign (Riedmiller and Braun, 1993).

    The step starts at `learning_rate`, is multiplied by the second of `etas` where the sign stays and the first where it changes
    (and then not taken), and stays within `learning_rate_range`. parameters, grad_clip and errors as in `Optimizer`;
    `multi_precision` has no effect. ValueError: etas that aren't below and above 1, or a range that isn't positive and in order.
    """

    _rule = updates.rprop
    _slots = ("prev", "step")

    def __init__(
        self, learning_rate: Any = 0.001, learning_rate_range: Any = (1e-05, 50), parameters: Iterable | None = None,
        etas: Any = (0.5, 1.2), grad_clip: Any = None, multi_precision: bool = False, name: str | None = None,
    ):  # fmt: skip
        self._own = {"learning_rate_range": learning_rate_range, "etas": etas}
        super().__init__(learning_rate, parameters, None, grad_clip, name)

    def _checked(self, own: dict[str, Any]) -> dict[str, Any]:
        limits, etas = ([float(v) for v in own[name]] for name in ("learning_rate_range", "etas"))
        if not 0 < limits[0] <= limits[1]:
            raise ValueError(f"Rprop: learning_rate_range must be positive and in order, unlike {own['learning_rate_range']}")
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"Rprop: etas must be below 1 and above 1, unlike {own['etas']}")
        return {"limits": limits, "etas": etas}

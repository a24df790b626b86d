"""Relatives of Adam: Adamax, NAdam, RAdam, Lamb. m and v are the running means of the gradient and of its square."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..ops import updates
from ..runtime.tensors.tensor import Tensor
from .optimizer import Optimizer


class Moments(Optimizer):
    """What they share: the two means, and how many steps a parameter has made."""

    _slots: tuple[str, ...] = ("moment1", "moment2", "count")

    def __init__(
        self, learning_rate: Any, beta1: float, beta2: float, epsilon: float, parameters: Iterable | None, weight_decay: Any,
        grad_clip: Any, name: str | None, **others: float,
    ):  # fmt: skip
        self._own = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon, **others}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def _checked(self, own: dict[str, Any]) -> dict[str, Any]:
        for what in ("beta1", "beta2"):
            if not 0 <= own[what] < 1:
                raise ValueError(f"{type(self).__name__}: {what} must be in [0, 1), not {own[what]}")
        return {name: float(number) for name, number in own.items()}

    def _new_slots(self, value: np.ndarray) -> dict[str, np.ndarray]:
        return {"moment1": np.zeros_like(value), "moment2": np.zeros_like(value), "count": np.zeros((), np.int64)}


class Adamax(Moments):
    """u = max(beta2 * u + epsilon, |g|); p = p - rate / (1 - beta1^t) * m / u (Kingma and Ba, 2014).

    m is the running mean of the gradient, t counts the steps. learning_rate, parameters, weight_decay, grad_clip and errors as in
    `Optimizer`. ValueError: a beta outside [0, 1).
    """

    _rule = updates.adamax

    def __init__(
        self, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08,
        parameters: Iterable | None = None, weight_decay: Any = None, grad_clip: Any = None, name: str | None = None,
    ):  # fmt: skip
        super().__init__(learning_rate, beta1, beta2, epsilon, parameters, weight_decay, grad_clip, name)


class NAdam(Moments):
    """Adam with Nesterov's look ahead (Dozat, 2016): the momentum of step t is beta1 * (1 - 0.96^(t * momentum_decay) / 2).

    beta2 and epsilon as in `Adam`; learning_rate, parameters, weight_decay, grad_clip and errors as in `Optimizer`.
    """

    _rule = updates.nadam
    _slots = ("moment1", "moment2", "count", "mu_product")

    def __init__(
        self, learning_rate: Any = 0.002, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08,
        momentum_decay: float = 0.004, parameters: Iterable | None = None, weight_decay: Any = None, grad_clip: Any = None,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__(
            learning_rate, beta1, beta2, epsilon, parameters, weight_decay, grad_clip, name, momentum_decay=momentum_decay
        )

    def _new_slots(self, value: np.ndarray) -> dict[str, np.ndarray]:
        return {**super()._new_slots(value), "mu_product": np.ones(())}


class RAdam(Moments):
    """Adam that takes plain steps along m until enough gradients have been seen to tell their size (Liu et al., 2019).

    beta1, beta2 and epsilon as in `Adam`; learning_rate, parameters, weight_decay, grad_clip and errors as in `Optimizer`.
    """

    _rule = updates.radam

    def __init__(
        self, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08,
        parameters: Iterable | None = None, weight_decay: Any = None, grad_clip: Any = None, name: str | None = None,
    ):  # fmt: skip
        super().__init__(learning_rate, beta1, beta2, epsilon, parameters, weight_decay, grad_clip, name)


class Lamb(Moments):
    """Adam whose step, with weight decay, has the length of the parameter times the rate (You et al., 2019).

    lamb_weight_decay: the decay. `exclude_from_weight_decay_fn(parameter)` says which parameters don't decay; those take a step
    of Adam's, but with `always_adapt`. beta1, beta2 and epsilon as in `Adam`; learning_rate, parameters, grad_clip and errors as
    in `Optimizer`. `multi_precision` has no effect.
    """

    _rule = updates.lamb

    def __init__(
        self, learning_rate: Any = 0.001, lamb_weight_decay: float = 0.01, beta1: float = 0.9, beta2: float = 0.999,
        epsilon: float = 1e-06, parameters: Iterable | None = None, grad_clip: Any = None,
        exclude_from_weight_decay_fn: Callable | None = None, multi_precision: bool = False, always_adapt: bool = False,
        name: str | None = None,
    ):  # fmt: skip
        others = {"lamb_weight_decay": lamb_weight_decay, "always_adapt": always_adapt}
        super().__init__(learning_rate, beta1, beta2, epsilon, parameters, None, grad_clip, name, **others)
        self._excluded = exclude_from_weight_decay_fn

    def _checked(self, own: dict[str, Any]) -> dict[str, Any]:
        numbers = super()._checked(own)
        numbers["decay"] = numbers.pop("lamb_weight_decay")
        return {**numbers, "always_adapt": bool(own["always_adapt"])}

    def _settings(self, p: Tensor, decay: float) -> dict[str, Any]:
        given = self._given_to(p)
        return {**given, "decay": 0.0} if self._excluded is not None and self._excluded(p) else given

"""SGD and Momentum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ops import training
from .optimizer import Optimizer


class SGD(Optimizer):
    """p = p - rate * g. learning_rate, parameters, weight_decay, grad_clip and errors as in `Optimizer`.

    `multi_precision` has no effect.

    >>> w = dy2st.nn.Parameter(np.array([1.0, 2.0]))
    >>> sgd = dy2st.optimizer.SGD(0.5, [w])
    >>> w.sum().backward(); sgd.step(); w.tolist()
    [0.5, 1.5]
    """

    _rule = training.sgd

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


class Momentum(Optimizer):
    """v = momentum * v + g; p = p - rate * v, or with `use_nesterov` p - rate * (g + momentum * v) (Polyak, 1964).

    rescale_grad: what g is multiplied by first. learning_rate, parameters, weight_decay, grad_clip and errors as in `Optimizer`;
    `multi_precision` and `use_multi_tensor` have no effect.
    """

    _rule = training.momentum
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
        self._own = {"momentum": momentum, "use_nesterov": use_nesterov, "rescale_grad": rescale_grad}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def _checked(self, own: dict[str, Any]) -> dict[str, Any]:
        numbers = {"momentum": float(own["momentum"]), "rescale": float(own["rescale_grad"])}
        return {**numbers, "nesterov": bool(own["use_nesterov"])}

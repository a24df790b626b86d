"""Adam and AdamW."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..ops import training
from ..runtime.tensors.tensor import Tensor
from .moments import Moments


class Adam(Moments):
    """Steps scaled by running means of the gradient and of its square (Kingma and Ba, 2014).

        m = beta1 * m + (1 - beta1) * g; v = beta2 * v + (1 - beta2) * g * g
        p = p - rate * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon), where t counts the steps of this parameter

    learning_rate, parameters, weight_decay, grad_clip and errors as in `Optimizer`. `lazy_mode`, `multi_precision` and
    `use_multi_tensor` have no effect. ValueError: a beta outside [0, 1), or `amsgrad`.

    >>> w = dy2st.nn.Parameter(np.array([1.0], "float32"))
    >>> adam = dy2st.optimizer.Adam(0.1, parameters=[w])
    >>> (w * w).sum().backward(); adam.step(); round(w.item(), 3)
    0.9
    """

    _rule = training.adam

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        parameters: Iterable | None = None,
        weight_decay: float | None = None,
        grad_clip: Any = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        use_multi_tensor: bool = False,
        amsgrad: bool = False,
        name: str | None = None,
    ):
        if amsgrad:
            raise ValueError(f"{type(self).__name__}: amsgrad is not supported")
        super().__init__(learning_rate, beta1, beta2, epsilon, parameters, weight_decay, grad_clip, name)

    def _settings(self, p: Tensor, decay: float) -> dict[str, Any]:
        return {**self._given_to(p), "decay": decay}


class AdamW(Adam):
    """Adam with weight decay taken from the parameters, not added to the gradients (Loshchilov and Hutter, 2017).

    First p = p * (1 - rate * weight_decay), then as in `Adam`, whose arguments and errors it has. `apply_decay_param_fun(name)`
    says which parameters decay, `lr_ratio(parameter)` gives a factor of the learning rate. A parameter's own regularizer is added
    to its gradient all the same. TypeError: a weight_decay that is no number.
    """

    _decoupled = True

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-08,
        parameters: Iterable | None = None,
        weight_decay: float = 0.01,
        lr_ratio: Callable | None = None,
        apply_decay_param_fun: Callable | None = None,
        grad_clip: Any = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        amsgrad: bool = False,
        name: str | None = None,
    ):
        super().__init__(learning_rate, beta1, beta2, epsilon, parameters, weight_decay, grad_clip, amsgrad=amsgrad, name=name)
        self._lr_ratio, self._decays = lr_ratio, apply_decay_param_fun

    def _factor_of(self, p: Tensor, group: dict) -> float:
        return super()._factor_of(p, group) * (1.0 if self._lr_ratio is None else self._lr_ratio(p))

    def _decoupled_decay_of(self, p: Tensor, group: dict) -> float:
        return group["weight_decay"] if self._decays is None or self._decays(p.name) else 0.0

    def _group(self, group: dict, shared: dict) -> dict[str, Any]:
        given = group.get("weight_decay", shared["weight_decay"])
        if isinstance(given, bool) or not isinstance(given, (int, float)):
            raise TypeError(f"AdamW: weight_decay must be a number, not {type(given).__name__}")
        return super()._group(group, shared)

"""Activations as layers: ReLU, GELU, Sigmoid, Tanh, Softmax, ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..functional import activation, curves
from ..layer import Layer


def activation_named(name: str) -> Callable[[Tensor], Tensor]:
    """The activation of nn.functional of this name; ValueError where there is none."""
    if name not in activation.__all__ and name not in curves.__all__:
        raise ValueError(f"there is no activation {name!r} in nn.functional")
    return getattr(F, name)  # type: ignore[no-any-return]


class Activation(Layer):
    """Applies one function; its options are the attributes that `_options` names."""

    _options: tuple[str, ...] = ()

    def extra_repr(self) -> str:
        return ", ".join(f"{name}={getattr(self, name)}" for name in self._options)


class ReLU(Activation):
    """max(x, 0), as `nn.functional.relu`: x of any shape -> its shape and dtype."""

    def __init__(self, name: str | None = None):
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x)


class ReLU6(ReLU):
    """min(max(x, 0), 6), as `nn.functional.relu6`."""

    def forward(self, x: Tensor) -> Tensor:
        return F.relu6(x)


class Sigmoid(ReLU):
    """1 / (1 + exp(-x)), as `nn.functional.sigmoid`."""

    def forward(self, x: Tensor) -> Tensor:
        return F.sigmoid(x)


class Tanh(ReLU):
    """The hyperbolic tangent, as `nn.functional.tanh`."""

    def forward(self, x: Tensor) -> Tensor:
        return F.tanh(x)


class Silu(Activation):
    """x * sigmoid(x), as `nn.functional.silu`; with `inplace`, written into x."""

    def __init__(self, inplace: bool = False, name: str | None = None):
        super().__init__()
        self.inplace = inplace

    def forward(self, x: Tensor) -> Tensor:
        return F.silu(x, self.inplace)


SiLU = Silu


class Swish(ReLU):
    """x * sigmoid(x), as `nn.functional.swish`."""

    def forward(self, x: Tensor) -> Tensor:
        return F.swish(x)


class Hardswish(ReLU):
    """x * min(max(x + 3, 0), 6) / 6, as `nn.functional.hardswish`."""

    def forward(self, x: Tensor) -> Tensor:
        return F.hardswish(x)


class Hardsigmoid(ReLU):
    """min(max(x / 6 + 1 / 2, 0), 1), as `nn.functional.hardsigmoid` with its own slope and offset."""

    def forward(self, x: Tensor) -> Tensor:
        return F.hardsigmoid(x)


class GELU(Activation):
    """x * Phi(x), with Phi the normal distribution function, as `nn.functional.gelu`: approximate, shape, dtype and errors."""

    _options = ("approximate",)

    def __init__(self, approximate: bool = False, name: str | None = None):
        super().__init__()
        self.approximate = approximate

    def forward(self, x: Tensor) -> Tensor:
        return F.gelu(x, self.approximate)


class LeakyReLU(Activation):
    """x where x > 0, else negative_slope * x, as `nn.functional.leaky_relu`."""

    _options = ("negative_slope",)

    def __init__(self, negative_slope: float = 0.01, name: str | None = None):
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, x: Tensor) -> Tensor:
        return F.leaky_relu(x, self.negative_slope)


class ELU(Activation):
    """x where x > 0, else alpha * (exp(x) - 1), as `nn.functional.elu`."""

    _options = ("alpha",)

    def __init__(self, alpha: float = 1.0, name: str | None = None):
        super().__init__()
        self.alpha = alpha

    def forward(self, x: Tensor) -> Tensor:
        return F.elu(x, self.alpha)


class Softplus(Activation):
    """log(1 + exp(beta * x)) / beta, as `nn.functional.softplus`; x itself where beta * x > threshold."""

    _options = ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0, name: str | None = None):
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, x: Tensor) -> Tensor:
        return F.softplus(x, self.beta, self.threshold)


class Softmax(Activation):
    """exp(x) divided by its sum along `axis`, as `nn.functional.softmax`."""

    _options = ("axis",)

    def __init__(self, axis: int = -1, name: str | None = None):
        super().__init__()
        self.axis = axis

    def forward(self, x: Tensor) -> Tensor:
        return F.softmax(x, self.axis)


class LogSoftmax(Softmax):
    """The logarithm of softmax along `axis`, as `nn.functional.log_softmax`."""

    def forward(self, x: Tensor) -> Any:
        return F.log_softmax(x, self.axis)

"""Further activations as layers: one function of one number each."""

from __future__ import annotations

from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from .activation import Activation, ReLU


class LogSigmoid(ReLU):
    """log(1 / (1 + exp(-x))), as `nn.functional.log_sigmoid`."""

    def forward(self, x: Tensor) -> Tensor:
        return F.log_sigmoid(x)


class Mish(ReLU):
    """x * tanh(log(1 + exp(x))), as `nn.functional.mish`."""

    def forward(self, x: Tensor) -> Tensor:
        return F.mish(x)


class Softsign(ReLU):
    """x / (1 + |x|), as `nn.functional.softsign`."""

    def forward(self, x: Tensor) -> Tensor:
        return F.softsign(x)


class Tanhshrink(ReLU):
    """x - tanh(x), as `nn.functional.tanhshrink`."""

    def forward(self, x: Tensor) -> Tensor:
        return F.tanhshrink(x)


class CELU(Activation):
    """max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0), as `nn.functional.celu`."""

    _options = ("alpha",)

    def __init__(self, alpha: float = 1.0, name: str | None = None):
        super().__init__()
        self.alpha = alpha

    def forward(self, x: Tensor) -> Tensor:
        return F.celu(x, self.alpha)


class SELU(Activation):
    """scale * (x where x > 0, else alpha * (exp(x) - 1)), as `nn.functional.selu`."""

    _options = ("scale", "alpha")

    def __init__(
        self, scale: float = 1.0507009873554804934193349852946, alpha: float = 1.6732632423543772848170429916717,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__()
        self.scale, self.alpha = scale, alpha

    def forward(self, x: Tensor) -> Tensor:
        return F.selu(x, self.scale, self.alpha)


class Hardtanh(Activation):
    """x cut to [min, max], as `nn.functional.hardtanh`."""

    _options = ("min", "max")

    def __init__(self, min: float = -1.0, max: float = 1.0, name: str | None = None):
        super().__init__()
        self.min, self.max = min, max

    def forward(self, x: Tensor) -> Tensor:
        return F.hardtanh(x, self.min, self.max)


class Hardshrink(Activation):
    """x where |x| > threshold, else 0, as `nn.functional.hardshrink`."""

    _options = ("threshold",)

    def __init__(self, threshold: float = 0.5, name: str | None = None):
        super().__init__()
        self.threshold = threshold

    def forward(self, x: Tensor) -> Any:
        return F.hardshrink(x, self.threshold)


class Softshrink(Hardshrink):
    """x moved towards 0 by `threshold`, and no further than 0, as `nn.functional.softshrink`."""

    def forward(self, x: Tensor) -> Any:
        return F.softshrink(x, self.threshold)


class ThresholdedReLU(Activation):
    """x where x > threshold, else `value`, as `nn.functional.thresholded_relu`."""

    _options = ("threshold", "value")

    def __init__(self, threshold: float = 1.0, value: float = 0.0, name: str | None = None):
        super().__init__()
        self.threshold, self.value = threshold, value

    def forward(self, x: Tensor) -> Any:
        return F.thresholded_relu(x, self.threshold, self.value)

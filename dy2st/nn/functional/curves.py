"""Activations composed of other operators: one function of one number each. Integers are cast to the default dtype."""

from __future__ import annotations

from ...api.checks import floating
from ...api.compare import where
from ...api.in_place import in_place
from ...api.math import abs, clip, tanh, tanh_
from ...ops import activation
from ...runtime.tensors.tensor import Tensor
from .activation import elu, leaky_relu, softmax, softplus

__all__ = [
    "celu", "elu_", "hardshrink", "hardtanh", "hardtanh_", "leaky_relu_", "log_sigmoid", "logsigmoid", "mish", "selu",
    "softmax_", "softshrink", "softsign", "tanh_", "tanhshrink", "thresholded_relu", "thresholded_relu_",
]  # fmt: skip


def celu(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0), in the shape and dtype of x; integers become the default dtype.

    alpha: a number; ZeroDivisionError where 0. See Barron, 2017.
    """
    if alpha == 0:
        raise ZeroDivisionError("celu: alpha cannot be 0")
    return activation.elu(floating("celu", x) / alpha, alpha=1.0) * alpha


def selu(
    x: Tensor, scale: float = 1.0507009873554804934193349852946, alpha: float = 1.6732632423543772848170429916717,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """scale * (x where x > 0, else alpha * (exp(x) - 1)), in the shape and dtype of x (Klambauer et al., 2017).

    scale, alpha: numbers; ValueError where scale isn't above 1, or alpha negative. Integers become the default dtype.
    """
    if scale <= 1.0:
        raise ValueError(f"selu: scale must be above 1, not {scale}")
    if alpha < 0:
        raise ValueError(f"selu: alpha must not be negative, unlike {alpha}")
    return activation.elu(floating("selu", x), alpha=alpha) * scale


def hardtanh(x: Tensor, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Tensor:
    """x cut to [min, max], two numbers, in the shape and dtype of x; integers become the default dtype."""
    x = floating("hardtanh", x)
    return where(x <= min, min, where(x >= max, max, x))  # at the ends, unlike that of clip, the slope is 0


def hardshrink(x: Tensor, threshold: float = 0.5, name: str | None = None) -> Tensor:
    """x where |x| > threshold, else 0, in the shape and dtype of x; integers become the default dtype. threshold: a number."""
    x = floating("hardshrink", x)
    return where(abs(x) > threshold, x, 0.0)


def softshrink(x: Tensor, threshold: float = 0.5, name: str | None = None) -> Tensor:
    """x moved towards 0 by `threshold`, and no further than 0, in the shape and dtype of x; integers become the default dtype.

    ValueError: a negative threshold.
    """
    if threshold < 0:
        raise ValueError(f"softshrink: threshold must not be negative, unlike {threshold}")
    x = floating("softshrink", x)
    return x - clip(x, -threshold, threshold)


def tanhshrink(x: Tensor, name: str | None = None) -> Tensor:
    """x - tanh(x), in the shape and dtype of x; integers become the default dtype."""
    x = floating("tanhshrink", x)
    return x - tanh(x)


def thresholded_relu(x: Tensor, threshold: float = 1.0, value: float = 0.0, name: str | None = None) -> Tensor:
    """x where x > threshold, else `value`, in the shape and dtype of x; integers become the default dtype.

    threshold, value: numbers.
    """
    x = floating("thresholded_relu", x)
    return where(x > threshold, x, value)


def log_sigmoid(x: Tensor, name: str | None = None) -> Tensor:
    """log(1 / (1 + exp(-x))), without overflow, in the shape and dtype of x; integers become the default dtype."""
    x = floating("log_sigmoid", x)
    return -softplus(-x, threshold=float("inf"))


logsigmoid = log_sigmoid


def mish(x: Tensor, name: str | None = None) -> Tensor:
    """x * tanh(log(1 + exp(x))), in the shape and dtype of x (Misra, 2019); integers become the default dtype."""
    x = floating("mish", x)
    return x * tanh(softplus(x))


def softsign(x: Tensor, name: str | None = None) -> Tensor:
    """x / (1 + |x|), in the shape and dtype of x; integers become the default dtype."""
    x = floating("softsign", x)
    return x / (abs(x) + 1.0)


elu_, hardtanh_, leaky_relu_ = in_place(elu), in_place(hardtanh), in_place(leaky_relu)
softmax_, thresholded_relu_ = in_place(softmax), in_place(thresholded_relu)

"""Activations as functions, under Paddle's names. Integers are cast to the default dtype."""

from __future__ import annotations

from typing import Any

from ...api.checks import floating, need_tensor, to_dtype
from ...api.math import sigmoid, tanh
from ...api.tensor_methods import attach
from ...dtypes import dtype_name
from ...ops import activation
from ...ops import softmax as softmax_ops
from ...ops.cast import assign_
from ...runtime.tensors.tensor import Tensor

__all__ = [
    "elu", "gelu", "hardsigmoid", "hardswish", "leaky_relu", "log_softmax", "relu", "relu6", "relu_", "sigmoid", "silu",
    "softmax", "softplus", "swish", "tanh",
]  # fmt: skip


def relu(x: Tensor, name: str | None = None) -> Tensor:
    """max(x, 0), element by element, in the shape and dtype of x.

    >>> dy2st.nn.functional.relu(dy2st.to_tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """
    return activation.relu(need_tensor("relu", x))


def relu_(x: Tensor, name: str | None = None) -> Tensor:
    """max(x, 0), written into x, which keeps its shape and dtype and is returned."""
    activation.relu_(need_tensor("relu_", x))
    return x


def relu6(x: Tensor, name: str | None = None) -> Tensor:
    """min(max(x, 0), 6), element by element, in the shape and dtype of x; integers become the default dtype."""
    return activation.relu6(floating("relu6", x))


def leaky_relu(x: Tensor, negative_slope: float = 0.01, name: str | None = None) -> Tensor:
    """x where x > 0, else negative_slope * x, in the shape and dtype of x; integers become the default dtype.

    negative_slope: a number.
    """
    return activation.leaky_relu(floating("leaky_relu", x), negative_slope=negative_slope)


def elu(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """x where x > 0, else alpha * (exp(x) - 1), in the shape and dtype of x; integers become the default dtype. alpha: a number.

    See Clevert et al., 2016.
    """
    return activation.elu(floating("elu", x), alpha=alpha)


def silu(x: Tensor, inplace: bool = False, name: str | None = None) -> Tensor:
    """x * sigmoid(x), in the shape and dtype of x; integers become the default dtype.

    With `inplace`, written into x, the result.
    """
    found = activation.silu(floating("silu", x))
    if not inplace:
        return found
    assign_(x, found)
    return x


def swish(x: Tensor, name: str | None = None) -> Tensor:
    """x * sigmoid(x), as `silu`."""
    return silu(x)


def gelu(x: Tensor, approximate: Any = False, name: str | None = None) -> Tensor:
    """x * Phi(x), with Phi the normal distribution function (Hendrycks and Gimpel, 2016), in the shape and dtype of x.

    approximate: True or "tanh" for the tanh formula, False or "none" for the exact one; ValueError for another. Integers become
    the default dtype.
    """
    if approximate not in (True, False, "tanh", "none"):
        raise ValueError(f"gelu: approximate is 'tanh', 'none' or a bool, not {approximate!r}")
    return activation.gelu(floating("gelu", x), approximate=approximate in (True, "tanh"))


def hardswish(x: Tensor, name: str | None = None) -> Tensor:
    """x * min(max(x + 3, 0), 6) / 6, in the shape and dtype of x; integers become the default dtype. See Howard et al., 2019."""
    return activation.hardswish(floating("hardswish", x))


def hardsigmoid(x: Tensor, slope: float = 0.1666667, offset: float = 0.5, name: str | None = None) -> Tensor:
    """slope * x + offset, cut to [0, 1], in the shape and dtype of x; integers become the default dtype.

    slope, offset: numbers.
    """
    return activation.hardsigmoid(floating("hardsigmoid", x), slope=slope, offset=offset)


def softplus(x: Tensor, beta: float = 1.0, threshold: float = 20.0, name: str | None = None) -> Tensor:
    """log(1 + exp(beta * x)) / beta; x itself where beta * x > threshold.

    In the shape and dtype of x; integers become the default dtype. beta, threshold: numbers.
    """
    return activation.softplus(floating("softplus", x), beta=beta, threshold=threshold)


def _ready(op: str, x: Tensor, dtype: Any) -> Tensor:
    return floating(op, need_tensor(op, x) if dtype is None else to_dtype(need_tensor(op, x), dtype_name(dtype)))


def softmax(x: Tensor, axis: int = -1, dtype: Any = None, name: str | None = None) -> Tensor:
    """exp(x) divided by its sum along `axis`, in the shape and dtype of x; integers become the default dtype.

    dtype: x is cast to it first. ShapeError: an axis out of range.

    >>> dy2st.nn.functional.softmax(dy2st.to_tensor([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    return softmax_ops.softmax(_ready("softmax", x, dtype), axis=int(axis))


def log_softmax(x: Tensor, axis: int = -1, dtype: Any = None, name: str | None = None) -> Tensor:
    """The logarithm of `softmax` along `axis`, without loss of precision. x, dtype and the result as in `softmax`."""
    return softmax_ops.log_softmax(_ready("log_softmax", x, dtype), axis=int(axis))


for _function in (softmax, relu, relu_):
    attach(_function, _function.__name__)

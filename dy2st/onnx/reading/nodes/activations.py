"""Activations."""

from __future__ import annotations

from ....nn import functional as F
from ....ops import activation, elementwise, select, unary
from ....ops.creation import full_like, one_hot
from ....ops.floats import logaddexp
from ....ops.reduce import argmax
from ....ops.softmax import log_softmax, softmax
from ....ops.views import reshape, transpose
from ....runtime.tensors.tensor import Tensor
from ..axes import flat_at
from ..registry import node


@node("Relu")
def relu(x: Tensor) -> Tensor:
    return activation.relu(x)


@node("LeakyRelu")
def leaky_relu(x: Tensor, *, alpha: float = 0.01) -> Tensor:
    return select.where(x >= 0, x, x * alpha)


@node("PRelu")
def prelu(x: Tensor, slope: Tensor) -> Tensor:
    return select.where(x < 0, elementwise.multiply(x, slope), x)


@node("ThresholdedRelu")
def thresholded_relu(x: Tensor, *, alpha: float = 1.0) -> Tensor:
    return select.where(x > alpha, x, 0.0)


@node("Elu")
def elu(x: Tensor, *, alpha: float = 1.0) -> Tensor:
    return select.where(x > 0, x, unary.expm1(x) * alpha)


@node("Selu")
def selu(x: Tensor, *, alpha: float = 1.67326319217681884765625, gamma: float = 1.05070102214813232421875) -> Tensor:
    return elu(x, alpha=alpha) * gamma


@node("Celu")
def celu(x: Tensor, *, alpha: float = 1.0) -> Tensor:
    return select.where(x > 0, x, unary.expm1(x / alpha) * alpha)


@node("HardSigmoid")
def hard_sigmoid(x: Tensor, *, alpha: float = 0.2, beta: float = 0.5) -> Tensor:
    return select.clip(x * alpha + beta, min=0.0, max=1.0)


@node("HardSwish")
def hard_swish(x: Tensor) -> Tensor:
    return x * hard_sigmoid(x, alpha=1 / 6, beta=0.5)


@node("Swish")
def swish(x: Tensor, *, alpha: float = 1.0) -> Tensor:
    return x * unary.sigmoid(x * alpha)


@node("Softplus")
def softplus(x: Tensor) -> Tensor:
    return logaddexp(x, full_like(x, fill_value=0))


@node("Softsign")
def softsign(x: Tensor) -> Tensor:
    return x / (unary.absolute(x) + 1.0)


@node("Mish")
def mish(x: Tensor) -> Tensor:
    return x * unary.tanh(softplus(x))


@node("Gelu")
def gelu(x: Tensor, *, approximate: str = "none") -> Tensor:
    return F.gelu(x, approximate == "tanh")


@node("Shrink")
def shrink(x: Tensor, *, lambd: float = 0.5, bias: float = 0.0) -> Tensor:
    return select.where(x < -lambd, x + bias, select.where(x > lambd, x - bias, full_like(x, fill_value=0)))


@node("Softmax", since=13)
def softmax_along(x: Tensor, *, axis: int = -1) -> Tensor:
    return softmax(x, axis=axis)


@node("LogSoftmax", since=13)
def log_softmax_along(x: Tensor, *, axis: int = -1) -> Tensor:
    return log_softmax(x, axis=axis)


@node("Hardmax", since=13)
def hardmax_along(x: Tensor, *, axis: int = -1) -> Tensor:
    """1 at the first largest element, 0 elsewhere."""
    rank, axis = x.ndim, axis % x.ndim
    found = one_hot(argmax(x, axis=axis), num_classes=x.shape[axis], dtype=x.dtype.name)
    return transpose(found, perm=[*range(axis), rank - 1, *range(axis, rank - 1)])


@node("Softmax")
def softmax_of_rows(x: Tensor, *, axis: int = 1) -> Tensor:
    """Over all axes from `axis` on, together."""
    return reshape(softmax(flat_at(x, axis), axis=1), shape=x.shape)


@node("LogSoftmax")
def log_softmax_of_rows(x: Tensor, *, axis: int = 1) -> Tensor:
    return reshape(log_softmax(flat_at(x, axis), axis=1), shape=x.shape)


@node("Hardmax")
def hardmax_of_rows(x: Tensor, *, axis: int = 1) -> Tensor:
    return reshape(hardmax_along(flat_at(x, axis), axis=1), shape=x.shape)

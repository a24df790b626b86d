"""Random numbers of more distributions, under Paddle's names."""

from __future__ import annotations

import math
from typing import Any

from ..ops import distributions as ops
from ..ops import elementwise, unary
from ..runtime.tensors.tensor import Tensor
from .checks import floating, need_tensor, operands, plain_scalar
from .memory import copy_
from .random import bernoulli, normal, randint, randn, seed, uniform
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "bernoulli_",
    "binomial",
    "cauchy_",
    "geometric_",
    "log_normal",
    "log_normal_",
    "manual_seed",
    "multinomial",
    "poisson",
    "rand_like",
    "randn_like",
    "standard_gamma",
)

manual_seed = seed


def rand_like(input: Tensor, name: str | None = None, *, dtype: Any = None) -> Tensor:
    """Numbers spread evenly over [0, 1).

    The result has the shape of `input` and `dtype`, a floating one, that of input where None.
    """
    return uniform(need_tensor("rand_like", input, "input").shape, dtype or input.dtype, 0.0, 1.0)


def randn_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """Normally distributed numbers: the result has the shape of x and `dtype`, a floating one, that of x where None."""
    return randn(need_tensor("randn_like", x).shape, dtype or x.dtype)


def poisson(x: Tensor, name: str | None = None) -> Tensor:
    """How many events happen where x are expected, in the shape and dtype of x, which is float."""
    return ops.poisson(floating("poisson", x))


def standard_gamma(x: Tensor, name: str | None = None) -> Tensor:
    """Gamma distributed numbers of the shape parameter x, a tensor of floats of any shape; the result has its shape and dtype."""
    return ops.standard_gamma(floating("standard_gamma", x))


def binomial(count: Tensor, prob: Tensor, name: str | None = None) -> Tensor:
    """How many of `count` trials succeed, each with the probability `prob`: an int64 tensor of the shape to which both broadcast.

    count: integers; prob: floats in [0, 1].
    """
    prob = floating("binomial", prob)
    return ops.binomial(*operands("binomial", need_tensor("binomial", count, "count").astype(prob.dtype), prob))


@tensor_method()
def multinomial(x: Tensor, num_samples: int = 1, replacement: bool = False, name: str | None = None) -> Tensor:
    """`num_samples` places of the vector x [n], or of each row of a matrix [m, n], drawn in proportion to the weights there.

    x: a tensor of floats that aren't negative. replacement: whether a place may be drawn again. The result is an int64 tensor
    [num_samples] or [m, num_samples].
    """
    return ops.multinomial(floating("multinomial", x), count=plain_scalar(num_samples), replacement=bool(replacement))


def log_normal(mean: Any = 1.0, std: Any = 2.0, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor [*shape] of exp of normally distributed numbers. As `normal`: mean, std, shape, dtype."""
    return unary.exp(normal(mean, std, shape))


def _evenly(x: Tensor) -> Tensor:
    """Numbers spread evenly over (0, 1], in the shape and dtype of x."""
    return elementwise.subtract(1.0, uniform(x.shape, x.dtype, 0.0, 1.0))


@tensor_method()
def log_normal_(x: Tensor, mean: Any = 1.0, std: Any = 2.0, name: str | None = None) -> Tensor:
    """Fill x in place with exp of normally distributed numbers, and return it; its shape and floating dtype stay.

    mean, std: numbers, those of the normal distribution.
    """
    return copy_(x, unary.exp(randn(x.shape, x.dtype) * std + mean))


@tensor_method()
def bernoulli_(x: Tensor, p: Any = 0.5, name: str | None = None) -> Tensor:
    """Fill x in place with 1 where an event of probability `p`, a number or a tensor, happens, with 0 elsewhere; x is returned.

    Its shape and dtype stay.
    """
    return copy_(x, bernoulli(x.zeros_like(dtype="float32") + p))


@tensor_method()
def exponential_(x: Tensor, lam: float = 1.0, name: str | None = None) -> Tensor:
    """Fill x in place with exponentially distributed numbers of the rate `lam`, a number, and return it.

    Its shape and floating dtype stay.
    """
    return copy_(x, elementwise.divide(elementwise.negative(unary.log(_evenly(x))), lam))


@tensor_method()
def cauchy_(x: Tensor, loc: Any = 0, scale: Any = 1, name: str | None = None) -> Tensor:
    """Fill x in place with numbers of the Cauchy distribution of `loc` and `scale`, numbers, and return it.

    Its shape and floating dtype stay.
    """
    return copy_(x, unary.tan((_evenly(x) - 0.5) * math.pi) * scale + loc)


@tensor_method()
def geometric_(x: Tensor, probs: Any, name: str | None = None) -> Tensor:
    """Fill x in place with the number of trials up to the first success, of the probability `probs`, a number, and return it.

    Its shape and floating dtype stay.
    """
    return copy_(x, unary.ceil(unary.log(_evenly(x)) / math.log1p(-probs)).clip(1.0))


@tensor_method()
def random_(x: Tensor, from_: int = 0, to: int | None = None) -> Tensor:
    """Fill x in place with integers from `from_` up to but not including `to`, and return it; its shape and dtype stay.

    Where `to` is None, up to the largest integer of the dtype, 2 ** 24 where that is floating.
    """
    limit = 2**24 if x.dtype.is_floating else 2 ** (8 * x.dtype.numpy.itemsize - 1) - 1
    return copy_(x, randint(from_, limit if to is None else to, x.shape, "int64"))

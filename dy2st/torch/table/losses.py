"""Losses of distances and of probabilities."""

from __future__ import annotations

import math
from typing import Any

import dy2st as api

from ...ops.half import in_float32
from ..dtypes import default_float
from .axes import rank_of
from .pointwise import as_dtype, met, past, sloped
from .reduction import reduced, reduction_of
from .rows import demanded, of_lengths, refused, row

F = api.nn.functional


def _weighed(loss: Any, weight: Any, input: Any, reduction: str) -> Any:
    """Reduced with a weight for each element: the mean is that of the weights."""
    if weight is None:
        return reduced(loss, reduction)
    if weight.static_shape != input.static_shape:
        raise ValueError("Weights and input must have the same size.")
    total = reduced(loss * weight, "sum" if reduction == "mean" else reduction)
    return total / api.sum(weight) if reduction == "mean" else total


@row("nn.functional.l1_loss")
def l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = "mean", weight: Any = None
) -> Any:
    """The distances."""
    a, b = met(input, target)
    return _weighed(api.abs(a - b), weight, input, reduction_of(reduction, size_average, reduce))


@row("nn.functional.mse_loss")
def mse_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = "mean", weight: Any = None
) -> Any:
    """The squared distances."""
    a, b = met(input, target)
    return _weighed(api.square(a - b), weight, input, reduction_of(reduction, size_average, reduce))


def _huber(input: Any, target: Any, delta: Any) -> Any:
    a, b = met(input, target)
    far = api.abs(a - b)
    return api.where(far < delta, api.square(a - b) * 0.5, (far - 0.5 * delta) * delta)


@row("nn.functional.huber_loss")
def huber_loss(input: Any, target: Any, reduction: Any = "mean", delta: Any = 1.0, weight: Any = None) -> Any:
    """Squares of small distances, lines of large ones."""
    if delta <= 0:
        raise refused("huber_loss takes a delta above 0")
    found = _huber(input, target, delta)
    if weight is not None and weight.static_shape != input.static_shape:
        raise ValueError("Weights and input must have the same size.")
    return reduced(found if weight is None else found * weight, reduction)


@row("nn.functional.smooth_l1_loss")
def smooth_l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = "mean", beta: Any = 1.0
) -> Any:
    """Squares of small distances, lines of large ones, of slope 1."""
    if beta < 0:
        raise refused("smooth_l1_loss takes a beta of at least 0")
    if beta == 0:
        return l1_loss(input, target, size_average, reduce, reduction)
    return reduced(_huber(input, target, beta) / beta, reduction, size_average, reduce)


@row("nn.functional.soft_margin_loss")
def soft_margin_loss(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = "mean") -> Any:
    """The logistic loss of signs."""
    a, b = met(input, target)
    product = of_lengths(a * b, input.shape, "soft_margin_loss: target doesn't broadcast to the shape of input")
    return reduced(-F.log_sigmoid(product), reduction, size_average, reduce)


def _log(x: Any) -> Any:
    """The logarithm, not below -100."""
    is_above = x > math.exp(-100)
    return api.where(is_above, api.log(api.where(is_above, x, api.ones_like(x))), api.full_like(x, -100))


def _slope_of_cross_entropy(x: Any, target: Any) -> Any:
    """The derivative by the probability, with a least divisor in it and in its own derivatives, as in torch."""
    divisor = api.maximum((1 - x) * x, api.full_like(x, 1e-12))
    slope = past((x - target) / divisor)
    slope = sloped(slope, x, lambda: (x * x - 2 * x * target + target) / (divisor * divisor))
    return sloped(slope, target, lambda: -1 / divisor)


@row("nn.functional.binary_cross_entropy")
@in_float32
def binary_cross_entropy(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: Any = "mean"
) -> Any:
    """The cross entropy of two classes, of probabilities."""
    if list(input.static_shape) != list(target.static_shape):
        raise ValueError(
            f"Using a target size ({list(target.static_shape)}) that is different to the input size "
            f"({list(input.static_shape)}) is deprecated. Please ensure they have the same size."
        )
    target = of_lengths(target, input.shape, "Please ensure that target and input have the same size", "ValueError")
    input = demanded(input, (input >= 0) & (input <= 1), "all elements of input should be between 0 and 1")
    parts = _log(input), _log(1 - input)
    found = past(-(target * parts[0] + (1 - target) * parts[1]))
    found = sloped(found, input, lambda: _slope_of_cross_entropy(input, target))
    found = sloped(found, target, lambda: parts[1] - parts[0])
    return reduced(found if weight is None else found * weight, reduction, size_average, reduce)


@row("nn.functional.binary_cross_entropy_with_logits")
@in_float32
def binary_cross_entropy_with_logits(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: Any = "mean",
    pos_weight: Any = None,
) -> Any:  # fmt: skip
    """The cross entropy of two classes, of logits."""
    if list(input.static_shape) != list(target.static_shape):
        raise ValueError(f"Target size ({list(target.static_shape)}) must be the same as input size ({list(input.static_shape)})")
    target = of_lengths(target, input.shape, "Target size must be the same as input size", "ValueError")
    input, target = met(input, target)
    log_p = F.log_sigmoid(input)
    if pos_weight is None:
        found = (1 - target) * input - log_p
    else:
        found = (1 - target) * input - ((pos_weight - 1) * target + 1) * log_p
    return reduced(found if weight is None else found * weight, reduction, size_average, reduce)


@row("binary_cross_entropy_with_logits")
def torch_bce_with_logits(input: Any, target: Any, weight: Any = None, pos_weight: Any = None, reduction: Any = 1) -> Any:
    """The cross entropy of two classes, of logits."""
    return binary_cross_entropy_with_logits(input, target, weight, reduction=reduction, pos_weight=pos_weight)


def _entropy(x: Any) -> Any:
    """x log(x), 0 at 0; NaN below."""
    return api.where(x == 0, api.zeros_like(x), x * api.log(api.where(x == 0, api.ones_like(x), x)))


@row("nn.functional.kl_div")
@in_float32
def kl_div(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = "mean", log_target: bool = False
) -> Any:
    """The divergence of distributions whose logarithms are the input."""
    a, b = met(input, target)
    found = api.exp(b) * (b - a) if log_target else _entropy(b) - b * a
    if reduction == "batchmean" and size_average is None and reduce is None:
        return api.sum(found) / input.shape[0] if rank_of(input) else api.sum(found)
    return reduced(found, reduction, size_average, reduce)


@row("kl_div")
def torch_kl_div(input: Any, target: Any, reduction: Any = 1, *, log_target: bool = False) -> Any:
    """The divergence of distributions whose logarithms are the input."""
    return kl_div(input, target, reduction=reduction, log_target=log_target)


@row("poisson_nll_loss")
@in_float32
def torch_poisson_nll_loss(input: Any, target: Any, log_input: bool, full: bool, eps: float, reduction: Any) -> Any:
    """Minus the log-likelihood of counts."""
    x, y = met(input, target)
    found = api.exp(x) - y * x if log_input else x - y * api.log(as_dtype(x, _float(x)) + eps)
    if full:
        safe = api.where(y > 1, y, api.ones_like(y))
        more = y * api.log(safe) - y + 0.5 * api.log(2 * math.pi * safe)
        found = found + api.where(y > 1, more, api.zeros_like(more))
    return reduced(found, reduction)


def _float(x: Any) -> str:
    return x.type.dtype if "float" in x.type.dtype else default_float()


@row("nn.functional.poisson_nll_loss")
def poisson_nll_loss(
    input: Any, target: Any, log_input: bool = True, full: bool = False, size_average: Any = None, eps: float = 1e-8,
    reduce: Any = None, reduction: Any = "mean",
) -> Any:  # fmt: skip
    """Minus the log-likelihood of counts."""
    return torch_poisson_nll_loss(input, target, log_input, full, eps, reduction_of(reduction, size_average, reduce))


@row("nn.functional.gaussian_nll_loss")
@in_float32
def gaussian_nll_loss(input: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6, reduction: Any = "mean") -> Any:
    """Minus the log-likelihood of normal distributions. ValueError: a variance is negative."""
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = api.full_like(input, var)
    else:
        var = demanded(var, ~(var < 0), "var has negative entry/entries", "ValueError")
    if rank_of(var) == rank_of(input) - 1:
        var = api.unsqueeze(of_lengths(var, input.shape[:-1], "var is of incorrect size", "ValueError"), -1)
    if rank_of(var) != rank_of(input):
        raise ValueError("var is of incorrect size")
    far = input - target
    var = sloped(api.clip(var, min=eps).detach(), var, lambda: 1.0)
    found = 0.5 * (api.log(var) + far * far / var)
    return reduced(found + 0.5 * math.log(2 * math.pi) if full else found, reduction)

"""Losses that are minus a log-likelihood, and what is built on them, as functions. `reduction` is "mean", "sum" or "none"."""

from __future__ import annotations

import math
from typing import Any

from ...api.checks import floating, known_rank, need_tensor
from ...api.compare import equal, where
from ...api.creation import one_hot
from ...api.linalg import matmul
from ...api.manipulation import reshape, squeeze, unsqueeze
from ...api.math import clip, exp, log, sigmoid, square
from ...api.reduce import mean
from ...errors import ShapeError
from ...ops.half import in_float32
from ...runtime.tensors.grad_mode import no_grad
from ...runtime.tensors.tensor import Tensor
from .activation import softmax
from .loss import binary_cross_entropy_with_logits, cross_entropy, reduced, same_shapes

__all__ = [
    "dice_loss", "gaussian_nll_loss", "log_loss", "npair_loss", "poisson_nll_loss", "sigmoid_focal_loss",
    "softmax_with_cross_entropy", "square_error_cost",
]  # fmt: skip


def square_error_cost(input: Tensor, label: Tensor) -> Tensor:
    """(input - label) squared, element by element: the result has the shape to which both broadcast, and their promoted dtype."""
    return square(need_tensor("square_error_cost", input) - label)


def log_loss(input: Tensor, label: Tensor, epsilon: float = 0.0001, name: str | None = None) -> Tensor:
    """-label * log(input + epsilon) - (1 - label) * log(1 - input + epsilon), element by element.

    input: probabilities of any shape, floats; label: a tensor that broadcasts to it. The result has their shape and dtype.
    """
    x = floating("log_loss", input)
    return -(label * log(x + epsilon)) - (1.0 - label) * log(1.0 - x + epsilon)


@in_float32
def poisson_nll_loss(
    input: Tensor, label: Tensor, log_input: bool = True, full: bool = False, epsilon: float = 1e-8, reduction: str = "mean",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Minus the log-likelihood of counts `label`, for the expected count `input`, or its logarithm with `log_input`.

    input, label: tensors of one shape, integers become the default dtype. With `full` Stirling's approximation of log(label!) is
    added where the label is above 1. epsilon: added to what a logarithm is taken of. reduction: "mean" or "sum" for a 0-d loss,
    "none" for one of their shape. ValueError: an epsilon that isn't positive, other shapes, another reduction.
    """
    op = "poisson_nll_loss"
    if epsilon <= 0:
        raise ValueError(f"{op}: epsilon must be positive, not {epsilon}")
    x = floating(op, input)
    label = same_shapes(op, x, label)
    loss = exp(x) - label * x if log_input else x - label * log(x + epsilon)
    if full:
        stirling = label * log(label) - label + 0.5 * log(2 * math.pi * label)
        loss = loss + where(label > 1, stirling, 0.0)
    return reduced(op, loss, reduction)


@in_float32
def gaussian_nll_loss(
    input: Tensor, label: Tensor, variance: Tensor, full: bool = False, epsilon: float = 1e-6, reduction: str = "mean",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Minus the log-likelihood of `label`, for normal distributions with means `input` and variances `variance`.

    input, label: tensors of one shape, integers become the default dtype. variance has that shape, perhaps with length 1 in place
    of the last axis, or without that; ValueError for another. It counts as `epsilon` at least. full: whether the constant log(2
    pi) / 2 is added. reduction: "mean" or "sum" for a 0-d loss, "none" for one of their shape.
    """
    op = "gaussian_nll_loss"
    x, variance = floating(op, input), floating(op, variance)
    missing = known_rank(op, x) - known_rank(f"{op} (for the variance)", variance)
    if missing == 1:
        variance = unsqueeze(variance, -1)
    if missing not in (0, 1):
        raise ValueError(f"{op}: the variance {variance.type} doesn't fit the input {x.type}")
    with no_grad():
        variance = clip(variance, min=epsilon)
    loss = 0.5 * (log(variance) + square(x - label) / variance)
    return reduced(op, loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction)


@in_float32
def sigmoid_focal_loss(
    logit: Tensor, label: Tensor, normalizer: Tensor | None = None, alpha: float = 0.25, gamma: float = 2.0,
    reduction: str = "sum", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Binary cross entropy times (1 - probability of the label) ** gamma, weighed by alpha for 1 and 1 - alpha for 0.

    logit: numbers of any shape; label: 0 or 1, of that shape, in a floating dtype. Divided by `normalizer`, of no axis or one,
    where given; ValueError for more. reduction: "mean" or "sum" for a 0-d loss, "none" for one of their shape. See Lin et al.,
    2017.
    """
    op = "sigmoid_focal_loss"
    x = floating(op, logit)
    if normalizer is not None and (normalizer.type.rank or 0) > 1:
        raise ValueError(f"{op}: normalizer has no axis or one, unlike {normalizer.type}")
    p = sigmoid(x)
    missed = 1.0 - (p * label + (1.0 - p) * (1.0 - label))
    share = label * alpha + (1.0 - label) * (1.0 - alpha)
    loss = share * missed**gamma * binary_cross_entropy_with_logits(x, label, reduction="none")
    return reduced(op, loss if normalizer is None else loss / normalizer, reduction)


@in_float32
def dice_loss(input: Tensor, label: Tensor, epsilon: float = 0.00001, name: str | None = None) -> Tensor:
    """1 - 2 * |both| / (|input| + |label|), averaged over the batch: input [N, ..., C], label [N, ..., 1] of integers.

    epsilon: added to the divisor. The result is 0-d, in the dtype of input. ShapeError: other numbers of axes.
    """
    x = floating("dice_loss", input)
    rank = known_rank("dice_loss", x)
    if rank < 2 or known_rank("dice_loss (for the label)", label) != rank:
        raise ShapeError(f"dice_loss takes tensors [N, ..., C] and [N, ..., 1], not {x.type} and {label.type}")
    wanted = one_hot(squeeze(label, -1), x.shape[-1]).astype(x.dtype)
    axes = list(range(1, rank))
    total = x.sum(axes) + wanted.sum(axes)
    return mean(1 - (x * wanted).sum(axes) * 2 / (total + epsilon))


def softmax_with_cross_entropy(
    logits: Tensor, label: Tensor, soft_label: bool = False, ignore_index: int = -100, numeric_stable_mode: bool = True,
    return_softmax: bool = False, axis: int = -1,
) -> Any:  # fmt: skip
    """`cross_entropy` without reduction, with length 1 in place of the classes; with `return_softmax` also the probabilities.

    logits [..., C, ...] with the classes along `axis`; label, soft_label, ignore_index, dtypes and errors as in `cross_entropy`.
    `numeric_stable_mode` has no effect.
    """
    loss = cross_entropy(logits, label, None, ignore_index, "none", soft_label, axis)
    if label.type.rank != logits.type.rank:
        loss = unsqueeze(loss, axis)
    return (loss, softmax(logits, axis)) if return_softmax else loss


def npair_loss(anchor: Tensor, positive: Tensor, labels: Tensor, l2_reg: float = 0.002) -> Tensor:
    """Cross entropy of the products anchor @ positive^T, with those of equal labels wanted, and an L2 term (Sohn, 2016).

    anchor, positive: [N, D] of floats; labels: [N]. l2_reg: the factor of the L2 term. The result is 0-d.
    """
    x, y = floating("npair_loss", anchor), floating("npair_loss", positive)
    labels = reshape(need_tensor("npair_loss", labels, "labels"), [-1, 1])
    same = equal(labels, reshape(labels, [1, -1])).astype(x.dtype)
    wanted = same / same.sum(1, keepdim=True)
    sizes = mean(square(x).sum(1)) + mean(square(y).sum(1))
    losses = softmax_with_cross_entropy(matmul(x, y, transpose_y=True), wanted, soft_label=True)
    return sizes * (0.25 * l2_reg) + mean((wanted * losses).sum(0))

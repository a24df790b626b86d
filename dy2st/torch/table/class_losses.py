"""Losses of classes: cross entropy, margins, and alignments."""

from __future__ import annotations

import math
from typing import Any

import dy2st as api

from ...nn.functional.loss_ctc import path_losses
from ..dtypes import kind_of
from .axes import rank_of
from .linear import linear
from .reduction import reduced, reduction_of
from .rows import counted, demanded, of_lengths, refused, row

F = api.nn.functional


def _nll(log_p: Any, target: Any, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """Minus the log-probabilities of the classes [N, C, ...], weighed; and the weights."""
    if weight is not None:
        weight = of_lengths(weight, [log_p.shape[1]], "weight has an element for each class")
    losses = F.nll_loss(log_p, target, ignore_index=ignore_index, reduction="none")
    counts = target != ignore_index
    if weight is None:
        return losses, counts.astype(log_p.type.dtype)
    safe = api.where(counts, target, api.zeros_like(target))
    found = api.reshape(api.index_select(weight, api.reshape(safe, [-1]), 0), list(target.shape))
    weights = api.where(counts, found, api.zeros_like(found))
    return losses * weights, weights


def _nll_loss(log_p: Any, target: Any, weight: Any, ignore_index: int, kind: str) -> Any:
    losses, weights = _nll(log_p, target, weight, ignore_index)
    return api.sum(losses) / api.sum(weights) if kind == "mean" else reduced(losses, kind)


def _with_a_batch(x: Any, target: Any, labels: bool) -> tuple[Any, Any, bool]:
    """[N, C, ...] and its target; of [C] a batch of one, and whether it is that."""
    if rank_of(x) != 1:
        return x, target, False
    return api.unsqueeze(x, 0), api.reshape(target, [1]) if labels else api.unsqueeze(target, 0), True


@row("nn.functional.nll_loss")
def nll_loss(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: int = -100, reduce: Any = None,
    reduction: Any = "mean",
) -> Any:  # fmt: skip
    """Minus the log-probabilities of the classes."""
    x, target, is_single = _with_a_batch(input, target, True)
    kind = reduction_of(reduction, size_average, reduce)
    found = _nll_loss(x, target.astype("int64"), weight, ignore_index, kind)
    return api.squeeze(found, 0) if is_single and kind == "none" else found


@row("nn.functional.cross_entropy")
def cross_entropy(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: int = -100, reduce: Any = None,
    reduction: Any = "mean", label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    """The cross entropy of logits and classes, or probabilities of them."""
    kind = reduction_of(reduction, size_average, reduce)
    has_labels = kind_of(target.type.dtype) == "int"
    x, target, is_single = _with_a_batch(input, target, has_labels)
    log_p = F.log_softmax(x, axis=1)
    function = _of_labels if has_labels else _of_probabilities
    found = function(log_p, target, weight, ignore_index, kind, label_smoothing)
    return api.squeeze(found, 0) if is_single and kind == "none" else found


def _classwise(weight: Any, rank: int) -> Any:
    return api.reshape(weight, [1, -1] + [1] * (rank - 2))


def _of_labels(log_p: Any, target: Any, weight: Any, ignore_index: int, kind: str, smoothing: float) -> Any:
    losses, weights = _nll(log_p, target, weight, ignore_index)
    if smoothing:
        smooth = -api.sum(log_p if weight is None else log_p * _classwise(weight, rank_of(log_p)), axis=1)
        smooth = api.where(target != ignore_index, smooth, api.zeros_like(smooth))
        losses = losses * (1 - smoothing) + smooth * (smoothing / log_p.shape[1])
    return api.sum(losses) / api.sum(weights) if kind == "mean" else reduced(losses, kind)


def _of_probabilities(log_p: Any, target: Any, weight: Any, ignore_index: int, kind: str, smoothing: float) -> Any:
    if ignore_index >= 0:
        raise refused("cross_entropy: ignore_index is not supported for a floating point target")
    if smoothing:
        target = target * (1 - smoothing) + smoothing / log_p.shape[1]
    terms = log_p * target
    losses = -api.sum(terms if weight is None else terms * _classwise(weight, rank_of(log_p)), axis=1)
    return reduced(losses, kind)


@row("nn.functional.linear_cross_entropy")
def linear_cross_entropy(
    input: Any, linear_weight: Any, target: Any, *, linear_bias: Any = None, weight: Any = None, reduction: Any = "mean",
    ignore_index: Any = None, label_smoothing: float = 0.0, options: Any = None,
) -> Any:  # fmt: skip
    """The cross entropy of what a linear layer gives. The options, of how much is in memory at once, change nothing."""
    classes, *features, width = linear_weight.shape
    bias = None if linear_bias is None else api.reshape(linear_bias, [-1])
    logits = linear(input, api.reshape(linear_weight, [-1, width]), bias)
    logits = api.reshape(logits, [*input.shape[:-1], classes, *features])
    ignored = -100 if ignore_index is None else ignore_index
    if options is not None and kind_of(target.type.dtype) == "int":
        says = "linear_cross_entropy: a target is none of the classes"
        target = demanded(target, (target == ignored) | (target >= 0) & (target < classes), says)
    return cross_entropy(logits, target, weight, ignore_index=ignored, reduction=reduction, label_smoothing=label_smoothing)


@row("nn.functional.multi_margin_loss")
def multi_margin_loss(
    input: Any, target: Any, p: Any = 1, margin: Any = 1.0, weight: Any = None, size_average: Any = None, reduce: Any = None,
    reduction: Any = "mean",
) -> Any:  # fmt: skip
    """How little the class is above the others."""
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    kind = reduction_of(reduction, size_average, reduce)
    x = api.reshape(input, [1, -1]) if rank_of(input) < 2 else input
    labels = counted(api.reshape(target, [-1, 1]), x.shape[1], "multi_margin_loss")
    own = api.take_along_axis(x, labels, 1)
    short = api.maximum(margin - own + x, api.zeros_like(x))
    short = short * short if p == 2 else short
    if weight is not None:
        short = short * api.reshape(api.index_select(weight, api.reshape(labels, [-1]), 0), [-1, 1])
    is_other = api.not_equal(api.arange(0, x.shape[1], 1, "int64"), labels)
    losses = api.sum(api.where(is_other, short, api.zeros_like(short)), axis=1) / x.shape[1]
    losses = api.reshape(losses, list(target.shape)) if kind == "none" else losses
    return reduced(losses, kind)


@row("nn.functional.multilabel_margin_loss")
def multilabel_margin_loss(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = "mean") -> Any:
    """How little the classes, listed up to the first -1, are above the others."""
    kind = reduction_of(reduction, size_average, reduce)
    if rank_of(input) + rank_of(target):
        target = of_lengths(target, input.shape, "multilabel_margin_loss: input and target have one shape")
    x, labels = (api.reshape(t, [1, -1]) if rank_of(t) < 2 else t for t in (input, target))
    counts = api.equal(api.cumsum((labels < 0).astype("int64"), axis=1), 0)
    safe = api.where(counts, labels, api.zeros_like(labels))
    places = api.arange(0, x.shape[1], 1, "int64")
    is_class = api.any((api.unsqueeze(safe, 2) == places) & api.unsqueeze(counts, 2), axis=1)
    own = api.unsqueeze(api.take_along_axis(x, safe, 1), 2)
    short = 1 - (own - api.unsqueeze(x, 1))
    is_pair = api.unsqueeze(counts, 2) & api.unsqueeze(~is_class, 1)
    short = api.where(is_pair, api.maximum(short, api.zeros_like(short)), api.zeros_like(short))
    losses = api.sum(short, axis=[1, 2]) / x.shape[1]
    losses = api.reshape(losses, list(input.shape)[:-1]) if kind == "none" and rank_of(input) < 2 else losses
    return reduced(losses, kind)


def _lengths(given: Any) -> Any:
    return given.astype("int64") if isinstance(given, api.Tensor) else api.to_tensor(list(given), dtype="int64")


def _in_rows(targets: Any, lengths: Any) -> Any:
    """[N, S] labels of what is given one after the other; behind the end of a row there are others."""
    starts = api.unsqueeze(api.cumsum(lengths, axis=0) - lengths, 1)
    places = starts + api.arange(0, api.max(lengths).item(), 1, "int64")
    safe = api.clip(places, 0, targets.shape[0] - 1)
    return api.reshape(api.index_select(targets, api.reshape(safe, [-1]), 0), list(safe.shape))


@row("nn.functional.ctc_loss", "ctc_loss")
def ctc_loss(
    log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: Any = "mean",
    zero_infinity: bool = False,
) -> Any:  # fmt: skip
    """Minus the log-probability that the steps read as the labels, blanks and repetitions left out."""
    kind = reduction_of(reduction)
    is_single = rank_of(log_probs) == 2
    x = api.unsqueeze(log_probs, 1) if is_single else log_probs
    steps, lengths = (api.reshape(_lengths(n), [-1]) for n in (input_lengths, target_lengths))
    steps, lengths = (of_lengths(n, [x.shape[1]], "ctc_loss: each sample has a length") for n in (steps, lengths))
    steps = demanded(steps, (steps >= 0) & (steps <= x.shape[0]), "ctc_loss: an input length is negative, or too large")
    lengths = demanded(lengths, lengths >= 0, "ctc_loss: a target length is negative")
    if rank_of(targets) == 1:
        says = "ctc_loss: targets has as many elements as its lengths tell"
        targets = demanded(targets, api.sum(lengths) == targets.shape[0], says)
    labels = _in_rows(targets, lengths) if rank_of(targets) == 1 else targets
    normal = F.log_softmax(x, axis=-1)  # torch's gradients are those of normalized probabilities
    losses, cannot = path_losses(normal + (x - normal).detach(), labels.astype("int64"), steps, lengths, blank)
    losses = api.where(cannot, api.full_like(losses, 0.0 if zero_infinity else math.inf), losses)
    if kind == "mean":
        return api.mean(losses / api.clip(lengths, min=1).astype(losses.type.dtype))
    return api.squeeze(losses, 0) if is_single and kind == "none" else reduced(losses, kind)

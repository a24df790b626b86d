"""Connectionist temporal classification (Graves et al., 2006)."""

from __future__ import annotations

from typing import Any

from ...api.checks import floating, known_rank
from ...api.compare import not_equal, where
from ...api.converted import converted
from ...api.creation import full
from ...api.gathering import take_along_axis
from ...api.joining import concat, stack
from ...api.manipulation import reshape, unsqueeze
from ...api.math import exp, log, maximum
from ...api.reduce import max as largest
from ...api.reduce import mean
from ...errors import ShapeError
from ...runtime.library.turns import repeated
from ...runtime.tensors.tensor import Tensor
from .activation import log_softmax
from .loss import reduced

__all__ = ["ctc_loss"]

NEVER = -1e30  # the logarithm of a probability of 0, such that differences of it are numbers


def ctc_loss(
    log_probs: Tensor, labels: Tensor, input_lengths: Tensor, label_lengths: Tensor, blank: int = 0, reduction: str = "mean",
    norm_by_times: bool = False, zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """Minus the log-probability that a row of `log_probs` reads as its labels, blanks and repetitions left out.

    log_probs: logits [T, N, C], to which a softmax is applied, of floats; labels: integers [N, L], the first `label_lengths` [N]
    of each row count, as do the first `input_lengths` [N] steps. blank: the class that stands for no label. reduction: "mean" or
    "sum" for a 0-d loss, "none" for [N]; the mean is that of the losses divided by their label lengths. With `zero_infinity` a
    row whose labels don't fit into its steps counts 0. See Graves et al., 2006. ShapeError: other numbers of axes.
    NotImplementedError: `norm_by_times`.
    """
    x = floating("ctc_loss", log_probs)
    if known_rank("ctc_loss", x) != 3 or known_rank("ctc_loss (for the labels)", labels) != 2:
        raise ShapeError(f"ctc_loss takes logits [T, N, C] and labels [N, L], not {x.type} and {labels.type}")
    if norm_by_times:
        raise NotImplementedError("ctc_loss: norm_by_times=True is not supported; divide the loss by input_lengths")
    loss, cannot = path_losses(log_softmax(x), labels.astype("int64"), input_lengths, label_lengths, blank)
    if zero_infinity:
        loss = where(cannot, 0.0, loss)
    if reduction == "mean":
        return mean(loss / label_lengths.astype(loss.dtype))
    return reduced("ctc_loss", loss, reduction)


def path_losses(
    steps: Tensor, labels: Tensor, input_lengths: Tensor, label_lengths: Tensor, blank: int
) -> tuple[Tensor, Tensor]:
    """Minus the log-probability of the labels of each row, given those of each step [T, N, C]; and whether it cannot be."""
    states = _between_blanks(labels, blank)
    alpha = converted(repeated)(
        _forward(steps, states, input_lengths), steps.shape[0] - 1, _start(steps[0], states, label_lengths)
    )
    last = label_lengths.astype("int64").reshape([-1, 1]) * 2
    ends = stack([take_along_axis(alpha, last, 1), take_along_axis(alpha, maximum(last - 1, last * 0), 1)])
    ends = where(stack([last >= 0, last > 0]), ends, NEVER)
    loss = -reshape(_log_sum(ends), [-1])
    return loss, loss > -NEVER / 2


def _between_blanks(labels: Tensor, blank: int) -> Tensor:
    """[N, 2 L + 1]: a blank before, between and after the labels."""
    n, length = labels.shape
    pairs = reshape(stack([labels * 0 + blank, labels], axis=2), [n, 2 * length])
    return concat([pairs, full([n, 1], blank, "int64")], axis=1)


def _start(first: Tensor, states: Tensor, label_lengths: Tensor) -> Tensor:
    """The log-probability [N, S] of being in each state after the first step: only the first two can be."""
    seen = take_along_axis(first, states, 1)
    nothing = states * 0.0 + NEVER
    return concat([seen[:, :1], where((label_lengths > 0).reshape([-1, 1]), seen[:, 1:2], NEVER), nothing[:, 2:]], axis=1)


def _forward(steps: Tensor, states: Tensor, input_lengths: Tensor) -> Any:
    """What one step further does with these log-probabilities: a state is kept, or entered from the one or two before it."""
    n = states.shape[0]
    gap = full([n, 2], NEVER, steps.dtype)
    other = concat([full([n, 2], False, "bool"), not_equal(states[:, 2:], states[:, :-2])], axis=1)

    def step(t: Any, alpha: Tensor) -> Tensor:
        one = concat([gap[:, :1], alpha[:, :-1]], axis=1)
        two = where(other, concat([gap, alpha[:, :-2]], axis=1), NEVER)
        found = _log_sum(stack([alpha, one, two])) + take_along_axis(steps[t + 1], states, 1)
        return where(unsqueeze(input_lengths > t + 1, 1), found, alpha)

    return step


def _log_sum(x: Tensor) -> Tensor:
    """log(sum(exp(x))) along the first axis."""
    top = largest(x, axis=0, keepdim=True).detach()
    return log(exp(x - top).sum(0)) + top.squeeze(0)

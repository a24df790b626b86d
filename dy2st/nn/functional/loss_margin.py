"""Losses that want scores or distances to be apart by a margin, as functions. `reduction` is "mean", "sum" or "none"."""

from __future__ import annotations

from collections.abc import Callable

from ...api.checks import floating, known_rank, need_tensor
from ...api.compare import equal, not_equal, where
from ...api.converted import converted
from ...api.creation import one_hot
from ...api.gathering import gather, take_along_axis
from ...api.known import of_some_length
from ...api.manipulation import unsqueeze
from ...api.math import clip, exp, log, minimum, sqrt
from ...api.reduce import cumprod, mean
from ...errors import ShapeError
from ...runtime.tensors.tensor import Tensor
from .activation import relu
from .curves import log_sigmoid
from .distance import pairwise_distance
from .loss import reduced, same_shapes

__all__ = [
    "cosine_embedding_loss", "hinge_embedding_loss", "margin_ranking_loss", "multi_label_margin_loss",
    "multi_label_soft_margin_loss", "multi_margin_loss", "soft_margin_loss", "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
]  # fmt: skip


def margin_ranking_loss(
    input: Tensor, other: Tensor, label: Tensor, margin: float = 0.0, reduction: str = "mean", name: str | None = None
) -> Tensor:
    """max(0, margin - label * (input - other)): where the label is 1, input should be the larger one, where it is -1 other.

    input, other, label: tensors whose shapes broadcast and whose dtypes are promoted. margin: a number. reduction: "mean" or
    "sum" for a 0-d loss, "none" for one of their shape; ValueError for another.
    """
    x = floating("margin_ranking_loss", input)
    return reduced("margin_ranking_loss", relu((other - x) * label + margin), reduction)


def hinge_embedding_loss(
    input: Tensor, label: Tensor, margin: float = 1.0, reduction: str = "mean", name: str | None = None
) -> Tensor:
    """The distance `input` where the label is 1, max(0, margin - input) where it is -1.

    input, label: tensors of one shape; integers become the default dtype. margin, reduction and the loss as in
    `margin_ranking_loss`.
    """
    x = floating("hinge_embedding_loss", input)
    loss = where(equal(label, 1.0), x, 0.0) + where(equal(label, -1.0), relu(margin - x), 0.0)
    return reduced("hinge_embedding_loss", loss, reduction)


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, label: Tensor, margin: float = 0, reduction: str = "mean", name: str | None = None
) -> Tensor:
    """1 - cos where the label [N] is 1, max(0, cos - margin) where it is -1; input1 and input2 are [N, M] or [M].

    They are of floats; margin: a number. reduction: "mean" or "sum" for a 0-d loss, "none" for [N]; ValueError for another, or
    for other shapes.
    """
    op = "cosine_embedding_loss"
    a, b = floating(op, input1), floating(op, input2)
    b = same_shapes(op, a, b)
    if need_tensor(op, label, "label").type.rank not in (1, None) or (a.type.rank or 0) > 2:
        raise ValueError(f"{op} takes a label [N] and inputs [N, M] or [M], not {label.type} and {a.type}")
    sizes = ((a * a).sum(-1) + 1e-11) * ((b * b).sum(-1) + 1e-11)
    cos = (a * b).sum(-1) / sqrt(sizes)
    loss = where(equal(label, 1), 1.0 - cos, 0.0) + where(equal(label, -1), clip(cos - margin, min=0.0), 0.0)
    return reduced(op, loss, reduction)


def triplet_margin_with_distance_loss(
    input: Tensor, positive: Tensor, negative: Tensor, distance_function: Callable | None = None, margin: float = 1.0,
    swap: bool = False, reduction: str = "mean", name: str | None = None,
) -> Tensor:  # fmt: skip
    """max(0, d(input, positive) - d(input, negative) + margin), with d `distance_function`, or the Euclidean distance.

    input, positive, negative: tensors [N, D] of floats; the function takes two and gives [N]. With `swap` the smaller of d(input,
    negative) and d(positive, negative) counts. reduction: "mean" or "sum" for a 0-d loss, "none" for [N]. ValueError: a negative
    margin, shapes that differ, another reduction.
    """
    op = "triplet_margin_with_distance_loss"
    if margin < 0:
        raise ValueError(f"{op}: margin must not be negative, unlike {margin}")
    positive, negative = same_shapes(op, input, positive), same_shapes(op, input, negative)
    distance = pairwise_distance if distance_function is None else converted(distance_function)
    near, far = distance(input, positive), distance(input, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return reduced(op, clip(near - far + margin, min=0.0), reduction)


def triplet_margin_loss(
    input: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, epsilon: float = 1e-6,
    swap: bool = False, reduction: str = "mean", name: str | None = None,
) -> Tensor:  # fmt: skip
    """max(0, |input - positive| - |input - negative| + margin) with the p-norm of the difference, to which `epsilon` is added.

    As `triplet_margin_with_distance_loss`: margin, swap, reduction, shapes and errors.
    """
    return triplet_margin_with_distance_loss(
        input, positive, negative, lambda x, y: pairwise_distance(x, y, p, epsilon), margin, swap, reduction
    )


def soft_margin_loss(input: Tensor, label: Tensor, reduction: str = "mean", name: str | None = None) -> Tensor:
    """log(1 + exp(-label * input)), for labels 1 and -1. input, label: tensors of one shape, ValueError for others; floats.

    reduction: "mean" or "sum" for a 0-d loss, "none" for one of their shape; ValueError for another.
    """
    x = floating("soft_margin_loss", input)
    label = same_shapes("soft_margin_loss", x, label)
    return reduced("soft_margin_loss", log(exp(-(label.astype(x.dtype) * x)) + 1.0), reduction)


def multi_label_soft_margin_loss(
    input: Tensor, label: Tensor, weight: Tensor | None = None, reduction: str = "mean", name: str | None = None
) -> Tensor:
    """The mean over the classes (the last axis) of the binary cross entropy of sigmoid(input).

    input, label: [..., C], floats and 0 or 1; ValueError for different shapes. weight: a factor that broadcasts to them, or None.
    reduction: "mean" or "sum" for a 0-d loss, "none" for [...].
    """
    op = "multi_label_soft_margin_loss"
    x = floating(op, input)
    label = same_shapes(op, x, label)
    loss = -(log_sigmoid(x) * label + log_sigmoid(-x) * (1 - label))
    return reduced(op, mean(loss if weight is None else loss * weight, axis=-1), reduction)


def multi_margin_loss(
    input: Tensor, label: Tensor, p: int = 1, margin: float = 1.0, weight: Tensor | None = None, reduction: str = "mean",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The mean over the other classes of max(0, margin - x[label] + x) ** p: input [N, C], label [N], weight [C] or None.

    input: x, of floats; label: integers. margin, p: numbers. reduction: "mean" or "sum" for a 0-d loss, "none" for [N];
    ValueError for another.
    """
    op = "multi_margin_loss"
    x = of_some_length(op, floating(op, input), 1, "there are no classes")
    label = need_tensor(op, label, "label").reshape([-1, 1])
    each = clip(margin - take_along_axis(x, label, 1) + x, min=0.0) ** p
    loss = mean(each, axis=1) - margin**p / x.shape[1]  # the label's own margin doesn't count
    if weight is not None:
        loss = loss * gather(weight, label.reshape([-1]))
    return reduced(op, loss, reduction)


def multi_label_margin_loss(input: Tensor, label: Tensor, reduction: str = "mean", name: str | None = None) -> Tensor:
    """The sum over targets t and other classes c of max(0, 1 - x[t] + x[c]), divided by the number of classes.

    input: x [N, C], floats; label: integers [N, C], which has the targets of each row first, then -1. reduction: "mean" or "sum"
    for a 0-d loss, "none" for [N]. ShapeError: other numbers of axes.
    """
    op = "multi_label_margin_loss"
    x = floating(op, input)
    if known_rank(op, x) != 2 or known_rank(f"{op} (for the label)", label) != 2:
        raise ShapeError(f"{op} takes tensors [N, C], not {x.type} and {label.type}")
    x = of_some_length(op, x, 1, "there are no classes")
    counts = cumprod(not_equal(label, -1).astype("int64"), dim=1)
    targets = where(counts > 0, label, 0)
    others = 1.0 - (one_hot(targets, x.shape[1]) * unsqueeze(counts, 2).astype("float32")).max(axis=1).astype(x.dtype)
    gaps = relu(1.0 - unsqueeze(take_along_axis(x, targets, 1), 2) + unsqueeze(x, 1))  # [N, target, class]
    loss = (gaps * unsqueeze(others, 1) * unsqueeze(counts, 2).astype(x.dtype)).sum([1, 2])
    return reduced(op, loss / x.shape[1], reduction)

"""Losses that want scores or distances to be apart by a margin, and the distances themselves, as layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..layer import Layer


class CosineSimilarity(Layer):
    """The cosine of the angle between the vectors along `axis`. Call: (x1, x2) -> a tensor without this axis.

    As `nn.functional.cosine_similarity`: eps, shapes, dtypes.
    """

    def __init__(self, axis: int = 1, eps: float = 1e-8):
        super().__init__()
        self.axis, self.eps = axis, eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.axis, self.eps)


class PairwiseDistance(Layer):
    """The p-norm of x - y + epsilon along the last axis. Call: (x, y) -> the distances.

    As `nn.functional.pairwise_distance`: p, keepdim, shapes, dtypes.
    """

    def __init__(self, p: float = 2.0, epsilon: float = 1e-6, keepdim: bool = False, name: str | None = None):
        super().__init__()
        self.p, self.epsilon, self.keepdim = p, epsilon, keepdim

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return F.pairwise_distance(x, y, self.p, self.epsilon, self.keepdim)


class MarginRankingLoss(Layer):
    """max(0, margin - label * (input - other)). Call: (input, other, label) -> the loss.

    As `nn.functional.margin_ranking_loss`: reduction, shapes, dtypes and errors.
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean", name: str | None = None):
        super().__init__()
        self.margin, self.reduction = margin, reduction

    def forward(self, input: Tensor, other: Tensor, label: Tensor) -> Tensor:
        return F.margin_ranking_loss(input, other, label, self.margin, self.reduction)


class HingeEmbeddingLoss(Layer):
    """The distance `input` where the label is 1, max(0, margin - input) where it is -1. Call: (input, label) -> the loss.

    As `nn.functional.hinge_embedding_loss`: reduction, shapes, dtypes and errors.
    """

    def __init__(self, margin: float = 1.0, reduction: str = "mean", name: str | None = None):
        super().__init__()
        self.margin, self.reduction = margin, reduction

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.hinge_embedding_loss(input, label, self.margin, self.reduction)


class CosineEmbeddingLoss(Layer):
    """1 - cos where the label is 1, max(0, cos - margin) where it is -1. Call: (input1, input2, label) -> the loss.

    As `nn.functional.cosine_embedding_loss`: reduction, shapes, dtypes and errors. ValueError: a margin outside [-1, 1].
    """

    def __init__(self, margin: float = 0, reduction: str = "mean", name: str | None = None):
        super().__init__()
        if not -1 <= margin <= 1:
            raise ValueError(f"CosineEmbeddingLoss: margin must be between -1 and 1, not {margin}")
        self.margin, self.reduction = margin, reduction

    def forward(self, input1: Tensor, input2: Tensor, label: Tensor) -> Tensor:
        return F.cosine_embedding_loss(input1, input2, label, self.margin, self.reduction)


class TripletMarginLoss(Layer):
    """max(0, |input - positive| - |input - negative| + margin), by the p-norm. Call: (input, positive, negative) -> the loss.

    As `nn.functional.triplet_margin_loss`: epsilon, swap, reduction, shapes, dtypes and errors.
    """

    def __init__(
        self, margin: float = 1.0, p: float = 2.0, epsilon: float = 1e-6, swap: bool = False, reduction: str = "mean",
        name: str | None = None,
    ):  # fmt: skip
        super().__init__()
        self.margin, self.p, self.epsilon, self.swap, self.reduction = margin, p, epsilon, swap, reduction

    def forward(self, input: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_loss(
            input, positive, negative, self.margin, self.p, self.epsilon, self.swap, self.reduction
        )


class TripletMarginWithDistanceLoss(Layer):
    """max(0, d(input, positive) - d(input, negative) + margin), with d `distance_function`.

    Call: (input, positive, negative) -> the loss. As `nn.functional.triplet_margin_with_distance_loss`: swap, reduction, shapes,
    dtypes and errors.
    """

    def __init__(
        self, distance_function: Callable | None = None, margin: float = 1.0, swap: bool = False, reduction: str = "mean",
        name: str | None = None,
    ):  # fmt: skip
        super().__init__()
        self.distance_function, self.margin, self.swap, self.reduction = distance_function, margin, swap, reduction

    def forward(self, input: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_with_distance_loss(
            input, positive, negative, self.distance_function, self.margin, self.swap, self.reduction
        )


class SoftMarginLoss(Layer):
    """log(1 + exp(-label * input)), for labels 1 and -1. Call: (input, label) -> the loss.

    As `nn.functional.soft_margin_loss`: reduction, shapes, dtypes and errors.
    """

    def __init__(self, reduction: str = "mean", name: str | None = None):
        super().__init__()
        self.reduction = reduction

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return F.soft_margin_loss(input, label, self.reduction)


class MultiLabelMarginLoss(SoftMarginLoss):
    """For each target and each other class max(0, 1 - x[target] + x[class]), divided by the number of classes.

    Call: (input, label) -> the loss. As `nn.functional.multi_label_margin_loss`: reduction, shapes, dtypes and errors.
    """

    def forward(self, input: Tensor, label: Tensor) -> Any:
        return F.multi_label_margin_loss(input, label, self.reduction)


class MultiLabelSoftMarginLoss(Layer):
    """The mean over the classes of the binary cross entropy of sigmoid(input). Call: (input, label) -> the loss.

    As `nn.functional.multi_label_soft_margin_loss`: weight, reduction, shapes, dtypes and errors.
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean", name: str | None = None):
        super().__init__()
        self.weight, self.reduction = weight, reduction

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.multi_label_soft_margin_loss(input, label, self.weight, self.reduction)


class MultiMarginLoss(Layer):
    """The mean over the other classes of max(0, margin - x[label] + x) ** p. Call: (input, label) -> the loss.

    As `nn.functional.multi_margin_loss`: weight, reduction, shapes, dtypes and errors.
    """

    def __init__(
        self, p: int = 1, margin: float = 1.0, weight: Tensor | None = None, reduction: str = "mean", name: str | None = None
    ):
        super().__init__()
        self.p, self.margin, self.weight, self.reduction = p, margin, weight, reduction

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.multi_margin_loss(input, label, self.p, self.margin, self.weight, self.reduction)

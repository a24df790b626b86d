"""Losses as layers: CrossEntropyLoss, NLLLoss, MSELoss, L1Loss, SmoothL1Loss, BCELoss, BCEWithLogitsLoss."""

from __future__ import annotations

from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..layer import Layer


class CrossEntropyLoss(Layer):
    """Minus the log-probability of the label, from logits; see `functional.cross_entropy`."""

    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        soft_label: bool = False,
        axis: int = -1,
        use_softmax: bool = True,
        label_smoothing: float = 0.0,
        name: str | None = None,
    ):
        super().__init__()
        self.weight, self.ignore_index, self.reduction, self.soft_label = weight, ignore_index, reduction, soft_label
        self.axis, self.use_softmax, self.label_smoothing = axis, use_softmax, label_smoothing

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.cross_entropy(
            input,
            label,
            self.weight,
            self.ignore_index,
            self.reduction,
            self.soft_label,
            self.axis,
            self.use_softmax,
            self.label_smoothing,
        )


class NLLLoss(Layer):
    """Minus the entry of the label in log-probabilities [N, C, ...]."""

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean", name: str | None = None):
        super().__init__()
        self.weight, self.ignore_index, self.reduction = weight, ignore_index, reduction

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.nll_loss(input, label, self.weight, self.ignore_index, self.reduction)


class MSELoss(Layer):
    """(input - label) squared."""

    def __init__(self, reduction: str = "mean"):
        super().__init__()
        self.reduction = reduction

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.mse_loss(input, label, self.reduction)


class L1Loss(MSELoss):
    """|input - label|."""

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.l1_loss(input, label, self.reduction)


class SmoothL1Loss(Layer):
    """Half the squared difference near 0, linear beyond `delta`."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0, is_huber: bool = True, name: str | None = None):
        super().__init__()
        self.reduction, self.delta, self.is_huber = reduction, delta, is_huber

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, label, self.reduction, self.delta, self.is_huber)


class BCELoss(Layer):
    """Binary cross entropy of probabilities."""

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean", name: str | None = None):
        super().__init__()
        self.weight, self.reduction = weight, reduction

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, label, self.weight, self.reduction)


class BCEWithLogitsLoss(Layer):
    """Binary cross entropy of logits."""

    def __init__(
        self, weight: Tensor | None = None, reduction: str = "mean", pos_weight: Tensor | None = None, name: str | None = None
    ):
        super().__init__()
        self.weight, self.reduction, self.pos_weight = weight, reduction, pos_weight

    def forward(self, logit: Tensor, label: Tensor) -> Any:
        return F.binary_cross_entropy_with_logits(logit, label, self.weight, self.reduction, self.pos_weight)

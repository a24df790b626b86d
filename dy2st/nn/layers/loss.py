"""Losses as layers: CrossEntropyLoss, NLLLoss, MSELoss, L1Loss, SmoothL1Loss, BCELoss, BCEWithLogitsLoss."""

from __future__ import annotations

from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..layer import Layer


class CrossEntropyLoss(Layer):
    """Minus the log-probability of the label, from logits. Call: (input [..., C, ...], label) -> the loss.

    As `nn.functional.cross_entropy`: weight, ignore_index, reduction, soft_label, axis, use_softmax, label_smoothing, shapes,
    dtypes and errors.

    >>> dy2st.nn.CrossEntropyLoss()(dy2st.zeros([2, 3]), dy2st.to_tensor([0, 2])).shape
    []
    """

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
    """Minus the entry of the label in log-probabilities. Call: (input [N, C, ...], label [N, ...]) -> the loss.

    As `nn.functional.nll_loss`: weight, ignore_index, reduction, dtypes and errors.
    """

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean", name: str | None = None):
        super().__init__()
        self.weight, self.ignore_index, self.reduction = weight, ignore_index, reduction

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.nll_loss(input, label, self.weight, self.ignore_index, self.reduction)


class MSELoss(Layer):
    """(input - label) squared. Call: (input, label) -> the loss.

    As `nn.functional.mse_loss`: reduction, shapes, dtypes and errors.

    >>> dy2st.nn.MSELoss()(dy2st.to_tensor([1.0, 3.0]), dy2st.zeros([2])).item()
    5.0
    """

    def __init__(self, reduction: str = "mean"):
        super().__init__()
        self.reduction = reduction

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.mse_loss(input, label, self.reduction)


class L1Loss(MSELoss):
    """|input - label|. Call: (input, label) -> the loss. As `nn.functional.l1_loss`: reduction, shapes, dtypes and errors."""

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.l1_loss(input, label, self.reduction)


class SmoothL1Loss(Layer):
    """Half the squared difference near 0, linear beyond `delta`. Call: (input, label) -> the loss.

    As `nn.functional.smooth_l1_loss`: reduction, is_huber, shapes, dtypes and errors.
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0, is_huber: bool = True, name: str | None = None):
        super().__init__()
        self.reduction, self.delta, self.is_huber = reduction, delta, is_huber

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, label, self.reduction, self.delta, self.is_huber)


class BCELoss(Layer):
    """Binary cross entropy of probabilities. Call: (input, label) -> the loss.

    As `nn.functional.binary_cross_entropy`: weight, reduction, shapes, dtypes and errors.
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean", name: str | None = None):
        super().__init__()
        self.weight, self.reduction = weight, reduction

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, label, self.weight, self.reduction)


class BCEWithLogitsLoss(Layer):
    """Binary cross entropy of logits. Call: (logit, label) -> the loss.

    As `nn.functional.binary_cross_entropy_with_logits`: weight, reduction, pos_weight, shapes, dtypes and errors.
    """

    def __init__(
        self, weight: Tensor | None = None, reduction: str = "mean", pos_weight: Tensor | None = None, name: str | None = None
    ):
        super().__init__()
        self.weight, self.reduction, self.pos_weight = weight, reduction, pos_weight

    def forward(self, logit: Tensor, label: Tensor) -> Any:
        return F.binary_cross_entropy_with_logits(logit, label, self.weight, self.reduction, self.pos_weight)

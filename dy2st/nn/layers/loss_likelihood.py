"""KLDivLoss, PoissonNLLLoss, GaussianNLLLoss, CTCLoss."""

from __future__ import annotations

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..layer import Layer


class KLDivLoss(Layer):
    """label * (log(label) - input), for log-probabilities `input`. Call: (input, label) -> the loss.

    As `nn.functional.kl_div`: reduction, log_target, shapes, dtypes and errors.
    """

    def __init__(self, reduction: str = "mean", log_target: bool = False):
        super().__init__()
        self.reduction, self.log_target = reduction, log_target

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.kl_div(input, label, self.reduction, self.log_target)


class PoissonNLLLoss(Layer):
    """Minus the log-likelihood of counts, for the expected count `input`, or its logarithm with `log_input`.

    Call: (input, label) -> the loss. As `nn.functional.poisson_nll_loss`: full, epsilon, reduction, shapes, dtypes and errors.
    """

    def __init__(
        self, log_input: bool = True, full: bool = False, epsilon: float = 1e-8, reduction: str = "mean", name: str | None = None
    ):
        super().__init__()
        self.log_input, self.full, self.epsilon, self.reduction = log_input, full, epsilon, reduction

    def forward(self, input: Tensor, label: Tensor) -> Tensor:
        return F.poisson_nll_loss(input, label, self.log_input, self.full, self.epsilon, self.reduction)


class GaussianNLLLoss(Layer):
    """Minus the log-likelihood of `label`, for normal distributions with means `input` and variances `variance`.

    Call: (input, label, variance) -> the loss. As `nn.functional.gaussian_nll_loss`: full, epsilon, reduction, shapes, dtypes and
    errors.
    """

    def __init__(self, full: bool = False, epsilon: float = 1e-6, reduction: str = "mean", name: str | None = None):
        super().__init__()
        self.full, self.epsilon, self.reduction = full, epsilon, reduction

    def forward(self, input: Tensor, label: Tensor, variance: Tensor) -> Tensor:
        return F.gaussian_nll_loss(input, label, variance, self.full, self.epsilon, self.reduction)


class CTCLoss(Layer):
    """Minus the log-probability that logits [T, N, C] read as labels [N, L], blanks and repetitions left out.

    Call: (log_probs, labels, input_lengths, label_lengths, norm_by_times) -> the loss. As `nn.functional.ctc_loss`: blank,
    reduction, zero_infinity, dtypes and errors.
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False):
        super().__init__()
        self.blank, self.reduction, self.zero_infinity = blank, reduction, zero_infinity

    def forward(
        self, log_probs: Tensor, labels: Tensor, input_lengths: Tensor, label_lengths: Tensor, norm_by_times: bool = False
    ) -> Tensor:
        return F.ctc_loss(
            log_probs, labels, input_lengths, label_lengths, self.blank, self.reduction, norm_by_times, self.zero_infinity
        )

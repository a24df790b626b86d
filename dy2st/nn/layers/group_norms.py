"""GroupNorm, InstanceNorm1D, InstanceNorm2D, InstanceNorm3D, LocalResponseNorm, SpectralNorm."""

from __future__ import annotations

import math
from typing import Any

from ...api.linalg import matmul
from ...api.manipulation import reshape, transpose
from ...errors import ShapeError
from ...runtime.tensors.grad_mode import no_grad
from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..initializer import Constant, Normal
from ..layer import Layer
from ..parameter import ParamAttr


class GroupNorm(Layer):
    """Each sample of x [N, num_channels, ...] normalised in `num_groups` groups of channels -> the shape and dtype of x.

    Scaled by weight [num_channels], shifted by bias [num_channels]; weight_attr, bias_attr as in `Linear`, False for none.
    epsilon, data_format and the errors as in `nn.functional.group_norm`. ValueError: channels that don't divide.
    """

    def __init__(
        self, num_groups: int, num_channels: int, epsilon: float = 1e-05, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCHW", name: str | None = None,
    ):  # fmt: skip
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f"GroupNorm: {num_channels} channels don't divide into {num_groups} groups")
        self.num_groups, self.num_channels, self.epsilon, self.data_format = num_groups, num_channels, epsilon, data_format
        self.weight = self.create_parameter([num_channels], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_channels], bias_attr, is_bias=True)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.epsilon, self.weight, self.bias, self.data_format)

    def extra_repr(self) -> str:
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}, epsilon={self.epsilon}"


class _InstanceNorm(Layer):
    """Each channel of each sample normalised; scaled by scale [num_features], shifted by bias [num_features]."""

    _rank = 4
    _format = "NCHW"

    def __init__(
        self, num_features: int, epsilon: float = 1e-05, momentum: float = 0.9, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str | None = None, name: str | None = None,
    ):  # fmt: skip
        super().__init__()
        if (weight_attr is False) != (bias_attr is False):
            raise ValueError(f"{type(self).__name__}: weight_attr and bias_attr are False together or not at all")
        self.num_features, self.epsilon, self.momentum = num_features, epsilon, momentum
        self.data_format = data_format or self._format
        self.scale = self.create_parameter([num_features], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_features], bias_attr, is_bias=True)

    def forward(self, input: Tensor) -> Tensor:
        if input.type.rank not in (self._rank, None):
            raise ShapeError(f"{type(self).__name__} takes a tensor of {self._rank} axes, not {input.type}")
        return F.instance_norm(input, weight=self.scale, bias=self.bias, eps=self.epsilon, data_format=self.data_format)

    def extra_repr(self) -> str:
        return f"num_features={self.num_features}, epsilon={self.epsilon}"


class InstanceNorm1D(_InstanceNorm):
    """Instance normalisation of x [N, C, L] -> its shape and dtype (Ulyanov et al., 2016).

    Each channel of each sample normalised; scaled by scale [num_features], shifted by bias [num_features]. weight_attr, bias_attr
    as in `Linear`; ValueError where only one is False. epsilon: added to the variance. data_format: "NCL", or "NLC" for channels
    last. `momentum` has no effect: there are no running statistics. ShapeError: another number of axes.
    """

    _rank, _format = 3, "NCL"


class InstanceNorm2D(_InstanceNorm):
    """Instance normalisation of x [N, C, H, W], or [N, H, W, C] with data_format="NHWC". The rest as in `InstanceNorm1D`."""


class InstanceNorm3D(_InstanceNorm):
    """Instance normalisation of x [N, C, D, H, W], or channels last with data_format="NDHWC". The rest as in `InstanceNorm1D`."""

    _rank, _format = 5, "NCDHW"


class LocalResponseNorm(Layer):
    """x / (k + alpha * mean of the squares of `size` neighbouring channels) ** beta. As `nn.functional.local_response_norm`.

    x: [N, C, ...], or channels last as `data_format` says.
    """

    def __init__(
        self, size: int, alpha: float = 0.0001, beta: float = 0.75, k: float = 1.0, data_format: str = "NCHW",
        name: str | None = None,
    ):  # fmt: skip
        super().__init__()
        self.size, self.alpha, self.beta, self.k, self.data_format = size, alpha, beta, k, data_format

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k, self.data_format)

    def extra_repr(self) -> str:
        return f"size={self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class SpectralNorm(Layer):
    """A weight divided by its largest singular value, as a matrix of shape [length of `dim`, all others] (Miyato et al., 2018).

    Call: (x of shape `weight_shape`, floats) -> its shape and dtype. The value is estimated by `power_iters` steps of the power
    iteration from weight_u and weight_v, which stay as they are; `eps` is the least length of these vectors, `dtype` their dtype.
    ValueError: a length of 0, or a dim that is no axis.
    """

    def __init__(
        self, weight_shape: Any, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, dtype: str = "float32"
    ):  # fmt: skip
        super().__init__(dtype=dtype)
        shape = list(weight_shape)
        if not math.prod(shape):
            raise ValueError(f"SpectralNorm: no length of weight_shape {shape} can be 0")
        if not 0 <= dim < len(shape):
            raise ValueError(f"SpectralNorm: dim {dim} is no axis of {shape}")
        self.dim, self.power_iters, self.eps = dim, power_iters, eps
        rows = shape[dim]
        fixed = ParamAttr(initializer=Normal(0.0, 1.0), trainable=False)
        self.weight_u = self.create_parameter([rows], fixed)
        self.weight_v = self.create_parameter([math.prod(shape) // rows], fixed)

    def forward(self, x: Tensor) -> Tensor:
        return x / spectral_size(x, self.weight_u, self.weight_v, self.dim, self.power_iters, self.eps)[0]


def spectral_size(
    weight: Tensor, u: Tensor, v: Tensor, dim: int, steps: int, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """The largest singular value, estimated from the vectors u and v, and those after `steps` steps of the power iteration."""
    rank = len(weight.shape)
    matrix = reshape(transpose(weight, [dim, *(a for a in range(rank) if a != dim)]), [weight.shape[dim], -1])
    with no_grad():
        for _ in range(steps):
            v = F.normalize(matmul(matrix, u, transpose_x=True), axis=0, epsilon=eps)
            u = F.normalize(matmul(matrix, v), axis=0, epsilon=eps)
    return (u * matmul(matrix, v)).sum(), u, v

"""Activations that weigh one part of a tensor by another, by learned slopes or by chance, as layers."""

from __future__ import annotations

from typing import Any

from ...errors import ShapeError
from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..initializer import Constant
from ..layer import Layer
from .activation import Activation


class GLU(Activation):
    """The first half of x along `axis`, times sigmoid of the second, as `nn.functional.glu`."""

    _options = ("axis",)

    def __init__(self, axis: int = -1, name: str | None = None):
        super().__init__()
        self.axis = axis

    def forward(self, x: Tensor) -> Tensor:
        return F.glu(x, self.axis)


class Maxout(Activation):
    """The largest of each `groups` neighbouring channels of x, those on `axis`, as `nn.functional.maxout`."""

    _options = ("groups", "axis")

    def __init__(self, groups: int, axis: int = 1, name: str | None = None):
        super().__init__()
        self.groups, self.axis = groups, axis

    def forward(self, x: Tensor) -> Tensor:
        return F.maxout(x, self.groups, self.axis)


class PReLU(Layer):
    """x where x > 0, else _weight * x, as `nn.functional.prelu`: x [N, C, ...], or channels last as `data_format` says.

    _weight [num_parameters], one for all or for each channel, starts at `init`; weight_attr as in `Linear`.
    """

    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        weight_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__()
        self.data_format = data_format
        self._weight = self.create_parameter([num_parameters], weight_attr, default_initializer=Constant(init))

    def forward(self, x: Tensor) -> Tensor:
        return F.prelu(x, self._weight, self.data_format)

    def extra_repr(self) -> str:
        return f"num_parameters={self._weight.shape[0]}, data_format={self.data_format}"


class RReLU(Activation):
    """x where x >= 0, else x times a slope: drawn from [lower, upper) in training, their middle otherwise.

    As `nn.functional.rrelu`.
    """

    _options = ("lower", "upper")

    def __init__(self, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, name: str | None = None):
        super().__init__()
        self.lower, self.upper = lower, upper

    def forward(self, x: Tensor) -> Tensor:
        return F.rrelu(x, self.lower, self.upper, self.training)


class Softmax2D(Layer):
    """softmax over the channels of x [N, C, H, W] or [C, H, W] of floats -> its shape and dtype.

    ShapeError: other numbers of axes.
    """

    def __init__(self, name: str | None = None):
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        if x.type.rank not in (3, 4, None):
            raise ShapeError(f"Softmax2D takes a tensor of 3 or 4 axes, not {x.type}")
        return F.softmax(x, axis=-3)

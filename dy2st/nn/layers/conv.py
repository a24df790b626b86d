"""Conv2D."""

from __future__ import annotations

import math
from typing import Any

from ...runtime.tensor import Tensor
from .. import functional as F
from ..functional.windows import pair
from ..initializer import Normal
from ..layer import Layer


class Conv2D(Layer):
    """Two-dimensional convolution.

    x [N, in_channels, H, W] (or [N, H, W, in_channels] with data_format="NHWC") -> [N, out_channels, OH, OW].
    weight [out_channels, in_channels / groups, kh, kw], normal with variance 2 / (in_channels * kh * kw); bias [out_channels].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        padding_mode: str = "zeros",
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
    ):
        super().__init__()
        if in_channels % groups or out_channels % groups:
            raise ValueError(f"Conv2D: {in_channels} input and {out_channels} output channels must divide into {groups} groups")
        if padding_mode != "zeros":
            raise ValueError(f"Conv2D: padding_mode is 'zeros', not {padding_mode!r}; use nn.functional.pad for other modes")
        self.kernel_size = pair("Conv2D", kernel_size, "kernel_size")
        self.in_channels, self.out_channels, self.groups, self.data_format = in_channels, out_channels, groups, data_format
        self.stride, self.padding, self.dilation = stride, padding, dilation
        area = math.prod(self.kernel_size)
        self.weight = self.create_parameter(
            [out_channels, in_channels // groups, *self.kernel_size],
            weight_attr,
            default_initializer=Normal(0.0, math.sqrt(2.0 / (area * in_channels))),
        )
        self.bias = self.create_parameter([out_channels], bias_attr, is_bias=True)

    def forward(self, x: Tensor) -> Tensor:
        return F.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups, self.data_format)

    def extra_repr(self) -> str:
        window = f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
        return f"{self.in_channels}, {self.out_channels}, {window}"

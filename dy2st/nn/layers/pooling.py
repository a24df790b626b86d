"""MaxPool2D, AvgPool2D, AdaptiveAvgPool2D. x [N, C, H, W], or [N, H, W, C] with data_format="NHWC"."""

from __future__ import annotations

from typing import Any

from ...runtime.tensor import Tensor
from .. import functional as F
from ..layer import Layer


class MaxPool2D(Layer):
    """The largest element of each window; `stride` None means windows side by side. With `return_mask` also where it is."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding
        self.return_mask, self.ceil_mode, self.data_format = return_mask, ceil_mode, data_format

    def forward(self, x: Tensor) -> Any:
        return F.max_pool2d(x, self.kernel_size, self.stride, self.padding, self.return_mask, self.ceil_mode, self.data_format)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool2D(Layer):
    """The mean of each window; with `exclusive`, of its elements on the tensor, not of the padding."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        exclusive: bool = True,
        divisor_override: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding
        self.ceil_mode, self.exclusive, self.divisor_override, self.data_format = (
            ceil_mode,
            exclusive,
            divisor_override,
            data_format,
        )

    def forward(self, x: Tensor) -> Tensor:
        return F.avg_pool2d(
            x,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.exclusive,
            self.divisor_override,
            self.data_format,
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AdaptiveAvgPool2D(Layer):
    """The mean of `output_size` windows that cover the tensor evenly: [N, C, H, W] -> [N, C, *output_size]."""

    def __init__(self, output_size: Any, data_format: str = "NCHW", name: str | None = None):
        super().__init__()
        self.output_size, self.data_format = output_size, data_format

    def forward(self, x: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(x, self.output_size, self.data_format)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"

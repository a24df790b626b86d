"""Pooling into a given number of windows that cover the tensor evenly."""

from __future__ import annotations

from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..layer import Layer


class AdaptiveAvgPool1D(Layer):
    """The mean of each of `output_size` windows: [N, C, L] -> [N, C, output_size]. As `nn.functional.adaptive_avg_pool1d`."""

    def __init__(self, output_size: Any, name: str | None = None):
        super().__init__()
        self.output_size, self._name = output_size, name

    def forward(self, x: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(x, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool2D(AdaptiveAvgPool1D):
    """The mean of each of `output_size` windows: [N, C, H, W] -> [N, C, *output_size]. As `nn.functional.adaptive_avg_pool2d`.

    data_format: "NCHW", or "NHWC" for channels last.

    >>> dy2st.nn.AdaptiveAvgPool2D(1)(dy2st.ones([1, 3, 7, 5])).shape
    [1, 3, 1, 1]
    """

    def __init__(self, output_size: Any, data_format: str = "NCHW", name: str | None = None):
        super().__init__(output_size, name)
        self.data_format = data_format

    def forward(self, x: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(x, self.output_size, self.data_format)


class AdaptiveAvgPool3D(AdaptiveAvgPool1D):
    """The mean of each of `output_size` windows: [N, C, D, H, W] -> [N, C, *output_size]. As `nn.functional.adaptive_avg_pool3d`.

    data_format: "NCDHW", or "NDHWC" for channels last.
    """

    def __init__(self, output_size: Any, data_format: str = "NCDHW", name: str | None = None):
        super().__init__(output_size, name)
        self.data_format = data_format

    def forward(self, x: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(x, self.output_size, self.data_format)


class AdaptiveMaxPool1D(Layer):
    """The largest element of each of `output_size` windows: [N, C, L] -> [N, C, output_size].

    As `nn.functional.adaptive_max_pool1d`; with `return_mask` also where it is.
    """

    def __init__(self, output_size: Any, return_mask: bool = False, name: str | None = None):
        super().__init__()
        self.output_size, self.return_mask, self._name = output_size, return_mask, name

    def forward(self, x: Tensor) -> Any:
        return F.adaptive_max_pool1d(x, self.output_size, self.return_mask)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}, return_mask={self.return_mask}"


class AdaptiveMaxPool2D(AdaptiveMaxPool1D):
    """The largest element of each of `output_size` windows: [N, C, H, W] -> [N, C, *output_size].

    As `nn.functional.adaptive_max_pool2d`; with `return_mask` also where it is.
    """

    def forward(self, x: Tensor) -> Any:
        return F.adaptive_max_pool2d(x, self.output_size, self.return_mask)

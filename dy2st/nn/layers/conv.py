"""Conv1D, Conv2D, Conv3D and their transposes."""

from __future__ import annotations

import math
from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..functional.windows import FORMATS, sizes
from ..initializer import Normal
from ..layer import Layer


class _Conv(Layer):
    """What convolutions over `_axes` spatial axes share: the weight, the bias [out_channels], and how they are described."""

    _axes = 2

    def _weights(self, weight_shape: list[int], attrs: tuple, start: Any = None) -> tuple[Any, Any]:
        """The weight and the bias."""
        weight_attr, bias_attr = attrs
        if self.in_channels % self.groups or self.out_channels % self.groups:
            raise ValueError(
                f"{type(self).__name__}: {self.in_channels} input and {self.out_channels} output channels must divide into "
                f"{self.groups} groups"
            )
        weight = self.create_parameter(weight_shape, weight_attr, default_initializer=start)
        return weight, self.create_parameter([self.out_channels], bias_attr, is_bias=True)

    def extra_repr(self) -> str:
        window = f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
        return f"{self.in_channels}, {self.out_channels}, {window}"


class Conv2D(_Conv):
    """Two-dimensional convolution.

    x [N, in_channels, H, W] (or [N, H, W, in_channels] with data_format="NHWC") -> [N, out_channels, OH, OW], of floats. weight
    [out_channels, in_channels / groups, kh, kw], normal with variance 2 / (in_channels * kh * kw); bias [out_channels], none
    where `bias` is False. padding_mode: zeros, or how `nn.functional.pad` continues the input: reflect, replicate, circular.
    kernel_size: an int or one for each axis. stride, padding, dilation, groups and the errors as in `nn.functional.conv2d`.
    weight_attr, bias_attr as in `Linear`; dtype: of the parameters. ValueError: another padding_mode, or channels that don't
    divide into groups.

    >>> dy2st.nn.Conv2D(3, 4, 3, padding=1, stride=2)(dy2st.ones([1, 3, 8, 8])).shape
    [1, 4, 4, 4]
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, padding_mode: str = "zeros", weight_attr: Any = None, bias_attr: Any = None,
        data_format: str | None = None, *, bias: bool = True, dtype: Any = None,
    ):  # fmt: skip
        super().__init__(dtype=dtype)
        name = type(self).__name__
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(f"{name}: padding_mode is 'zeros', 'reflect', 'replicate' or 'circular', not {padding_mode!r}")
        self.kernel_size = sizes(name, kernel_size, "kernel_size", self._axes)
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.data_format = data_format or FORMATS[self._axes][0]
        self.stride, self.padding, self.dilation, self.padding_mode = stride, padding, dilation, padding_mode
        start = Normal(0.0, math.sqrt(2.0 / (math.prod(self.kernel_size) * in_channels)))
        self.weight, self.bias = self._weights(
            [out_channels, in_channels // groups, *self.kernel_size], (weight_attr, bias_attr if bias else False), start
        )

    def _continued(self, x: Tensor) -> tuple[Tensor, Any]:
        """The input with its border, where that isn't zeros, and the padding that is left to the convolution."""
        if self.padding_mode == "zeros":
            return x, self.padding
        border = sizes(type(self).__name__, self.padding, "padding", self._axes, least=0)
        pads = [p for one in reversed(border) for p in (one, one)]
        return F.pad(x, pads, mode=self.padding_mode, data_format=self.data_format), 0

    def _convolved(self, function: Any, x: Tensor) -> Tensor:
        x, padding = self._continued(x)
        return function(x, self.weight, self.bias, self.stride, padding, self.dilation, self.groups, self.data_format)

    def forward(self, x: Tensor) -> Tensor:
        return self._convolved(F.conv2d, x)


class Conv1D(Conv2D):
    """One-dimensional convolution: x [N, in_channels, L] (or [N, L, in_channels] with "NLC") -> [N, out_channels, OL].

    weight [out_channels, in_channels / groups, k], normal with variance 2 / (in_channels * k). The arguments, dtypes and errors
    are as in `Conv2D`.
    """

    _axes = 1

    def forward(self, x: Tensor) -> Tensor:
        return self._convolved(F.conv1d, x)


class Conv3D(Conv2D):
    """Three-dimensional convolution.

    x [N, in_channels, D, H, W] (or channels last with "NDHWC") -> [N, out_channels, OD, OH, OW]. weight [out_channels,
    in_channels / groups, kd, kh, kw], normal with variance 2 / (in_channels * kd * kh * kw). The arguments, dtypes and errors are
    as in `Conv2D`.
    """

    _axes = 3

    def forward(self, x: Tensor) -> Tensor:
        return self._convolved(F.conv3d, x)


class Conv2DTranspose(_Conv):
    """Two-dimensional transposed convolution. Call: (x, output_size).

    x [N, in_channels, H, W] (or channels last with "NHWC") -> [N, out_channels, OH, OW]. weight [in_channels, out_channels /
    groups, kh, kw], by XavierUniform; bias [out_channels]. kernel_size: an int or two. stride, padding, output_padding, dilation,
    groups, data_format, output_size, dtypes and errors as in `nn.functional.conv2d_transpose`; weight_attr, bias_attr as in
    `Linear`. ValueError: channels that don't divide into groups.

    >>> dy2st.nn.Conv2DTranspose(3, 2, 2, stride=2)(dy2st.ones([1, 3, 4, 4])).shape
    [1, 2, 8, 8]
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
        dilation: Any = 1, groups: int = 1, weight_attr: Any = None, bias_attr: Any = None, data_format: str | None = None,
    ):  # fmt: skip
        super().__init__()
        self.kernel_size = sizes(type(self).__name__, kernel_size, "kernel_size", self._axes)
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.data_format = data_format or FORMATS[self._axes][0]
        self.stride, self.padding, self.output_padding, self.dilation = stride, padding, output_padding, dilation
        shape = [in_channels, out_channels // groups, *self.kernel_size]
        self.weight, self.bias = self._weights(shape, (weight_attr, bias_attr))

    def _options(self, output_size: Any) -> dict[str, Any]:
        given = {"output_padding": self.output_padding} if output_size is None else {"output_size": output_size}
        return {
            **given, "stride": self.stride, "padding": self.padding, "dilation": self.dilation, "groups": self.groups,
            "data_format": self.data_format,
        }  # fmt: skip

    def forward(self, x: Tensor, output_size: Any = None) -> Tensor:
        return F.conv2d_transpose(x, self.weight, self.bias, **self._options(output_size))


class Conv1DTranspose(Conv2DTranspose):
    """One-dimensional transposed convolution: x [N, in_channels, L] (or [N, L, in_channels] with "NLC") -> [N, out_channels, OL].

    weight [in_channels, out_channels / groups, k], by XavierUniform; bias [out_channels]. The arguments, dtypes and errors are as
    in `Conv2DTranspose`, for one axis.
    """

    _axes = 1

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
        groups: int = 1, dilation: Any = 1, weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NCL",
    ):  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, output_padding, dilation, groups, weight_attr, bias_attr,
            data_format,
        )  # fmt: skip

    def forward(self, x: Tensor, output_size: Any = None) -> Tensor:
        return F.conv1d_transpose(x, self.weight, self.bias, **self._options(output_size))

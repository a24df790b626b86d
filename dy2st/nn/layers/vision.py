"""Images in other sizes and orders: Upsample, PixelShuffle, Unfold and their like."""

from __future__ import annotations

from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..layer import Layer


class Upsample(Layer):
    """x [N, C, *spatial] in another size -> [N, C, *size], as `nn.functional.interpolate`.

    size, scale_factor, mode, align_corners, align_mode, data_format, recompute_scale_factor, dtypes and errors as there.
    """

    def __init__(
        self, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool = False, align_mode: int = 0,
        data_format: str | None = None, recompute_scale_factor: bool | None = None, name: str | None = None,
    ):  # fmt: skip
        super().__init__()
        self.size, self.scale_factor, self.mode, self.data_format = size, scale_factor, mode, data_format
        self.align_corners, self.align_mode, self.recompute_scale_factor = align_corners, align_mode, recompute_scale_factor

    def forward(self, x: Tensor) -> Tensor:
        return F.interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners, self.align_mode, self.data_format,
            self.recompute_scale_factor,
        )  # fmt: skip

    def extra_repr(self) -> str:
        wanted = f"scale_factor={self.scale_factor}" if self.size is None else f"size={self.size}"
        return f"{wanted}, mode={self.mode}"


class UpsamplingNearest2D(Upsample):
    """Images x [N, C, H, W] in another size: the nearest element.

    As `nn.functional.interpolate`: size, scale_factor, data_format.
    """

    def __init__(self, size: Any = None, scale_factor: Any = None, data_format: str = "NCHW", name: str | None = None):
        super().__init__(size, scale_factor, "nearest", data_format=data_format)


class UpsamplingBilinear2D(Upsample):
    """Images x [N, C, H, W] in another size: bilinear, with the corners in place.

    As `nn.functional.interpolate`: size, scale_factor, data_format, the result.
    """

    def __init__(self, size: Any = None, scale_factor: Any = None, data_format: str = "NCHW", name: str | None = None):
        super().__init__(size, scale_factor, "bilinear", True, data_format=data_format)


class PixelShuffle(Layer):
    """[N, C * r * r, H, W] -> [N, C, H * r, W * r].

    As `nn.functional.pixel_shuffle`: upscale_factor, data_format, dtypes, errors.
    """

    def __init__(self, upscale_factor: int, data_format: str = "NCHW", name: str | None = None):
        super().__init__()
        self.upscale_factor, self.data_format = upscale_factor, data_format

    def forward(self, x: Tensor) -> Tensor:
        return F.pixel_shuffle(x, self.upscale_factor, self.data_format)

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Layer):
    """[N, C, H * r, W * r] -> [N, C * r * r, H, W].

    As `nn.functional.pixel_unshuffle`: downscale_factor, data_format, dtypes, errors.
    """

    def __init__(self, downscale_factor: int, data_format: str = "NCHW", name: str | None = None):
        super().__init__()
        self.downscale_factor, self.data_format = downscale_factor, data_format

    def forward(self, x: Tensor) -> Tensor:
        return F.pixel_unshuffle(x, self.downscale_factor, self.data_format)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Layer):
    """The channels of x [N, C, H, W] in `groups` rows, read by columns.

    As `nn.functional.channel_shuffle`: data_format, dtypes, errors.
    """

    def __init__(self, groups: int, data_format: str = "NCHW", name: str | None = None):
        super().__init__()
        self.groups, self.data_format = groups, data_format

    def forward(self, x: Tensor) -> Tensor:
        return F.channel_shuffle(x, self.groups, self.data_format)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"


class Unfold(Layer):
    """Each window of x [N, C, H, W] as a column -> [N, C * kh * kw, windows].

    As `nn.functional.unfold`: kernel_sizes, dilations, paddings, strides, dtypes and errors.
    """

    def __init__(
        self, kernel_sizes: Any, dilations: Any = 1, paddings: Any = 0, strides: Any = 1, name: str | None = None
    ):
        super().__init__()
        self.kernel_sizes, self.dilations, self.paddings, self.strides = kernel_sizes, dilations, paddings, strides

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_sizes, self.strides, self.paddings, self.dilations)

    def extra_repr(self) -> str:
        return f"kernel_sizes={self.kernel_sizes}, strides={self.strides}"


class Fold(Unfold):
    """The sum of windows that are given as columns [N, C * kh * kw, windows], at their positions -> [N, C, *output_sizes].

    As `nn.functional.fold`: kernel_sizes, dilations, paddings, strides, dtypes and errors.
    """

    def __init__(
        self, output_sizes: Any, kernel_sizes: Any, dilations: Any = 1, paddings: Any = 0, strides: Any = 1,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__(kernel_sizes, dilations, paddings, strides)
        self.output_sizes = output_sizes

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(input, self.output_sizes, self.kernel_sizes, self.strides, self.paddings, self.dilations)

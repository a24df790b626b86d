"""Pooling as layers. Lines are [N, C, L], images [N, C, H, W], volumes [N, C, D, H, W]; or with channels last."""

from __future__ import annotations

from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..layer import Layer


class _Pool(Layer):
    """Windows of `kernel_size`, `stride` apart (None: side by side), on a tensor with a border of `padding`.

    The function `_function` of nn.functional gets the attributes that `_options` names.
    """

    _function = ""
    _options: tuple[str, ...] = ()

    def __init__(self, kernel_size: Any, stride: Any, padding: Any, **options: Any):
        super().__init__()
        self.kernel_size = self.ksize = kernel_size
        self.stride, self.padding = stride, padding
        for name, value in options.items():
            setattr(self, name, value)
        self._options = tuple(options)

    def forward(self, x: Tensor) -> Any:
        return self._pooled(x)

    def _pooled(self, *inputs: Tensor) -> Any:
        options = {name: getattr(self, name) for name in self._options}
        window = {"kernel_size": self.kernel_size, "stride": self.stride, "padding": self.padding}
        return getattr(F, self._function)(*inputs, **window, **options)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxPool1D(_Pool):
    """The largest element of each window of a line x [N, C, L] -> [N, C, OL]; with `return_mask` also where it is.

    As `nn.functional.max_pool1d`: kernel_size, stride, padding, ceil_mode, dtypes and errors.
    """

    _function = "max_pool1d"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__(kernel_size, stride, padding, return_mask=return_mask, ceil_mode=ceil_mode)


class MaxPool2D(_Pool):
    """The largest element of each window of an image x [N, C, H, W] -> [N, C, OH, OW]; with `return_mask` also where it is.

    As `nn.functional.max_pool2d`: kernel_size, stride, padding, ceil_mode, data_format, dtypes and errors.

    >>> dy2st.nn.MaxPool2D(2)(dy2st.ones([1, 3, 8, 8])).shape
    [1, 3, 4, 4]
    """

    _function = "max_pool2d"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
        data_format: str = "NCHW", name: str | None = None,
    ):  # fmt: skip
        super().__init__(
            kernel_size, stride, padding, return_mask=return_mask, ceil_mode=ceil_mode, data_format=data_format
        )


class MaxPool3D(_Pool):
    """The largest element of each window of a volume x [N, C, D, H, W] -> [N, C, OD, OH, OW].

    As `nn.functional.max_pool3d`: kernel_size, stride, padding, return_mask, ceil_mode, data_format, dtypes and errors.
    """

    _function = "max_pool3d"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
        data_format: str = "NCDHW", name: str | None = None,
    ):  # fmt: skip
        super().__init__(
            kernel_size, stride, padding, return_mask=return_mask, ceil_mode=ceil_mode, data_format=data_format
        )


class AvgPool1D(_Pool):
    """The mean of each window of a line x [N, C, L] -> [N, C, OL].

    As `nn.functional.avg_pool1d`: kernel_size, stride, padding, exclusive, ceil_mode, dtypes and errors.
    """

    _function = "avg_pool1d"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, exclusive: bool = True, ceil_mode: bool = False,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__(kernel_size, stride, padding, exclusive=exclusive, ceil_mode=ceil_mode)


class AvgPool2D(_Pool):
    """The mean of each window of an image x [N, C, H, W] -> [N, C, OH, OW].

    As `nn.functional.avg_pool2d`: kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format, dtypes and
    errors.
    """

    _function = "avg_pool2d"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, exclusive: bool = True,
        divisor_override: Any = None, data_format: str = "NCHW", name: str | None = None,
    ):  # fmt: skip
        super().__init__(
            kernel_size, stride, padding, ceil_mode=ceil_mode, exclusive=exclusive, divisor_override=divisor_override,
            data_format=data_format,
        )  # fmt: skip


class AvgPool3D(AvgPool2D):
    """The mean of each window of a volume x [N, C, D, H, W] -> [N, C, OD, OH, OW].

    As `nn.functional.avg_pool3d`: kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format, dtypes and
    errors.
    """

    _function = "avg_pool3d"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, exclusive: bool = True,
        divisor_override: Any = None, data_format: str = "NCDHW", name: str | None = None,
    ):  # fmt: skip
        super().__init__(kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format)


class LPPool1D(_Pool):
    """The root of the sum of the elements of each window of a line x [N, C, L] to the power `norm_type` -> [N, C, OL].

    As `nn.functional.lp_pool1d`: kernel_size, stride, padding, ceil_mode, data_format, dtypes and errors.
    """

    _function = "lp_pool1d"

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        data_format: str = "NCL", name: str | None = None,
    ):  # fmt: skip
        super().__init__(
            kernel_size, stride, padding, norm_type=norm_type, ceil_mode=ceil_mode, data_format=data_format
        )


class LPPool2D(LPPool1D):
    """The root of the sum of the elements of each window of an image x [N, C, H, W] to the power `norm_type` -> [N, C, OH, OW].

    As `nn.functional.lp_pool2d`: kernel_size, stride, padding, ceil_mode, data_format, dtypes and errors.
    """

    _function = "lp_pool2d"

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        data_format: str = "NCHW", name: str | None = None,
    ):  # fmt: skip
        super().__init__(norm_type, kernel_size, stride, padding, ceil_mode, data_format)


class _Unpool(_Pool):
    """One of the layers that undo a pooling."""

    def forward(self, x: Tensor, indices: Tensor) -> Any:  # type: ignore[override]
        return self._pooled(x, indices)


class MaxUnPool1D(_Unpool):
    """Zeros with the elements of a line where the indices of MaxPool1D say. Call: (x, indices), both [N, C, OL] -> [N, C, L].

    As `nn.functional.max_unpool1d`: kernel_size, stride, padding, data_format, output_size, dtypes and errors.
    """

    _function = "max_unpool1d"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: str = "NCL", output_size: Any = None,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__(kernel_size, stride, padding, data_format=data_format, output_size=output_size)


class MaxUnPool2D(_Unpool):
    """Zeros with the elements of an image where the indices of MaxPool2D say.

    Call: (x, indices), both [N, C, OH, OW] -> [N, C, H, W]. As `nn.functional.max_unpool2d`: kernel_size, stride, padding,
    data_format, output_size, dtypes and errors.
    """

    _function = "max_unpool2d"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: str = "NCHW", output_size: Any = None,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__(kernel_size, stride, padding, data_format=data_format, output_size=output_size)

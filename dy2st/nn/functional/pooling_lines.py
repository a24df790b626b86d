"""Pooling of lines and volumes as functions: a line [N, C, L] is an image of height 1, a volume [N, C, D, H, W] is pooled
within its images first and then along its depth."""

from __future__ import annotations

from typing import Any

from ...api.checks import floating, need_tensor
from ...api.manipulation import reshape, unsqueeze
from ...ops import pool
from ...runtime.tensors.tensor import Tensor
from .pooling import divided_by, geometry, lengths, lp_pool2d
from .windows import channels_back, channels_first

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool3d", "avg_pool1d", "avg_pool3d", "lp_pool1d", "max_pool1d", "max_pool3d",
]  # fmt: skip


def _line(op: str, x: Tensor, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool) -> tuple[Tensor, dict[str, Any]]:
    """The line as an image of height 1, and the attributes with which that is pooled."""
    x, _ = channels_first(op, x, "NCL", 1)
    attrs = geometry(op, x, kernel_size, stride, padding, ceil_mode, 1)
    attrs.update(kernel_size=[1, *attrs["kernel_size"]], stride=[1, *attrs["stride"]], padding=[0, 0, *attrs["padding"]])
    return unsqueeze(x, 2), attrs


def max_pool1d(
    x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The largest element of each window of x [N, C, L]: [N, C, OL]; with `return_mask` also where it is (int32).

    kernel_size, stride: an int. stride, padding, ceil_mode and the result's dtype as in `max_pool2d`.
    """
    x, attrs = _line("max_pool1d", need_tensor("max_pool1d", x), kernel_size, stride, padding, ceil_mode)
    out = pool.max_pool2d(x, **attrs).squeeze(2)
    return (out, pool.max_pool2d_indices(x, **attrs).squeeze(2).astype("int32")) if return_mask else out


def avg_pool1d(
    x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, exclusive: bool = True, ceil_mode: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The mean of each window of x [N, C, L]: [N, C, OL]; with `exclusive`, of its elements on the tensor, not of the padding.

    kernel_size, stride: an int. stride, padding, ceil_mode and the result's dtype as in `avg_pool2d`.
    """
    x, attrs = _line("avg_pool1d", floating("avg_pool1d", x), kernel_size, stride, padding, ceil_mode)
    return pool.avg_pool2d(x, **attrs, exclusive=bool(exclusive), divisor_override=None).squeeze(2)


def lp_pool1d(
    x: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    data_format: str = "NCL", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The root of the sum of each window's elements to the power `norm_type`, of x [N, C, L]: [N, C, OL].

    data_format: "NCL", or "NLC" for channels last. kernel_size, stride: an int. stride, padding, ceil_mode, norm_type and the
    dtype as in `lp_pool2d`.
    """
    x, last = channels_first("lp_pool1d", floating("lp_pool1d", x), data_format, 1)
    x, attrs = _line("lp_pool1d", x, kernel_size, stride, padding, ceil_mode)
    out = lp_pool2d(x, norm_type, attrs["kernel_size"], attrs["stride"], attrs["padding"], ceil_mode)
    return channels_back(out.squeeze(2), last, 1)


def adaptive_avg_pool1d(x: Tensor, output_size: int, name: str | None = None) -> Tensor:
    """The mean of `output_size` windows that cover x [N, C, L] evenly: [N, C, output_size], in the dtype of x.

    Integers become the default dtype. ValueError: another size than a positive int.
    """
    op = "adaptive_avg_pool1d"
    x, _ = channels_first(op, floating(op, x), "NCL", 1)
    return pool.adaptive_avg_pool2d(unsqueeze(x, 2), output_size=[1, *lengths(op, output_size, 1)]).squeeze(2)


# --- volumes -----------------------------------------------------------------------------------------------------------


def _within_and_along(x: Tensor, within: Any, along: Any) -> Tensor:
    """x [N, C, D, H, W] pooled by `within`, of [N, C * D, H, W], and then by `along`, of [N, C, D, H * W]."""
    n, c, d, h, w = x.shape
    x = within(reshape(x, [n, c * d, h, w]))
    h, w = x.shape[2:]
    x = along(reshape(x, [n, c, d, h * w]))
    return reshape(x, [n, c, x.shape[2], h, w])


def _parts(attrs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The attributes of pooling within the images and along the depth."""
    kernel, stride, padding = attrs["kernel_size"], attrs["stride"], attrs["padding"]
    within = {**attrs, "kernel_size": kernel[1:], "stride": stride[1:], "padding": padding[2:]}
    return within, {**attrs, "kernel_size": [kernel[0], 1], "stride": [stride[0], 1], "padding": [*padding[:2], 0, 0]}


def max_pool3d(
    x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
    data_format: str = "NCDHW", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The largest element of each window of x [N, C, D, H, W] (or [N, D, H, W, C] with data_format="NDHWC"): [N, C, OD, OH, OW].

    kernel_size, stride: an int or three. stride, padding, ceil_mode and the result's dtype as in `max_pool2d`.
    NotImplementedError: `return_mask`.
    """
    if return_mask:
        raise NotImplementedError("max_pool3d: return_mask=True is not supported; max_pool2d has it")
    x, last = channels_first("max_pool3d", need_tensor("max_pool3d", x), data_format, 3)
    within, along = _parts(geometry("max_pool3d", x, kernel_size, stride, padding, ceil_mode, 3))
    out = _within_and_along(x, lambda y: pool.max_pool2d(y, **within), lambda y: pool.max_pool2d(y, **along))
    return channels_back(out, last, 3)


def avg_pool3d(
    x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, exclusive: bool = True,
    divisor_override: Any = None, data_format: str = "NCDHW", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The mean of each window of x [N, C, D, H, W] (or [N, D, H, W, C]); with `exclusive`, not of the padding.

    kernel_size, stride: an int or three. data_format: "NCDHW" or "NDHWC". stride, padding, ceil_mode, divisor_override and the
    result's dtype as in `avg_pool2d`.
    """
    x, last = channels_first("avg_pool3d", floating("avg_pool3d", x), data_format, 3)
    attrs = geometry("avg_pool3d", x, kernel_size, stride, padding, ceil_mode, 3)
    within, along = _parts(attrs)
    out = _within_and_along(
        x,
        lambda y: pool.avg_pool2d(y, **within, exclusive=bool(exclusive), divisor_override=None),
        lambda y: pool.avg_pool2d(y, **along, exclusive=bool(exclusive), divisor_override=None),
    )
    return channels_back(divided_by(divisor_override, out, attrs["kernel_size"]), last, 3)


def adaptive_avg_pool3d(x: Tensor, output_size: Any, data_format: str = "NCDHW", name: str | None = None) -> Tensor:
    """The mean of `output_size` (an int or three; None keeps a length) windows that cover x [N, C, D, H, W] evenly.

    data_format: "NCDHW" or "NDHWC". The result [N, C, *output_size], its dtype and the errors as in `adaptive_avg_pool2d`.
    """
    x, last = channels_first("adaptive_avg_pool3d", floating("adaptive_avg_pool3d", x), data_format, 3)
    depth, *image = lengths("adaptive_avg_pool3d", output_size, 3)
    out = _within_and_along(
        x,
        lambda y: pool.adaptive_avg_pool2d(y, output_size=image),
        lambda y: pool.adaptive_avg_pool2d(y, output_size=[depth, None]),
    )
    return channels_back(out, last, 3)

"""Arguments of convolution and pooling: sizes given as one int or two, paddings in Paddle's many spellings, channels last."""

from __future__ import annotations

from typing import Any

from ...api.checks import describe
from ...errors import ShapeError
from ...ops.views import transpose
from ...runtime.tensor import Tensor


def pair(op: str, value: Any, what: str, least: int = 1) -> list[int]:
    """[vertical, horizontal] from an int or a list of two."""
    found = [value, value] if isinstance(value, int) else list(value) if isinstance(value, (list, tuple)) else None
    if found is None or len(found) != 2 or not all(isinstance(v, int) for v in found):
        raise TypeError(f"{op}: {what} must be an int or a list of two ints, not {describe(value)}")
    if min(found) < least:
        raise ValueError(f"{op}: {what} must be at least {least}, not {value}")
    return found


def padding_of(op: str, x: Tensor, padding: Any, kernel: list, stride: list, dilation: list) -> list:
    """[top, bottom, left, right] from an int, two or four ints, pairs for two or four axes, "same" or "valid"."""
    if isinstance(padding, str):
        return _named_padding(op, x, padding, kernel, stride, dilation)
    if isinstance(padding, int):
        padding = [padding, padding]
    found = list(padding)
    if found and all(isinstance(p, (list, tuple)) for p in found):
        pairs = [list(p) for p in found]
        if len(pairs) == 4:
            # Pairs for all four axes of an NCHW tensor; batch and channels can't be padded.
            if pairs[0] != [0, 0] or pairs[1] != [0, 0]:
                raise ValueError(f"{op}: only the two spatial axes can be padded, not {padding}")
            pairs = pairs[2:]
        found = [v for p in pairs for v in p]
    if len(found) == 2:
        found = [found[0], found[0], found[1], found[1]]
    if len(found) != 4 or not all(isinstance(v, int) and v >= 0 for v in found):
        raise ValueError(f"{op}: padding is an int, two ints, four ints, pairs of ints, 'same' or 'valid', not {padding!r}")
    return found


def _named_padding(op: str, x: Tensor, padding: str, kernel: list, stride: list, dilation: list) -> list:
    """ "valid" pads nothing; "same" so that the output has length / stride elements, the odd one after the end."""
    if padding.lower() == "valid":
        return [0, 0, 0, 0]
    if padding.lower() != "same":
        raise ValueError(f"{op}: padding is 'same' or 'valid', not {padding!r}")
    result = []
    for at in range(2):
        reach = dilation[at] * (kernel[at] - 1) + 1
        if stride[at] == 1:
            total = reach - 1
        else:
            length = x.shape[2 + at]
            if not isinstance(length, int):
                raise ShapeError(f"{op}: padding='same' with stride {stride[at]} needs a known length of axis {2 + at}")
            total = max((-(-length // stride[at]) - 1) * stride[at] + reach - length, 0)
        result += [total // 2, total - total // 2]
    return result


def channels_first(op: str, x: Tensor, data_format: str) -> tuple[Tensor, bool]:
    """`x` as [N, C, H, W], and whether it was [N, H, W, C]."""
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"{op}: data_format is 'NCHW' or 'NHWC', not {data_format!r}")
    if data_format == "NCHW":
        return x, False
    return transpose(x, perm=[0, 3, 1, 2]), True


def channels_back(x: Tensor, last: bool) -> Tensor:
    """[N, C, H, W] as [N, H, W, C] where `last`."""
    return transpose(x, perm=[0, 2, 3, 1]) if last else x

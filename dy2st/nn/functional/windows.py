"""Arguments of convolution and pooling: sizes as one int or one for each axis, paddings in many spellings, channels last.

Spatial axes are those behind batch and channels: one (N C L), two (N C H W) or three (N C D H W).
"""

from __future__ import annotations

from typing import Any

from ...api.checks import describe
from ...api.known import known_length, need_known
from ...errors import ShapeError
from ...ops.views import transpose
from ...runtime.tensors.tensor import Tensor

FORMATS = {1: ("NCL", "NLC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}
COUNTS = {1: "one int", 2: "two ints", 3: "three ints"}


def sizes(op: str, value: Any, what: str, rank: int = 2, least: int = 1) -> list[int]:
    """One int for each of `rank` spatial axes, from an int or a list."""
    need_known(op, **{what: value})
    found = [value] * rank if isinstance(value, int) else list(value) if isinstance(value, (list, tuple)) else None
    if found is None or len(found) != rank or not all(isinstance(v, int) for v in found):
        raise TypeError(f"{op}: {what} must be an int or a list of {COUNTS[rank]}, not {describe(value)}")
    if min(found) < least:
        raise ValueError(f"{op}: {what} must be at least {least}, not {value}")
    return found


def padding_of(op: str, x: Tensor, padding: Any, kernel: list, stride: list, dilation: list) -> list:
    """[before, after] of each spatial axis in one list, from an int, ints for axes or their ends, pairs, "same" or "valid"."""
    rank = len(kernel)
    need_known(op, padding=padding)
    if isinstance(padding, str):
        return _named_padding(op, x, padding, kernel, stride, dilation)
    if isinstance(padding, int):
        padding = [padding] * rank
    found = list(padding)
    if found and all(isinstance(p, (list, tuple)) for p in found):
        pairs = [list(p) for p in found]
        if len(pairs) == rank + 2:
            # Pairs for all axes of an N C ... tensor; batch and channels can't be padded.
            if pairs[0] != [0, 0] or pairs[1] != [0, 0]:
                raise ValueError(f"{op}: only the spatial axes can be padded, not {padding}")
            pairs = pairs[2:]
        found = [v for p in pairs for v in p]
    if len(found) == rank:
        found = [v for p in found for v in (p, p)]
    if len(found) != 2 * rank or not all(isinstance(v, int) and v >= 0 for v in found):
        raise ValueError(
            f"{op}: padding is an int, {rank} or {2 * rank} ints, pairs of ints, 'same' or 'valid', not {padding!r}"
        )
    return found


def _named_padding(op: str, x: Tensor, padding: str, kernel: list, stride: list, dilation: list) -> list:
    """ "valid" pads nothing; "same" so that the output has length / stride elements, the odd one after the end."""
    if padding.lower() == "valid":
        return [0] * (2 * len(kernel))
    if padding.lower() != "same":
        raise ValueError(f"{op}: padding is 'same' or 'valid', not {padding!r}")
    need_known(op, **{"the kernel of a padding that is 'same'": kernel})
    result = []
    for at in range(len(kernel)):
        reach = dilation[at] * (kernel[at] - 1) + 1
        if stride[at] == 1:
            total = reach - 1
        else:
            length = known_length(op, x, 2 + at)
            total = max((-(-length // stride[at]) - 1) * stride[at] + reach - length, 0)
        result += [total // 2, total - total // 2]
    return result


def channels_first(op: str, x: Tensor, data_format: str, rank: int = 2) -> tuple[Tensor, bool]:
    """`x` as N C and the spatial axes, and whether its channels were last."""
    first, last = FORMATS[rank]
    if data_format not in (first, last):
        raise ValueError(f"{op}: data_format is {first!r} or {last!r}, not {data_format!r}")
    if x.type.rank not in (rank + 2, None):
        raise ShapeError(f"{op} takes a tensor of {rank + 2} axes [{', '.join(data_format)}], not {x.type}")
    if data_format == first:
        return x, False
    return transpose(x, perm=[0, rank + 1, *range(1, rank + 1)]), True


def channels_back(x: Tensor, last: bool, rank: int = 2) -> Tensor:
    """N C and the spatial axes with the channels last, where `last`."""
    return transpose(x, perm=[0, *range(2, rank + 2), 1]) if last else x

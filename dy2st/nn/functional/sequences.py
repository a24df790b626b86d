"""Functions for padded sequences and for labels, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ...api.checks import floating, need_tensor
from ...api.compare import less_than
from ...api.converted import converted
from ...api.creation import arange, zeros_like
from ...api.joining import concat
from ...api.known import of_multiple
from ...api.manipulation import reshape, transpose, unsqueeze
from ...dtypes import dtype_name
from ...runtime.tensors.tensor import Tensor

__all__ = ["label_smooth", "sequence_mask", "temporal_shift"]


def sequence_mask(x: Tensor, maxlen: Any = None, dtype: Any = "int64", name: str | None = None) -> Tensor:
    """1 for the first x elements, else 0: integer lengths x [...] -> [..., maxlen], in `dtype`.

    maxlen: an int; None means the largest of x.

    >>> dy2st.nn.functional.sequence_mask(dy2st.to_tensor([1, 2])).tolist()
    [[1, 0], [1, 1]]
    """
    x = need_tensor("sequence_mask", x)
    end = x.max() if maxlen is None else maxlen
    return less_than(arange(0, end, 1, x.dtype), unsqueeze(x, -1)).astype(dtype_name(dtype))


def label_smooth(label: Tensor, prior_dist: Tensor | None = None, epsilon: float = 0.1, name: str | None = None) -> Tensor:
    """(1 - epsilon) * label + epsilon * prior_dist: label [..., C] of probabilities; without prior_dist 1 / C for each class.

    prior_dist: [C] or what broadcasts to label. The result has the shape and dtype of label. ValueError: epsilon outside [0, 1].
    """
    if not 0.0 <= epsilon <= 1.0:
        raise ValueError(f"label_smooth: epsilon must be between 0 and 1, not {epsilon}")
    label = floating("label_smooth", label)
    return label * (1.0 - epsilon) + (epsilon / label.shape[-1] if prior_dist is None else prior_dist * epsilon)


def temporal_shift(
    x: Tensor, seg_num: int, shift_ratio: float = 0.25, name: str | None = None, data_format: str = "NCHW"
) -> Tensor:
    """x [N * seg_num, C, H, W]: channels below shift_ratio * C from the step before, those below twice that from the one after.

    data_format: "NCHW" or "NHWC"; ValueError for another. The result has the shape and dtype of x; integers become the default
    dtype. See Lin et al., 2018.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"temporal_shift: data_format is 'NCHW' or 'NHWC', not {data_format!r}")
    x = floating("temporal_shift", x)
    if data_format == "NHWC":
        x = transpose(x, [0, 3, 1, 2])
    x = of_multiple("temporal_shift", x, 0, seg_num)
    steps = reshape(x, [x.shape[0] // seg_num, seg_num, *x.shape[1:]])
    first, second = (converted(int)(x.shape[1] * times * shift_ratio) for times in (1, 2))
    nothing = zeros_like(steps[:, :1])
    earlier = concat([nothing, steps[:, :-1]], axis=1)[:, :, :first]
    later = concat([steps[:, 1:], nothing], axis=1)[:, :, first:second]
    out = reshape(concat([earlier, later, steps[:, :, second:]], axis=2), x.shape)
    return transpose(out, [0, 2, 3, 1]) if data_format == "NHWC" else out

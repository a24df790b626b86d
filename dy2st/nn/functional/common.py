"""linear, bilinear, dropout, embedding, pad as functions, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ...api.checks import describe, floating, known_rank, need_tensor, operands, scalar_kind
from ...api.creation import one_hot
from ...api.known import larger, of_length
from ...api.manipulation import flatten
from ...api.shape_args import int_list
from ...errors import DTypeError, ShapeError
from ...ops import linalg
from ...ops import padding as padding_ops
from ...ops.cast import assign_
from ...ops.elementwise import add, multiply, subtract
from ...ops.embedding import embedding as embedding_op
from ...ops.half import in_float32
from ...ops.index import getitem
from ...ops.random import dropout_mask
from ...ops.reduce import reduce_sum
from ...ops.views import transpose
from ...runtime.tensors.tensor import Tensor
from .lengths import check_features

__all__ = [
    "alpha_dropout", "bilinear", "dropout", "dropout1d", "dropout2d", "dropout3d", "embedding", "feature_alpha_dropout",
    "flatten", "linear", "one_hot", "pad", "zeropad2d",
]  # fmt: skip


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None, name: str | None = None) -> Tensor:
    """x @ weight + bias: x [..., in], weight [in, out], bias [out] or None -> [..., out].

    Dtypes are promoted, integers become the default dtype. ShapeError: lengths that don't fit.

    >>> dy2st.nn.functional.linear(dy2st.ones([2, 3]), dy2st.ones([3, 4])).shape
    [2, 4]
    """
    x, weight = operands("linear", need_tensor("linear", x), need_tensor("linear", weight, "weight"), fractions=True)
    try:
        out = linalg.matmul(x, weight, transpose_x=False, transpose_y=False)
    except ShapeError:
        check_features("linear", x, weight, -2)
        raise
    return out if bias is None else add(*operands("linear", out, need_tensor("linear", bias, "bias")))


def check_probability(op: str, p: Any) -> None:
    """TypeError where p is no number or Tensor, ValueError where it isn't between 0 and 1."""
    if not isinstance(p, Tensor) and scalar_kind(p) is None:
        raise TypeError(f"{op}: p must be a number between 0 and 1, not {describe(p)}")
    if isinstance(p, (int, float)) and not 0 <= p <= 1:
        raise ValueError(f"{op}: p must be between 0 and 1, not {p}")


def dropout(
    x: Tensor, p: Any = 0.5, axis: Any = None, training: bool = True, inplace: bool = False, mode: str = "upscale_in_train",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """In training, each element of x is set to 0 with probability `p`, drawn anew at every call (Srivastava et al., 2014).

    x: a tensor of any shape; the result has its shape and dtype, the default dtype for integers. mode "upscale_in_train" divides
    what is left by 1 - p and leaves inference (not `training`) as it is; "downscale_in_infer" leaves it and multiplies by 1 - p
    in inference. With `axis`, one draw holds for all elements that differ only along the other axes. With `inplace` the result is
    written into x. ValueError: another mode, or p outside [0, 1]. TypeError: p is no number. ShapeError: axis, and the number of
    axes is unknown.

    >>> dy2st.nn.functional.dropout(dy2st.ones([2]), 0.5, training=False).tolist()
    [1.0, 1.0]
    """
    found = _dropped(x, p, axis, training, mode)
    if not inplace:
        return found
    assign_(x, found)
    return x


def _dropped(x: Tensor, p: Any, axis: Any, training: bool, mode: str) -> Tensor:
    x = floating("dropout", x)
    if mode not in ("upscale_in_train", "downscale_in_infer"):
        raise ValueError(f"dropout: mode is 'upscale_in_train' or 'downscale_in_infer', not {mode!r}")
    check_probability("dropout", p)
    if not training:
        return x if mode == "upscale_in_train" else multiply(x, 1.0 - p)
    if isinstance(p, (int, float)) and p == 0:
        return x
    return multiply(x, dropout_mask(_drawn_like(x, axis), p=p, upscale=mode == "upscale_in_train"))


def _drawn_like(x: Tensor, axis: Any) -> Tensor:
    """A part of `x` with the axes in `axis` whole and length 1 elsewhere: the shape of the draw."""
    if axis is None:
        return x
    rank = known_rank("dropout with axis", x)
    axes = [a % rank for a in (axis if isinstance(axis, (list, tuple)) else [axis])]
    return getitem(x, index=[{"slice": [None, None if a in axes else 1, None]} for a in range(rank)])


def dropout2d(x: Tensor, p: Any = 0.5, training: bool = True, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """Dropout of whole channels of x [N, C, H, W], or [N, H, W, C] where data_format is "NHWC"; ValueError for another.

    p, training, the result's shape and dtype and the errors as in `dropout`.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"dropout2d: data_format is 'NCHW' or 'NHWC', not {data_format!r}")
    return dropout(x, p, axis=[0, 1] if data_format == "NCHW" else [0, 3], training=training)


def dropout1d(input: Tensor, p: Any = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Dropout of whole channels of `input` [N, C, L] or [C, L]; ShapeError for others. As in Paddle, `inplace` has no effect.

    p, training, the result's shape and dtype and the errors as in `dropout`.
    """
    x = need_tensor("dropout1d", input)
    if x.type.rank not in (2, 3):
        raise ShapeError(f"dropout1d takes a tensor [N, C, L] or [C, L], not {x.type}")
    return dropout(x, p, axis=[0, 1] if x.type.rank == 3 else [0], training=training)


def dropout3d(x: Tensor, p: Any = 0.5, training: bool = True, data_format: str = "NCDHW", name: str | None = None) -> Tensor:
    """Dropout of whole channels of x [N, C, D, H, W], or [N, D, H, W, C] where data_format is "NDHWC"; ValueError for another.

    p, training, the result's shape and dtype and the errors as in `dropout`.
    """
    if data_format not in ("NCDHW", "NDHWC"):
        raise ValueError(f"dropout3d: data_format is 'NCDHW' or 'NDHWC', not {data_format!r}")
    return dropout(x, p, axis=[0, 1] if data_format == "NCDHW" else [0, 4], training=training)


def alpha_dropout(x: Tensor, p: Any = 0.5, training: bool = True, name: str | None = None) -> Tensor:
    """Dropout that keeps mean and variance of what SELU gives: dropped elements get its lowest value (Klambauer et al., 2017).

    x: a tensor of any shape; the result has its shape and dtype, the default dtype for integers. p: the probability; ValueError
    outside [0, 1]. Where not `training`, x itself. Of whole channels, `feature_alpha_dropout`: a ShapeError where the number of
    axes is unknown.
    """
    return _alpha_dropped("alpha_dropout", x, p, training, None)


def feature_alpha_dropout(x: Tensor, p: Any = 0.5, training: bool = True, name: str | None = None) -> Tensor:
    """`alpha_dropout` of whole channels of x [N, C, ...]. As `alpha_dropout`: p, training, the result.

    ShapeError: the number of axes is unknown.
    """
    return _alpha_dropped("feature_alpha_dropout", x, p, training, [0, 1])


def _alpha_dropped(op: str, x: Tensor, p: Any, training: bool, axis: Any) -> Tensor:
    x = floating(op, x)
    check_probability(op, p)
    if not training:
        return x
    if p == 1:
        return multiply(x, 0.0)
    lowest = -1.6732632423543772 * 1.0507009873554805
    scale = ((1 - p) * (1 + p * lowest**2)) ** -0.5
    kept = dropout_mask(_drawn_like(x, axis), p=p, upscale=False)
    mixed = add(multiply(x, kept), multiply(subtract(1.0, kept), lowest))
    return add(multiply(mixed, scale), -scale * lowest * p)


@in_float32
def bilinear(x1: Tensor, x2: Tensor, weight: Tensor, bias: Tensor | None = None, name: str | None = None) -> Tensor:
    """x1 @ weight[o] @ x2 for each o: x1 [N, I], x2 [N, J], weight [O, I, J], bias [1, O] or None -> [N, O].

    Dtypes are promoted, integers become the default dtype.
    """
    x1, x2 = operands("bilinear", need_tensor("bilinear", x1, "x1"), need_tensor("bilinear", x2, "x2"), fractions=True)
    x1, weight = operands("bilinear", x1, need_tensor("bilinear", weight, "weight"), fractions=True)
    sides = linalg.matmul(x1, weight, transpose_x=False, transpose_y=False)
    out = transpose(reduce_sum(multiply(*operands("bilinear", sides, x2)), axis=-1, keepdim=False), perm=[1, 0])
    return out if bias is None else add(*operands("bilinear", out, need_tensor("bilinear", bias, "bias")))


def embedding(
    x: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0,
    sparse: bool = False, scale_grad_by_freq: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Rows of weight [rows, width]: x [...] of integers -> [..., width], in the dtype of weight.

    The row `padding_idx` reads as zeros and gets no gradient. Gradients are dense, whatever `sparse` says; `norm_type` has no
    effect. DTypeError: x isn't integer. ValueError: a padding_idx outside the rows. IndexError: x outside them.
    NotImplementedError: `max_norm` or `scale_grad_by_freq`.

    >>> dy2st.nn.functional.embedding(dy2st.to_tensor([1, 0]), dy2st.to_tensor([[1.0], [2.0]])).tolist()
    [[2.0], [1.0]]
    """
    if max_norm is not None or scale_grad_by_freq:
        raise NotImplementedError("embedding: max_norm and scale_grad_by_freq are not supported; clip the rows after a step")
    if not need_tensor("embedding", x).dtype.is_integer:
        raise DTypeError(f"embedding takes integer ids, not {x.dtype.name}")
    rows = need_tensor("embedding", weight, "weight").shape[0]
    if padding_idx is not None:
        least = larger(padding_idx + 1, -padding_idx)
        weight = of_length("embedding", weight, 0, larger(rows, least), "padding_idx is outside the rows of the weight")
        padding_idx = padding_idx if padding_idx >= 0 else rows + padding_idx
    return embedding_op(x, weight, padding_idx=padding_idx)


def pad(
    x: Tensor, pad: Any, mode: str = "constant", value: Any = 0.0, data_format: str | None = None,
    pad_from_left_axis: bool = True, name: str | None = None,
) -> Tensor:  # fmt: skip
    """More elements around x, in its dtype. mode: constant (with `value`), reflect, replicate, circular; ValueError for another.

    `pad` has two numbers, before and after, for every axis from the first to the last (the other way round where not
    `pad_from_left_axis`); or, where it is shorter, for the spatial axes from the last backwards: [left, right, top, bottom]. Of
    the shape of x, data_format says where the channels are: behind "NC" the spatial axes, else in front of the last. The result
    is longer by these numbers. ShapeError: an odd or too large number of them, or the number of axes is unknown.

    >>> dy2st.nn.functional.pad(dy2st.to_tensor([1, 2]), [1, 1]).tolist()
    [0, 1, 2, 0]
    """
    rank = known_rank("pad", x)
    given = int_list("pad", pad, "pad")
    if mode not in padding_ops.NUMPY_MODE:
        raise ValueError(f"pad: mode is one of {', '.join(padding_ops.NUMPY_MODE)}, not {describe(mode)}")
    if len(given) % 2 or len(given) > 2 * rank:
        raise ShapeError(f"pad: {len(given)} numbers for a tensor of {rank} axes; give two for each padded axis")
    pairs = [given[i : i + 2] for i in range(0, len(given), 2)]
    if len(pairs) < rank:
        pairs = _spatial(pairs, rank, data_format)
    elif not pad_from_left_axis:
        pairs = pairs[::-1]
    return padding_ops.pad(x, pads=pairs, mode=mode, value=value)


def zeropad2d(x: Tensor, padding: Any, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """Zeros around x [N, C, H, W] (or [N, H, W, C] with data_format="NHWC"): padding [left, right, top, bottom].

    The result is longer by these numbers, in the dtype of x.
    """
    return pad(x, padding, data_format=data_format)


def _spatial(pairs: list, rank: int, data_format: str | None) -> list:
    """Pairs for all axes, from pairs for the spatial axes in reverse order."""
    none: list = [0, 0]
    if data_format is not None and not data_format.startswith("NC"):
        return [none] * (rank - len(pairs) - 1) + pairs[::-1] + [none]
    return [none] * (rank - len(pairs)) + pairs[::-1]

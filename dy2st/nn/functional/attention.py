"""Attention as a function, under Paddle's name."""

from __future__ import annotations

import math
from typing import Any

from ...api.checks import floating
from ...api.compare import where
from ...api.creation import full, triu
from ...api.joining import repeat_interleave
from ...api.known import is_less, of_length, of_some_length
from ...api.linalg import matmul
from ...api.manipulation import transpose
from ...errors import ShapeError
from ...ops.half import in_float32
from ...runtime.tensors.tensor import Tensor
from .activation import softmax
from .common import dropout

__all__ = ["scaled_dot_product_attention"]


def attention_mask(mask: Any, dtype: Any) -> Any:
    """What is added to the scores: of a mask of booleans or integers, -1e9 where it is 0; of another, itself."""
    if mask is None or mask.dtype == dtype:
        return mask
    if mask.dtype.name == "bool" or mask.dtype.is_integer:
        return (mask.astype(dtype) - 1.0) * 1e9
    return mask.astype(dtype)


@in_float32
def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0, is_causal: bool = False,
    training: bool = True, backend: str | None = None, scale: float | None = None, enable_gqa: bool = True,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """softmax(query @ key^T * scale + mask) @ value, for each head (Vaswani et al., 2017).

    query [N, S, heads, D], key and value [N, T, heads or a divisor of it, D] -> [N, S, heads, D], in their floating dtype; scale
    is 1 / sqrt(D) where not given. attn_mask [N, heads, S, T], or what broadcasts to it: booleans (True takes part) or numbers
    that are added. With `is_causal` a step sees the steps up to itself only. dropout_p: the share of weights that are set to 0
    where `training`. enable_gqa: whether fewer heads of key and value are repeated. `backend` has no effect. ValueError: a mask
    and is_causal. ShapeError: other numbers of axes.

    >>> q = dy2st.ones([1, 5, 2, 4])
    >>> dy2st.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True).shape
    [1, 5, 2, 4]
    """
    op = "scaled_dot_product_attention"
    if is_causal and attn_mask is not None:
        raise ValueError(f"{op}: give attn_mask or is_causal=True, not both (Paddle ignores the mask then)")
    q, k, v = (transpose(_four_axes(op, x), [0, 2, 1, 3]) for x in (query, key, value))
    if enable_gqa and not _have_as_many_heads(q, k):
        k, v = _for_each_head(op, q, k, v)
    scores = matmul(q * (scale or 1.0 / of_some_length(op, q, -1, "query has no numbers").shape[-1] ** 0.5), k, transpose_y=True)
    if is_causal:
        scores = scores + triu(full([scores.shape[2], scores.shape[3]], -math.inf, scores.dtype), 1)
    if attn_mask is not None:
        scores = scores + _added(attn_mask, scores.dtype)
    weights = dropout(softmax(scores), dropout_p, training=training)
    return transpose(matmul(weights, v), [0, 2, 1, 3])


def _have_as_many_heads(q: Tensor, k: Tensor) -> bool:
    """Whether staging knows that q and k [N, heads, steps, D] have as many heads."""
    a, b = q.type.shape, k.type.shape
    return a is not None and b is not None and a[1] is not None and a[1] == b[1]


def _for_each_head(op: str, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """k and v [N, heads, T, D], with each head repeated so that there are as many as q has."""
    heads, given = q.shape[1], k.shape[1]
    times = heads // (given + is_less(given, 1))
    of_length(op, q, 1, times * given, "the number of query's heads isn't a multiple of that of key's")
    return repeat_interleave(k, times, axis=1), repeat_interleave(v, times, axis=1)


def _added(mask: Tensor, dtype: Any) -> Tensor:
    return where(mask, 0.0, -math.inf).astype(dtype) if mask.dtype.name == "bool" else mask.astype(dtype)


def _four_axes(op: str, x: Any) -> Tensor:
    x = floating(op, x)
    if x.type.rank not in (4, None):
        raise ShapeError(f"{op} takes tensors [N, steps, heads, D], not {x.type}")
    return x

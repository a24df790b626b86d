"""Attention by scaled products."""

from __future__ import annotations

import math
from math import prod
from typing import Any

import dy2st as api

from ...ops.half import in_float32
from .activations import softmax
from .axes import rank_of
from .linear import linear
from .rows import demanded, need_rank, refused, row

F = api.nn.functional

# The C code that modules of attention call where nothing needs a gradient isn't mapped: they compute in Python, as in training.
row("backends.mha.get_fastpath_enabled")(lambda: False)


def _added(mask: Any, dtype: str) -> Any:
    """A mask that is added to scores: of bools, what isn't looked at is -inf."""
    if mask.type.dtype != "bool":
        return mask.astype(dtype)
    zeros = api.zeros_like(mask, dtype=dtype)
    return api.where(mask, zeros, api.full_like(zeros, -math.inf))


@row("ops.aten._safe_softmax", "ops.aten._safe_softmax.default")
def safe_softmax(self: Any, dim: int, dtype: Any = None) -> Any:
    """Softmax, 0 where all is -inf."""
    if rank_of(self) == 0:
        return api.reshape(safe_softmax(api.reshape(self, [1]), 0, dtype), [])
    is_empty = api.all(api.equal(self, -math.inf), axis=dim, keepdim=True)
    zeros = api.zeros_like(self)
    found = softmax(api.where(is_empty, zeros, self), dim, dtype)
    return api.where(is_empty, api.zeros_like(found), found)


def _for_each_head(x: Any, query: Any) -> Any:
    """Heads of keys or values repeated for groups of heads of queries."""
    heads, (*batch, given, length, width) = query.shape[-3], x.shape
    are_known = isinstance(heads, int) and isinstance(given, int)
    if are_known and heads % given:
        raise refused(f"enable_gqa: {given} heads of keys aren't a part of {heads} heads of queries")
    if are_known and heads == given:
        return x
    repeated = api.expand(api.unsqueeze(x, -3), [*batch, given, heads // given, length, width])
    return api.reshape(repeated, [*batch, heads, length, width])


@row("nn.functional.scaled_dot_product_attention")
@in_float32
def scaled_dot_product_attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False, *,
    scale: Any = None, enable_gqa: bool = False,
) -> Any:  # fmt: skip
    """Attention by scaled products. Of a mask and a causal one, torch takes both on the CPU."""
    if enable_gqa:
        key, value = _for_each_head(key, query), _for_each_head(value, query)
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = api.matmul(query * scale, key, transpose_y=True)
    if is_causal:
        is_seen = api.tril(api.ones([query.shape[-2], key.shape[-2]], dtype="bool"))
        scores = api.where(is_seen, scores, api.full_like(scores, -math.inf))
    if attn_mask is None:
        weights = F.softmax(scores, axis=-1)
    else:
        weights = safe_softmax(scores + _added(attn_mask, scores.type.dtype), -1)
    return api.matmul(F.dropout(weights, dropout_p, training=dropout_p > 0), value)


def _thirds(x: Any) -> list[Any]:
    """Three parts of equal length along the first axis."""
    third = x.shape[0] // 3
    return [x[:third], x[third : 2 * third], x[2 * third :]]


def _projected(query: Any, key: Any, value: Any, packed: Any, apart: tuple, bias: Any, is_apart: bool) -> list[Any]:
    """Queries, keys and values by their weights, which stand in one tensor or in three."""
    weights = apart if is_apart else _thirds(packed)
    biases = [None] * 3 if bias is None else _thirds(bias)
    return [linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases)]


def _in_heads(x: Any, num_heads: int) -> Any:
    """[L, N, E] as [N, heads, L, E / heads]."""
    length, n, width = x.shape
    return api.transpose(api.reshape(x, [length, n, num_heads, width // num_heads]), [1, 2, 0, 3])


def _with_row(x: Any, last: Any) -> Any:
    """One row more, for all samples: a bias, or zeros where `last` is None."""
    n, width = x.shape[1:]
    if last is None:
        last = api.zeros([1, n, width], x.type.dtype)
    else:
        last = demanded(last, prod(last.shape) == width, "bias_k and bias_v have an element for each feature")
        last = api.expand(last, [1, n, width])
    return api.concat([x, last], axis=0)


def _masks(attn_mask: Any, padding: Any, query: Any, num_heads: int, more: int) -> Any:
    """Both masks as one that is added to scores [N, heads, L, S + more]; None where there is none."""
    found: Any = None
    dtype, n = query.type.dtype, query.shape[1]
    if attn_mask is not None:
        mask = _added(~attn_mask if attn_mask.type.dtype == "bool" else attn_mask, dtype)
        if rank_of(mask) == 3:
            mask = api.reshape(mask, [n, num_heads, *mask.shape[1:]])
        found = _with_columns(mask, more)
    if padding is not None:
        mask = _added(~padding if padding.type.dtype == "bool" else padding, dtype)
        mask = _with_columns(api.unsqueeze(mask, [1, 2]), more)
        found = mask if found is None else found + mask
    return found


def _with_columns(mask: Any, more: int) -> Any:
    """`more` columns that are looked at."""
    return api.concat([mask, api.zeros([*mask.shape[:-1], more], mask.type.dtype)], axis=-1) if more else mask


@row("nn.functional.multi_head_attention_forward")
def multi_head_attention_forward(
    query: Any, key: Any, value: Any, embed_dim_to_check: int, num_heads: int, in_proj_weight: Any, in_proj_bias: Any,
    bias_k: Any, bias_v: Any, add_zero_attn: bool, dropout_p: float, out_proj_weight: Any, out_proj_bias: Any,
    training: bool = True, key_padding_mask: Any = None, need_weights: bool = True, attn_mask: Any = None,
    use_separate_proj_weight: bool = False, q_proj_weight: Any = None, k_proj_weight: Any = None, v_proj_weight: Any = None,
    static_k: Any = None, static_v: Any = None, average_attn_weights: bool = True, is_causal: bool = False,
) -> Any:  # fmt: skip
    """Attention of several heads, of [L, N, E] or [L, E]; and the weights of the keys."""
    if static_k is not None or static_v is not None:
        raise refused("multi_head_attention_forward with static_k or static_v isn't mapped; give the keys and values")
    if is_causal and attn_mask is None:
        raise refused("Need attn_mask if specifying the is_causal hint.")
    has_batch = rank_of(query) == 3
    if not has_batch:
        query, key, value = (api.unsqueeze(x, 1) for x in (query, key, value))
        key_padding_mask = None if key_padding_mask is None else api.unsqueeze(key_padding_mask, 0)
    width = query.shape[2]
    apart = (q_proj_weight, k_proj_weight, v_proj_weight)
    q, k, v = _projected(query, key, value, in_proj_weight, apart, in_proj_bias, use_separate_proj_weight)
    if bias_k is not None:
        k, v = _with_row(k, bias_k), _with_row(v, bias_v)
    if add_zero_attn:
        k, v = _with_row(k, None), _with_row(v, None)
    more = int(bias_k is not None) + int(add_zero_attn)
    is_hint = is_causal and key_padding_mask is None and not need_weights
    mask = _masks(None if is_hint else attn_mask, key_padding_mask, query, num_heads, more)
    q, k, v = (_in_heads(x, num_heads) for x in (q, k, v))
    p = dropout_p if training else 0.0
    if need_weights:
        scores = api.matmul(q * (q.shape[-1] ** -0.5), k, transpose_y=True)
        weights = F.softmax(scores if mask is None else scores + mask, axis=-1)
        weights = F.dropout(weights, p, training=p > 0)
        found = api.matmul(weights, v)
    else:
        weights = None
        found = scaled_dot_product_attention(q, k, v, mask, p, is_hint)
    n, _, length, _ = found.shape
    need_rank(out_proj_weight, 2, "multi_head_attention_forward: out_proj_weight")
    if out_proj_bias is not None:
        need_rank(out_proj_bias, 1, "multi_head_attention_forward: out_proj_bias")
    found = linear(api.reshape(api.transpose(found, [2, 0, 1, 3]), [length, n, width]), out_proj_weight, out_proj_bias)
    if weights is not None and average_attn_weights:
        weights = api.mean(weights, axis=1)
    if has_batch:
        return found, weights
    return api.squeeze(found, 1), None if weights is None else api.squeeze(weights, 0)

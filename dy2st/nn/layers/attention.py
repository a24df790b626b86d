"""MultiHeadAttention."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...api.creation import full
from ...api.joining import concat
from ...api.linalg import matmul
from ...api.manipulation import reshape, transpose
from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..functional.attention import attention_mask
from ..layer import Layer
from .linear import Linear

Cache = namedtuple("Cache", ["k", "v"])
StaticCache = namedtuple("StaticCache", ["k", "v"])


class MultiHeadAttention(Layer):
    """Attention of `num_heads` heads between projections of query, key and value (Vaswani et al., 2017).

    Call: (query [N, S, embed_dim], key [N, T, kdim], value [N, T, vdim], attn_mask, cache) -> [N, S, embed_dim], followed by the
    weights [N, heads, S, T] with `need_weights`, and by the new cache where one is given. All are of floats; key and value are
    query where None. A mask [N, heads, S, T], or what broadcasts to it, has booleans or integers (0 takes no part) or numbers
    that are added. A Cache holds the keys and values of earlier steps and grows, a StaticCache those of another sequence;
    `gen_cache` makes one. dropout: of the weights, in training. weight_attr, bias_attr as in `Linear`, for all four projections.
    ValueError: embed_dim isn't a positive multiple of num_heads.

    >>> dy2st.nn.MultiHeadAttention(8, 2)(dy2st.ones([1, 5, 8])).shape
    [1, 5, 8]
    """

    Cache = Cache
    StaticCache = StaticCache

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, kdim: int | None = None, vdim: int | None = None,
        need_weights: bool = False, weight_attr: Any = None, bias_attr: Any = None,
    ):  # fmt: skip
        super().__init__()
        if embed_dim <= 0 or num_heads <= 0 or embed_dim % num_heads:
            raise ValueError(f"MultiHeadAttention: embed_dim {embed_dim} must be a positive multiple of num_heads {num_heads}")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim = embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim
        self.dropout, self.need_weights = dropout, need_weights
        self.q_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)
        self.k_proj = Linear(self.kdim, embed_dim, weight_attr, bias_attr)
        self.v_proj = Linear(self.vdim, embed_dim, weight_attr, bias_attr)
        self.out_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)

    def _heads(self, x: Tensor) -> Tensor:
        """[N, steps, embed_dim] as [N, heads, steps, head_dim]."""
        return transpose(reshape(x, [x.shape[0], x.shape[1], self.num_heads, self.head_dim]), [0, 2, 1, 3])

    def compute_kv(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """The projections of key and value for each head: two tensors [N, heads, T, head_dim].

        key: [N, T, kdim], value: [N, T, vdim], of floats.
        """
        return self._heads(self.k_proj(key)), self._heads(self.v_proj(value))

    def gen_cache(self, key: Tensor, value: Tensor | None = None, type: Any = Cache) -> Any:
        """A StaticCache of key and value; a Cache of what they are; without a value, an empty Cache for a batch like key's.

        key [N, T, kdim], value [N, T, vdim]: of floats. type: Cache or StaticCache.
        """
        if type is StaticCache:
            return StaticCache(*self.compute_kv(key, key if value is None else value))
        if value is not None:
            return Cache(key, value)
        empty = full([key.shape[0], self.num_heads, 0, self.head_dim], 0, key.dtype)
        return Cache(empty, empty)

    def _keys_and_values(self, key: Tensor, value: Tensor, cache: Any) -> tuple[Tensor, Tensor, Any]:
        if isinstance(cache, StaticCache):
            return cache.k, cache.v, cache
        k, v = self.compute_kv(key, value)
        if isinstance(cache, Cache):
            k, v = concat([cache.k, k], axis=2), concat([cache.v, v], axis=2)
            cache = Cache(k, v)
        return k, v, cache

    def forward(
        self, query: Tensor, key: Tensor | None = None, value: Tensor | None = None, attn_mask: Tensor | None = None,
        cache: Any = None,
    ) -> Any:  # fmt: skip
        q = self._heads(self.q_proj(query))
        k, v, cache = self._keys_and_values(query if key is None else key, query if value is None else value, cache)
        scores = matmul(q * self.head_dim**-0.5, k, transpose_y=True)
        if attn_mask is not None:
            scores = scores + attention_mask(attn_mask, scores.dtype)
        weights = F.softmax(scores)
        if self.dropout:
            weights = F.dropout(weights, self.dropout, training=self.training)
        mixed = transpose(matmul(weights, v), [0, 2, 1, 3])
        out = self.out_proj(reshape(mixed, [mixed.shape[0], mixed.shape[1], self.embed_dim]))
        found = [out] + [weights] * self.need_weights + [cache] * (cache is not None)
        return out if len(found) == 1 else tuple(found)

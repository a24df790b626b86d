"""TransformerEncoderLayer, TransformerEncoder, TransformerDecoderLayer, TransformerDecoder, Transformer (Vaswani et al., 2017).

Sequences are [N, steps, d_model]; masks as in MultiHeadAttention.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

from ...api.creation import full, triu
from ...dtypes import get_default_dtype
from ...runtime.tensors.tensor import Tensor
from ..containers import LayerList
from ..functional.attention import attention_mask
from ..layer import Layer
from ..parameter import ParamAttr
from .activation import activation_named
from .attention import MultiHeadAttention
from .common import Dropout
from .linear import Linear
from .norm import LayerNorm


def _attrs(attr: Any, count: int) -> list:
    """The attributes of `count` groups of weights, from one for all (whose name gets their numbers) or a list of them."""
    if isinstance(attr, (list, tuple)):
        if len(attr) != count:
            raise ValueError(f"a list of {count} attributes is needed, not of {len(attr)}")
        return list(attr)
    if not isinstance(attr, (ParamAttr, str)):
        return [attr] * count
    made = [copy.deepcopy(ParamAttr.of(attr)) for _ in range(count)]
    for i, one in enumerate(made):
        if one is not None and one.name:
            one.name = f"{one.name}_{i}"
    return made


class _Block(Layer):
    """The base of the layers of encoder and decoder: the two linear layers, and how each part is normalised and added."""

    _parts = 2

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int, dropout: float = 0.1, activation: str = "relu",
        attn_dropout: float | None = None, act_dropout: float | None = None, normalize_before: bool = False,
        weight_attr: Any = None, bias_attr: Any = None, layer_norm_eps: float = 1e-5,
    ):  # fmt: skip
        super().__init__()
        if min(d_model, nhead, dim_feedforward) <= 0:
            raise ValueError(f"{type(self).__name__}: d_model, nhead and dim_feedforward must be positive")
        self._config = {
            "d_model": d_model, "nhead": nhead, "dim_feedforward": dim_feedforward, "dropout": dropout, "activation": activation,
            "attn_dropout": attn_dropout, "act_dropout": act_dropout, "normalize_before": normalize_before,
            "weight_attr": weight_attr, "bias_attr": bias_attr, "layer_norm_eps": layer_norm_eps,
        }  # fmt: skip
        weights, biases = _attrs(weight_attr, self._parts), _attrs(bias_attr, self._parts)
        within = dropout if attn_dropout is None else attn_dropout
        self.normalize_before = normalize_before
        self.self_attn = MultiHeadAttention(d_model, nhead, within, weight_attr=weights[0], bias_attr=biases[0])
        across = {"weight_attr": weights[1], "bias_attr": biases[1]}
        self.cross_attn: Any = MultiHeadAttention(d_model, nhead, within, **across) if self._parts == 3 else None
        self.linear1 = Linear(d_model, dim_feedforward, weights[-1], biases[-1])
        self.dropout = Dropout(dropout if act_dropout is None else act_dropout)
        self.linear2 = Linear(dim_feedforward, d_model, weights[-1], biases[-1])
        for i in range(1, self._parts + 1):
            setattr(self, f"norm{i}", LayerNorm(d_model, layer_norm_eps))
        for i in range(1, self._parts + 1):
            setattr(self, f"dropout{i}", Dropout(dropout))
        self.activation = activation_named(activation)

    def again(self) -> Layer:
        """A new layer, made with the same arguments."""
        return type(self)(**self._config)

    def _added(self, i: int, x: Tensor, part: Callable[[Tensor], Any]) -> tuple[Tensor, Any]:
        """x + part(x), normalised before or after by norm `i`, and what else the part gives: its new cache."""
        norm, dropout = getattr(self, f"norm{i}"), getattr(self, f"dropout{i}")
        found = part(norm(x) if self.normalize_before else x)
        out, cache = found if isinstance(found, tuple) else (found, None)
        out = x + dropout(out)
        return out if self.normalize_before else norm(out), cache

    def _forwards(self, x: Tensor) -> Tensor:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Block):
    """Self-attention, then two linear layers. Call: (src, src_mask, cache) -> src, or (src, new cache) where one is given.

    src: [N, steps, d_model] of floats. src_mask, cache: as in `MultiHeadAttention`. nhead: how many heads. dim_feedforward: the
    width between the linear layers. activation: the name of one in nn.functional. dropout: in training, of what each part adds;
    attn_dropout and act_dropout, of the weights and after the activation, are dropout where None. normalize_before: normalise
    what goes into a part, not the sum. layer_norm_eps: the epsilon of `LayerNorm`. weight_attr, bias_attr: as in `Linear`, or a
    list with one for each part. ValueError: numbers that aren't positive, no such activation, a list of another length.

    >>> dy2st.nn.TransformerEncoderLayer(8, 2, 16)(dy2st.ones([1, 5, 8])).shape
    [1, 5, 8]
    """

    def forward(self, src: Tensor, src_mask: Tensor | None = None, cache: Any = None) -> Any:
        mask = attention_mask(src_mask, src.dtype)
        src, new = self._added(1, src, lambda x: self.self_attn(x, x, x, mask, cache))
        src, _ = self._added(2, src, self._forwards)
        return src if cache is None else (src, new)

    def gen_cache(self, src: Tensor) -> Any:
        """An empty cache for a batch like src [N, steps, d_model], of its floating dtype: a Cache of `MultiHeadAttention`."""
        return self.self_attn.gen_cache(src)


class TransformerDecoderLayer(_Block):
    """Self-attention, attention to `memory`, then two linear layers.

    Call: (tgt, memory, tgt_mask, memory_mask, cache) -> tgt, or (tgt, (new cache, static cache)) where a cache is given. tgt and
    memory are [N, steps, d_model] of floats. The arguments and errors as in `TransformerEncoderLayer`.
    """

    _parts = 3

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None, cache: Any = None
    ) -> Any:
        own, other = attention_mask(tgt_mask, tgt.dtype), attention_mask(memory_mask, memory.dtype)
        growing, fixed = (None, None) if cache is None else cache
        tgt, growing = self._added(1, tgt, lambda x: self.self_attn(x, x, x, own, growing))
        tgt, fixed = self._added(2, tgt, lambda x: self.cross_attn(x, memory, memory, other, fixed))
        tgt, _ = self._added(3, tgt, self._forwards)
        return tgt if cache is None else (tgt, (growing, fixed))

    def gen_cache(self, memory: Tensor) -> tuple:
        """An empty cache of the steps, and the keys and values of memory [N, steps, d_model], of floats: a tuple of both."""
        fixed = self.cross_attn.gen_cache(memory, memory, MultiHeadAttention.StaticCache)
        return self.self_attn.gen_cache(memory), fixed


class _Stack(Layer):
    """`num_layers` layers like the given one, which is the first of them, and a normalisation at the end, where given."""

    def __init__(self, layer: Any, num_layers: int, norm: Layer | None = None):
        super().__init__()
        self.layers = LayerList([layer if i == 0 else layer.again() for i in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def _through(self, x: Tensor, caches: Any, call: Callable) -> Any:
        """x through call(layer, x, cache) of all layers, and their new caches where `caches` are given."""
        new = []
        for i, layer in enumerate(self.layers):
            found = call(layer, x, None if caches is None else caches[i])
            x, cache = found if caches is not None else (found, None)
            new.append(cache)
        if self.norm is not None:
            x = self.norm(x)
        return x if caches is None else (x, new)


class TransformerEncoder(_Stack):
    """Encoder layers one upon the other. Call: (src, src_mask, cache) -> src, or (src, new caches) where some are given.

    src: [N, steps, d_model] of floats. encoder_layer: the first of the `num_layers` layers, the others are made with its
    arguments. norm: a layer at the end, or None.
    """

    def __init__(self, encoder_layer: Any, num_layers: int, norm: Layer | None = None):
        super().__init__(encoder_layer, num_layers, norm)

    def forward(self, src: Tensor, src_mask: Tensor | None = None, cache: Any = None) -> Any:
        mask = attention_mask(src_mask, src.dtype)
        return self._through(src, cache, lambda layer, x, c: layer(x, mask) if c is None else layer(x, mask, c))

    def gen_cache(self, src: Tensor) -> list:
        """An empty cache for each layer, for a batch like that of src [N, steps, d_model], of its floating dtype: a list."""
        return [layer.gen_cache(src) for layer in self.layers]


class TransformerDecoder(_Stack):
    """Decoder layers one upon the other. Call: (tgt, memory, tgt_mask, memory_mask, cache) -> tgt, or (tgt, new caches).

    tgt, memory: [N, steps, d_model] of floats. decoder_layer: the first of the `num_layers` layers, the others are made with its
    arguments. norm: a layer at the end, or None.
    """

    def __init__(self, decoder_layer: Any, num_layers: int, norm: Layer | None = None):
        super().__init__(decoder_layer, num_layers, norm)

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None, cache: Any = None
    ) -> Any:
        own, other = attention_mask(tgt_mask, tgt.dtype), attention_mask(memory_mask, memory.dtype)
        return self._through(tgt, cache, lambda layer, x, c: layer(x, memory, own, other, c))

    def gen_cache(self, memory: Tensor, do_zip: bool = False) -> list:
        """The caches of each layer, for memory [N, steps, d_model] of floats: a list.

        do_zip: the growing ones of all layers, then the static ones.
        """
        caches = [layer.gen_cache(memory) for layer in self.layers]
        return list(zip(*caches)) if do_zip else caches


class Transformer(Layer):
    """Encoder and decoder. Call: (src, tgt, src_mask, tgt_mask, memory_mask) -> [N, steps of tgt, d_model].

    src, tgt: [N, steps, d_model] of floats. num_encoder_layers, num_decoder_layers: how many layers. custom_encoder,
    custom_decoder: others in place of them. weight_attr, bias_attr: as in `Linear`, or a list of one, two or three; ValueError
    for more. The other arguments and errors as in `TransformerEncoderLayer`.
    """

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
        dim_feedforward: int = 2048, dropout: float = 0.1, activation: str = "relu", attn_dropout: float | None = None,
        act_dropout: float | None = None, normalize_before: bool = False, weight_attr: Any = None, bias_attr: Any = None,
        custom_encoder: Layer | None = None, custom_decoder: Layer | None = None,
    ):  # fmt: skip
        super().__init__()
        shared = (d_model, nhead, dim_feedforward, dropout, activation, attn_dropout, act_dropout, normalize_before)
        weights, biases = _of_both(weight_attr), _of_both(bias_attr)
        if custom_encoder is None:
            layer = TransformerEncoderLayer(*shared, weights[0], biases[0])
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, LayerNorm(d_model))
        if custom_decoder is None:
            inner = TransformerDecoderLayer(*shared, weights[1], biases[1])
            custom_decoder = TransformerDecoder(inner, num_decoder_layers, LayerNorm(d_model))
        self.encoder, self.decoder, self.d_model, self.nhead = custom_encoder, custom_decoder, d_model, nhead

    def forward(
        self, src: Tensor, tgt: Tensor, src_mask: Tensor | None = None, tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Tensor:  # fmt: skip
        memory = self.encoder(src, attention_mask(src_mask, src.dtype))
        own, other = attention_mask(tgt_mask, tgt.dtype), attention_mask(memory_mask, memory.dtype)
        return self.decoder(tgt, memory, own, other)

    def generate_square_subsequent_mask(self, length: Any) -> Tensor:
        """A tensor [length, length] of the default dtype: 0 for the steps up to each step, -inf for those after it."""
        return triu(full([length, length], -math.inf, get_default_dtype()), 1)


def _of_both(attr: Any) -> tuple[Any, Any]:
    """The attributes of the encoder's and the decoder's layers, from one for all or a list of one, two or three."""
    if not isinstance(attr, (list, tuple)):
        return attr, attr
    if not 1 <= len(attr) <= 3:
        raise ValueError(f"Transformer: a list of attributes has one, two or three, not {len(attr)}")
    first, last = attr[0], attr[-1]
    return [first, last], list(attr) if len(attr) == 3 else [first, first, last]

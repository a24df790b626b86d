"""Attention and transformers, in inference, since dropout is random."""

import numpy as np

from .case import array, call, layer

Q, K, V = (array(2, 5, 2, 4, seed=i) for i in (1, 2, 3))
X, MEMORY = array(2, 3, 8, seed=4), array(2, 5, 8, seed=5)
SEEN = np.tril(np.ones((5, 5), "bool"))
HIDDEN = (np.arange(3)[:, None] < np.arange(3)) * np.float32(-1e9)
HEADS = array(2, 2, 3, 4, seed=6)
DOT = "nn.functional.scaled_dot_product_attention"

CASES = {
    "F.attention": call(DOT, Q, K, V, open=(0, 1)),
    "F.attention causal": call(DOT, Q, K, V, is_causal=True),
    "F.attention bool mask": call(DOT, Q, K, V, SEEN[None, None]),
    "F.attention added mask": call(DOT, Q, K, V, array(2, 2, 5, 5)),
    "MultiHeadAttention": layer("nn.MultiHeadAttention", 8, 2, evaluating=True)(X),
    "MultiHeadAttention of others": layer("nn.MultiHeadAttention", 8, 2, kdim=4, vdim=6, open=(0, 1))(
        X, array(2, 5, 4), array(2, 5, 6)
    ),
    "MultiHeadAttention mask": layer("nn.MultiHeadAttention", 8, 2, need_weights=True)(X, X, X, HIDDEN),
    "TransformerEncoderLayer": layer("nn.TransformerEncoderLayer", 8, 2, 16, evaluating=True)(X),
    "TransformerEncoderLayer before": layer(
        "nn.TransformerEncoderLayer", 8, 2, 16, activation="gelu", normalize_before=True, evaluating=True, open=(0, 1)
    )(X, HIDDEN),
    "TransformerDecoderLayer": layer("nn.TransformerDecoderLayer", 8, 4, 16, evaluating=True, open=(0, 1))(X, MEMORY, HIDDEN),
    "Transformer": layer("nn.Transformer", 8, 2, 2, 2, 12, evaluating=True, open=(0, 1))(X, MEMORY),
    "Transformer masks": layer("nn.Transformer", 8, 2, 1, 1, 12, normalize_before=True, evaluating=True)(
        MEMORY, X, SEEN[None, None], HIDDEN
    ),
}

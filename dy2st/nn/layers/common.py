"""Dropout, Embedding."""

from __future__ import annotations

from typing import Any

from ...runtime.tensor import Tensor
from .. import functional as F
from ..functional.common import check_probability
from ..layer import Layer


class Dropout(Layer):
    """In training, each element is set to 0 with probability p, and the rest divided by 1 - p (mode "upscale_in_train")."""

    def __init__(self, p: Any = 0.5, axis: Any = None, mode: str = "upscale_in_train", name: str | None = None):
        super().__init__()
        check_probability("Dropout", p)
        self.p, self.axis, self.mode = p, axis, mode

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.axis, self.training, self.mode)

    def extra_repr(self) -> str:
        return f"p={self.p}, axis={self.axis}, mode={self.mode}"


class Dropout2D(Layer):
    """Dropout of whole channels of [N, C, H, W]."""

    def __init__(self, p: Any = 0.5, data_format: str = "NCHW", name: str | None = None):
        super().__init__()
        check_probability("Dropout2D", p)
        self.p, self.data_format = p, data_format

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout2d(input, self.p, self.training, self.data_format)

    def extra_repr(self) -> str:
        return f"p={self.p}"


class Embedding(Layer):
    """Rows of weight [num_embeddings, embedding_dim]: ids [...] -> [..., embedding_dim].

    The row `padding_idx` is zero, reads as zeros and gets no gradient.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        sparse: bool = False,
        weight_attr: Any = None,
        name: str | None = None,
    ):
        super().__init__()
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(f"Embedding: padding_idx {padding_idx} is outside the {num_embeddings} rows")
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.weight = self.create_parameter([num_embeddings, embedding_dim], weight_attr)
        if padding_idx is not None:
            self.weight._data[padding_idx] = 0

    def forward(self, x: Tensor) -> Tensor:
        return F.embedding(x, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}"

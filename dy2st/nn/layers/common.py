"""Dropout in its forms, and Embedding."""

from __future__ import annotations

from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..functional.common import check_probability
from ..layer import Layer


class Dropout(Layer):
    """In training, each element is set to 0 with probability p, and the rest divided by 1 - p (mode "upscale_in_train").

    As `nn.functional.dropout`: inplace, axis, mode, shapes, dtypes and errors; training is that of the layer.
    """

    def __init__(
        self, p: Any = 0.5, inplace: bool = False, axis: Any = None, mode: str = "upscale_in_train", name: str | None = None
    ):
        super().__init__()
        check_probability("Dropout", p)
        self.p, self.inplace, self.axis, self.mode = p, inplace, axis, mode

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.axis, self.training, self.inplace, self.mode)

    def extra_repr(self) -> str:
        return f"p={self.p}, axis={self.axis}, mode={self.mode}"


class Dropout2D(Layer):
    """Dropout of whole channels of [N, C, H, W] -> the same shape.

    As `nn.functional.dropout2d`: p, data_format, dtypes, errors.
    """

    def __init__(self, p: Any = 0.5, data_format: str = "NCHW", name: str | None = None):
        super().__init__()
        check_probability("Dropout2D", p)
        self.p, self.data_format = p, data_format

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout2d(input, self.p, self.training, self.data_format)

    def extra_repr(self) -> str:
        return f"p={self.p}"


class Dropout3D(Dropout2D):
    """Dropout of whole channels of [N, C, D, H, W] -> the same shape.

    As `nn.functional.dropout3d`: p, data_format, dtypes, errors.
    """

    def __init__(self, p: Any = 0.5, data_format: str = "NCDHW", name: str | None = None):
        super().__init__(p, data_format)

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout3d(input, self.p, self.training, self.data_format)


class AlphaDropout(Layer):
    """Dropout that keeps mean and variance of what SELU gives. As `nn.functional.alpha_dropout`: p, shapes, dtypes, errors."""

    def __init__(self, p: Any = 0.5, name: str | None = None):
        super().__init__()
        check_probability(type(self).__name__, p)
        self.p = p

    def forward(self, input: Tensor) -> Tensor:
        return F.alpha_dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        return f"p={self.p}"


class FeatureAlphaDropout(AlphaDropout):
    """Alpha dropout of whole channels of [N, C, ...]. As `nn.functional.feature_alpha_dropout`: p, shapes, dtypes, errors."""

    def forward(self, input: Tensor) -> Tensor:
        return F.feature_alpha_dropout(input, self.p, self.training)


class Embedding(Layer):
    """Rows of weight [num_embeddings, embedding_dim]: integer ids [...] -> [..., embedding_dim], in the dtype of weight.

    The row `padding_idx` is zero, reads as zeros and gets no gradient. weight_attr as in `Linear`. `sparse` and `norm_type` have
    no effect. ValueError: a padding_idx outside the rows. DTypeError: ids that aren't integer. IndexError: one outside the rows.
    NotImplementedError, in forward: `max_norm`.

    >>> dy2st.nn.Embedding(10, 4)(dy2st.to_tensor([1, 2, 3])).shape
    [3, 4]
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        sparse: bool = False,
        weight_attr: Any = None,
        name: str | None = None,
    ):
        super().__init__()
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(f"Embedding: padding_idx {padding_idx} is outside the {num_embeddings} rows")
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.max_norm, self.norm_type = max_norm, norm_type
        self.weight = self.create_parameter([num_embeddings, embedding_dim], weight_attr)
        if padding_idx is not None:
            self.weight._data[padding_idx] = 0

    def forward(self, x: Tensor) -> Tensor:
        return F.embedding(x, self.weight, self.padding_idx, self.max_norm, self.norm_type)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}"

"""Paddle's names for what built-in layers were made with: `norm._epsilon` is `norm.epsilon`, to read and to write."""

from __future__ import annotations

from typing import Any

from .layer import Layer
from .layers import activation, adaptive_pooling, common, conv, group_norms, norm, padding

_NORM = "num_features momentum epsilon data_format"
NAMES: dict[type[Layer], str] = {
    norm._BatchNorm: f"{_NORM} use_global_stats",
    norm.LayerNorm: "normalized_shape epsilon",
    group_norms._InstanceNorm: _NORM,
    group_norms.GroupNorm: "num_groups num_channels epsilon data_format",
    conv._Conv: "in_channels out_channels kernel_size stride padding dilation groups data_format",
    common.Embedding: "num_embeddings embedding_dim padding_idx",
    activation.LeakyReLU: "negative_slope",
    activation.Softmax: "axis",
    activation.GELU: "approximate",
    adaptive_pooling.AdaptiveAvgPool2D: "output_size data_format",
    padding._Pad: "mode data_format",
}


class Setting:
    """An attribute that is another one, `name`; of convolutions, a number for each axis."""

    def __init__(self, name: str):
        self.name = name

    def __get__(self, layer: Any, owner: Any = None) -> Any:
        if layer is None:
            return self
        value = getattr(layer, self.name)
        for_each_axis = self.name in ("stride", "dilation") and isinstance(value, int)
        return [value] * layer._axes if for_each_axis else value

    def __set__(self, layer: Any, value: Any) -> None:
        setattr(layer, self.name, value)


for _layer, _names in NAMES.items():
    for _name in _names.split():
        setattr(_layer, f"_{_name}", Setting(_name))

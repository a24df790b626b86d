"""Linear, Identity, Flatten."""

from __future__ import annotations

from typing import Any

from ...runtime.tensor import Tensor
from .. import functional as F
from ..layer import Layer


class Linear(Layer):
    """x @ weight + bias.

    x [..., in_features], weight [in_features, out_features], bias [out_features] -> [..., out_features].
    `weight_attr` and `bias_attr` are a ParamAttr, an initializer, a name, or (bias) False for none.
    """

    def __init__(
        self, in_features: int, out_features: int, weight_attr: Any = None, bias_attr: Any = None, name: str | None = None
    ):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}"


class Identity(Layer):
    """Gives its input; takes and ignores any arguments."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Flatten(Layer):
    """The axes from `start_axis` to `stop_axis` (included) made one."""

    def __init__(self, start_axis: int = 1, stop_axis: int = -1):
        super().__init__()
        self.start_axis, self.stop_axis = start_axis, stop_axis

    def forward(self, input: Tensor) -> Tensor:
        return F.flatten(input, self.start_axis, self.stop_axis)

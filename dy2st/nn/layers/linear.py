"""Linear, Bilinear, Identity, Flatten, Unflatten."""

from __future__ import annotations

from typing import Any

from ...api.manipulation import reshape
from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..layer import Layer


class Linear(Layer):
    """x @ weight + bias.

    x [..., in_features], weight [in_features, out_features], bias [out_features] -> [..., out_features], of floats. `weight_attr`
    and `bias_attr` are a ParamAttr, an initializer, a name, or (bias) False for none. ShapeError: a last axis of another length.

    >>> dy2st.nn.Linear(3, 4)(dy2st.ones([2, 3])).shape
    [2, 4]
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


class Bilinear(Layer):
    """x1 @ weight[o] @ x2 + bias: x1 [N, in1_features], x2 [N, in2_features] -> [N, out_features], of floats.

    weight [out_features, in1_features, in2_features], bias [1, out_features]; weight_attr, bias_attr as in `Linear`.
    """

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, weight_attr: Any = None, bias_attr: Any = None,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = self.create_parameter([out_features, in1_features, in2_features], weight_attr)
        self.bias = self.create_parameter([1, out_features], bias_attr, is_bias=True)

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.bilinear(x1, x2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}"


class Identity(Layer):
    """Gives its input, of any shape and dtype; takes and ignores any arguments."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Flatten(Layer):
    """The axes from `start_axis` to `stop_axis` (included) of x made one: [N, ...] -> [N, all the others], in its dtype.

    As `nn.functional.flatten`.

    >>> dy2st.nn.Flatten()(dy2st.ones([2, 3, 4])).shape
    [2, 12]
    """

    def __init__(self, start_axis: int = 1, stop_axis: int = -1):
        super().__init__()
        self.start_axis, self.stop_axis = start_axis, stop_axis

    def forward(self, input: Tensor) -> Tensor:
        return F.flatten(input, self.start_axis, self.stop_axis)


class Unflatten(Layer):
    """The axis `axis` of x made several, of lengths `shape`; -1 stands for what is left. [N, 6] -> [N, 2, 3], in the dtype of x.

    ShapeError: lengths that don't multiply to that of the axis.
    """

    def __init__(self, axis: int, shape: Any, name: str | None = None):
        super().__init__()
        self.axis, self.shape = axis, list(shape)

    def forward(self, input: Tensor) -> Tensor:
        at = self.axis % len(input.shape)
        return reshape(input, [*input.shape[:at], *self.shape, *input.shape[at + 1 :]])

    def extra_repr(self) -> str:
        return f"axis={self.axis}, shape={self.shape}"

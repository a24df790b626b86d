"""Second names that Paddle has for functions."""

from __future__ import annotations

from .assembling import broadcast_shape, broadcast_shapes, broadcast_tensors
from .attributes import tolist
from .compare import bitwise_not, equal, greater_equal, greater_than, less_equal, less_than, not_equal
from .complex_numbers import polar
from .frames import istft, stft
from .joining import concat, stack
from .linalg import outer
from .making import increment
from .manipulation import reshape_as, view
from .math import clip, divide, multiply, neg, subtract
from .placing import scatter_nd
from .tensor_methods import attach

__all__ = (  # fmt: skip
    "bitwise_invert",
    "cat",
    "clamp",
    "concatenate",
    "div",
    "eq",
    "ge",
    "ger",
    "greater",
    "gt",
    "le",
    "lt",
    "mul",
    "ne",
    "negative",
    "sub",
    "tolist",
    "true_divide",
    "view",
    "view_as",
)

eq, ne, lt, le, gt, ge = equal, not_equal, less_than, less_equal, greater_than, greater_equal
greater = greater_than
mul, sub, div, true_divide = multiply, subtract, divide, divide
negative, clamp, bitwise_invert = neg, clip, bitwise_not
cat = concatenate = concat
ger = outer
view_as = reshape_as

for _function in (broadcast_shape, broadcast_shapes, broadcast_tensors, concat, stack, polar, increment, scatter_nd, stft, istft):
    attach(_function, _function.__name__)
for _names in ("eq ne lt le gt ge greater", "mul sub div true_divide negative clamp bitwise_invert"):
    for _name in _names.split():
        attach(globals()[_name], _name)

"""How parameters start. An initializer fills a tensor in place; all random ones draw from the generator that `seed` sets.

Fans, for Xavier and Kaiming: a matrix [in, out] has fan_in = in; a kernel [out, in, kh, kw] has fan_in = in * kh * kw.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import ShapeError
from ...ops.random import GENERATOR
from ...ops.special import erfinv
from ...runtime.tensors.tensor import Tensor


class Initializer:
    """Base class: `values(shape)` gives what a tensor of that shape starts with.

    Called with a Tensor, an initializer fills it in place.
    """

    def __call__(self, param: Tensor, block: Any = None) -> Tensor:
        """Fill `param` in place."""
        array = param._array("an initializer")
        array[...] = self.values(list(array.shape))
        param._writes[0] += 1
        return param

    def values(self, shape: list[int]) -> Any:
        """The values that a parameter of this shape, a list of ints, starts with: an array, or a number for all elements.

        NotImplementedError: a class that doesn't define it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define values(shape)")


class Constant(Initializer):
    """Every element is `value`, a number.

    >>> layer = dy2st.nn.Linear(1, 2, dy2st.nn.initializer.Constant(0.5))
    >>> layer.weight.tolist()
    [[0.5, 0.5]]
    """

    def __init__(self, value: float = 0.0):
        self.value = value

    def values(self, shape: list[int]) -> Any:
        return self.value


class Normal(Initializer):
    """Normally distributed, with the mean `mean` and the standard deviation `std`."""

    def __init__(self, mean: float = 0.0, std: float = 1.0, name: str | None = None):
        self.mean, self.std = mean, std

    def values(self, shape: list[int]) -> Any:
        return GENERATOR.rng.normal(self.mean, self.std, shape)


class TruncatedNormal(Initializer):
    """Normally distributed about `mean`, with the deviation `std`, as far as that lies in [a, b]: all of them numbers."""

    def __init__(self, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, name: str | None = None):
        self.mean, self.std, self.a, self.b = mean, std, a, b

    def values(self, shape: list[int]) -> Any:
        low, high = (math.erf((bound - self.mean) / self.std / math.sqrt(2.0)) for bound in (self.a, self.b))
        found = erfinv.kernel(GENERATOR.rng.uniform(low, high, shape)) * math.sqrt(2.0)
        return np.clip(found * self.std + self.mean, self.a, self.b)


class Uniform(Initializer):
    """Spread evenly over [low, high), two numbers."""

    def __init__(self, low: float = -1.0, high: float = 1.0, name: str | None = None):
        self.low, self.high = low, high

    def values(self, shape: list[int]) -> Any:
        return GENERATOR.rng.uniform(self.low, self.high, shape)


class Assign(Initializer):
    """The given values: `value`, an array, a list or a Tensor of the parameter's shape.

    ShapeError, when a parameter starts: another.
    """

    def __init__(self, value: Any, name: str | None = None):
        self.value = value.numpy() if isinstance(value, Tensor) else np.asarray(value)

    def values(self, shape: list[int]) -> Any:
        if list(self.value.shape) != shape:
            raise ShapeError(f"Assign: values of shape {list(self.value.shape)} for a parameter of shape {shape}")
        return self.value


def fans(shape: list[int]) -> tuple[int, int]:
    """How many inputs feed one output, and how many outputs one input feeds, for a parameter of this shape: two ints.

    A matrix [in, out] has (in, out); a kernel [out, in, ...] both times the number of its positions; a vector [n] has (n, n).
    """
    if len(shape) < 2:
        size = shape[0] if shape else 1
        return size, size
    if len(shape) == 2:
        return shape[0], shape[1]
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


class XavierUniform(Initializer):
    """Uniform in +-gain * sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010).

    fan_in, fan_out: where None, those of the parameter's shape, as `fans` gives them. gain: a number.
    """

    def __init__(
        self, fan_in: float | None = None, fan_out: float | None = None, gain: float = 1.0, name: str | None = None
    ):
        self.fan_in, self.fan_out, self.gain = fan_in, fan_out, gain

    def total(self, shape: list[int]) -> float:
        """fan_in + fan_out of a parameter of this shape, a list of ints: the one by which variances are divided."""
        found = fans(shape)
        return (found[0] if self.fan_in is None else self.fan_in) + (found[1] if self.fan_out is None else self.fan_out)

    def values(self, shape: list[int]) -> Any:
        limit = self.gain * math.sqrt(6.0 / self.total(shape))
        return GENERATOR.rng.uniform(-limit, limit, shape)


class XavierNormal(XavierUniform):
    """Normal with standard deviation gain * sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010).

    Arguments as in `XavierUniform`.
    """

    def values(self, shape: list[int]) -> Any:
        return GENERATOR.rng.normal(0.0, self.gain * math.sqrt(2.0 / self.total(shape)), shape)


_LINEAR = ("linear", "sigmoid", "conv1d", "conv2d", "conv3d", "conv1d_transpose", "conv2d_transpose", "conv3d_transpose")


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which weights must grow to keep the variance through `nonlinearity`, the name of a function in nn.functional.

    param: of leaky_relu, its slope. ValueError: a name for which none is known.

    >>> dy2st.nn.initializer.calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    gains = {"relu": math.sqrt(2.0), "tanh": 5.0 / 3, "selu": 3.0 / 4}
    if nonlinearity in gains:
        return gains[nonlinearity]
    if nonlinearity in _LINEAR:
        return 1.0
    raise ValueError(f"calculate_gain: no gain is known for {nonlinearity!r}")


class KaimingUniform(Initializer):
    """Uniform in +-gain * sqrt(3 / fan_in), or with mode "fan_out" by that (He et al., 2015).

    fan_in: where None, that of the parameter's shape. negative_slope, nonlinearity: give the gain, as in `calculate_gain`.
    ValueError: another mode, a fan_in with mode "fan_out", another nonlinearity.
    """

    def __init__(
        self, fan_in: float | None = None, negative_slope: float = 0.0, nonlinearity: str = "relu", mode: str = "fan_in"
    ):
        if mode not in ("fan_in", "fan_out"):
            raise ValueError(f"{type(self).__name__}: mode is 'fan_in' or 'fan_out', not {mode!r}")
        if mode == "fan_out" and fan_in is not None:
            raise ValueError(f"{type(self).__name__}: with mode='fan_out' fan_in doesn't count; leave it out")
        self.fan_in, self.gain, self.mode = fan_in, calculate_gain(nonlinearity, negative_slope), mode

    def deviation(self, shape: list[int]) -> float:
        """The standard deviation, gain / sqrt(fan_in), for a parameter of this shape, a list of ints."""
        return self.gain / math.sqrt(fans(shape)[self.mode == "fan_out"] if self.fan_in is None else self.fan_in)

    def values(self, shape: list[int]) -> Any:
        limit = math.sqrt(3.0) * self.deviation(shape)
        return GENERATOR.rng.uniform(-limit, limit, shape)


class KaimingNormal(KaimingUniform):
    """Normal with standard deviation gain / sqrt(fan_in) (He et al., 2015). Arguments and errors as in `KaimingUniform`."""

    def values(self, shape: list[int]) -> Any:
        return GENERATOR.rng.normal(0.0, self.deviation(shape), shape)

"""Functions between layers, element by element or along one axis."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import dy2st as api

from ..dtypes import kind_of, name_of
from .axes import rank_of
from .pointwise import as_dtype, past, sloped
from .rows import before_write, in_place, refused, row, written
from .saves import saves_result

F = api.nn.functional
_INPLACE = Parameter("inplace", Parameter.POSITIONAL_OR_KEYWORD, default=False)


def activation(*names: str) -> Callable[[Callable], Callable]:
    """Decorator: a row for `nn.functional.name`, whose last argument is `inplace`, and for each name in `names`, without that."""

    def note(function: Callable) -> Callable:
        name = function.__name__
        taken = signature(function)
        taken = taken.replace(parameters=[*taken.parameters.values(), _INPLACE])

        def compute(*args: Any, **kwargs: Any) -> Any:
            given = taken.bind(*args, **kwargs).arguments
            is_in_place = given.pop("inplace", False)
            if not is_in_place:
                return function(**given)
            x = given["input"]
            return written(x, function(**given | {"input": before_write(x)}), saves_result(name, ()))

        compute.__name__, compute.__signature__ = name, taken  # type: ignore[attr-defined]
        row(f"nn.functional.{name}")(compute)
        row(*names)(function)
        return function

    return note


def _is_whole(x: Any) -> bool:
    return kind_of(x.type.dtype) == "int"


@activation("relu", "Tensor.relu")
def relu(input: Any) -> Any:
    """What is above 0."""
    return F.relu(input)


@activation("_C._nn.hardtanh")
def hardtanh(input: Any, min_val: Any = -1.0, max_val: Any = 1.0) -> Any:
    """Elements moved into an interval."""
    low, high = (int(min_val), int(max_val)) if _is_whole(input) else (min_val, max_val)
    return sloped(past(api.clip(input, low, high)), input, lambda: ~((input <= low) | (input >= high)))


@activation("_C._nn.relu6")
def relu6(input: Any) -> Any:
    """Elements moved into [0, 6]."""
    return api.clip(input, 0, 6) if _is_whole(input) else F.relu6(input)


@activation("_C._nn.elu")
def elu(input: Any, alpha: Any = 1.0) -> Any:
    """Exponential below 0."""
    return F.elu(input, alpha)


@activation("selu")
def selu(input: Any) -> Any:
    """The scaled exponential linear unit."""
    return F.selu(input)


@activation("celu")
def celu(input: Any, alpha: Any = 1.0) -> Any:
    """The continuous exponential linear unit."""
    return F.celu(input, alpha)


@activation("_C._nn.leaky_relu")
def leaky_relu(input: Any, negative_slope: Any = 0.01) -> Any:
    """A smaller slope below 0."""
    return F.leaky_relu(input, negative_slope)


@activation("_C._nn.silu")
def silu(input: Any) -> Any:
    """x times its sigmoid."""
    return F.silu(input)


@activation("_C._nn.mish")
def mish(input: Any) -> Any:
    """x tanh(softplus(x))."""
    return F.mish(input)


@activation("_C._nn.hardswish")
def hardswish(input: Any) -> Any:
    """x times the sigmoid of straight lines."""
    return F.hardswish(input)


@activation("_C._nn.hardsigmoid")
def hardsigmoid(input: Any) -> Any:
    """The sigmoid of straight lines."""
    return F.hardsigmoid(input, slope=1 / 6)


@activation("threshold")
def threshold(input: Any, threshold: Any, value: Any) -> Any:
    """`value` for what isn't above the threshold."""
    low, other = (as_dtype(x, input.type.dtype) for x in (threshold, value))
    return api.where(input <= low, other, input)


@activation("rrelu")
def rrelu(input: Any, lower: Any = 1 / 8, upper: Any = 1 / 3, training: bool = False) -> Any:
    """A slope below 0 that is drawn for each element in training."""
    return F.rrelu(input, lower, upper, training)


for _function in (relu, relu6, elu, selu, celu, leaky_relu, hardtanh, silu, mish, hardswish, hardsigmoid, threshold, rrelu):
    in_place(_function.__name__, _function)


@row("nn.functional.softplus")
def softplus(input: Any, beta: Any = 1, threshold: Any = 20) -> Any:
    """log(1 + exp(beta x)) / beta, x above the threshold."""
    return F.softplus(input, beta, threshold)


@row("nn.functional.softsign")
def softsign(input: Any) -> Any:
    """x / (|x| + 1)."""
    return input / (api.abs(input) + 1)


@row("nn.functional.logsigmoid")
def logsigmoid(input: Any) -> Any:
    """The logarithm of the sigmoid."""
    return F.log_sigmoid(input) + 0.0  # of infinity 0, and not -0


@row("nn.functional.gelu")
def gelu(input: Any, approximate: str = "none") -> Any:
    """The Gaussian error linear unit."""
    return F.gelu(input, approximate=approximate)


@row("nn.functional.softshrink")
def softshrink(input: Any, lambd: Any = 0.5) -> Any:
    """Nearer to 0 by `lambd`, 0 inside of it. NaN stays."""
    zero = api.zeros_like(input)
    step = api.where(input > lambd, zero + lambd, api.where(input < -lambd, zero - lambd, zero))
    return api.where(api.abs(input) <= lambd, zero, input - step)


@row("nn.functional.hardshrink", "Tensor.hardshrink")
def hardshrink(input: Any, lambd: Any = 0.5) -> Any:
    """0 within `lambd`."""
    return api.where(api.abs(input) <= lambd, api.zeros_like(input), input)


@row("prelu", "Tensor.prelu")
def prelu(input: Any, weight: Any) -> Any:
    """Below 0 a slope for each channel, or one for all."""
    rank = rank_of(input)
    is_wide = rank > 1 and weight.static_shape not in ((), (1,))
    slope = api.reshape(weight, [-1] + [1] * (rank - 2) if is_wide else [1] * rank)
    return api.where(input > 0, input, slope * input)


@row("nn.functional.glu", "_C._nn.glu")
def glu(input: Any, dim: int = -1) -> Any:
    """The first half times the sigmoid of the second."""
    return F.glu(input, axis=dim)


def _axis(dim: Any, rank: int) -> int:
    """The axis of softmax where none is given."""
    return dim if dim is not None else 0 if rank in (0, 1, 3) else 1


def _along(function: Callable, input: Any, dim: Any, dtype: Any) -> Any:
    """A function of floats along one axis, which a tensor without axes has, too."""
    if dtype is not None:
        input = input.astype(name_of(dtype))
    if rank_of(input) == 0:
        return api.reshape(function(api.reshape(input, [1]), 0), [])
    return function(input, dim)


def _softmax(x: Any, axis: int) -> Any:
    if kind_of(x.type.dtype) != "complex":
        return F.softmax(x, axis=axis)
    powers = api.exp(x)
    return powers / api.sum(powers, axis=axis, keepdim=True)


@row("softmax", "Tensor.softmax", "special.softmax")
def softmax(input: Any, dim: int, dtype: Any = None) -> Any:
    """Exponentials over their sum."""
    return _along(_softmax, input, dim, dtype)


@row("log_softmax", "Tensor.log_softmax", "special.log_softmax")
def log_softmax(input: Any, dim: int, dtype: Any = None) -> Any:
    """The logarithm of softmax."""
    return _along(lambda x, axis: F.log_softmax(x, axis=axis), input, dim, dtype)


def _functional(name: str, function: Callable) -> None:
    def compute(input: Any, dim: Any = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
        return function(input, _axis(dim, rank_of(input)), dtype)

    compute.__name__ = name
    row(f"nn.functional.{name}")(compute)


_functional("softmax", softmax)
_functional("log_softmax", log_softmax)
_functional("softmin", lambda input, dim, dtype: softmax(-input, dim, dtype))


@row("nn.functional.gumbel_softmax")
def gumbel_softmax(logits: Any, tau: Any = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    """A draw from categories that gradients flow through; one of them where `hard`."""
    if kind_of(logits.type.dtype) != "float":
        raise refused(f"gumbel_softmax takes floats, not {logits.type.dtype}")
    return F.gumbel_softmax(logits, tau, hard, axis=dim)

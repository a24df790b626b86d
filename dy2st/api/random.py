"""Random tensors, under Paddle's names. All draw from one generator, which `seed` makes repeatable."""

from __future__ import annotations

from typing import Any

from ..dtypes import DTYPES, dtype_name, get_default_dtype
from ..errors import DTypeError
from ..ops import random as draw
from ..runtime.tensors.random_state import get_rng_state, seed, set_rng_state
from ..runtime.tensors.tensor import Tensor
from .checks import describe, need_tensor, plain_scalar, scalar_kind
from .creation import length_attr, shape_attr
from .shape_args import check_dtype
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "bernoulli",
    "gaussian",
    "get_rng_state",
    "normal",
    "normal_",
    "rand",
    "randint",
    "randint_like",
    "randn",
    "randperm",
    "seed",
    "set_rng_state",
    "standard_normal",
    "uniform",
    "uniform_",
)


def _number(op: str, value: Any, what: str) -> Any:
    if not isinstance(value, Tensor) and scalar_kind(value) is None:
        raise TypeError(f"{op}: {what} must be a number, not {describe(value)}")
    return plain_scalar(value)


def _floating(op: str, dtype: Any) -> str:
    """The name of `dtype`, or of the default one; fractions drawn as integers would all be cut off."""
    name = dtype_name(dtype or get_default_dtype())
    if not DTYPES[name].is_floating:
        raise DTypeError(f"{op} draws fractions: dtype is float16, float32 or float64, not {name}")
    return name


def uniform(shape: Any, dtype: Any = None, min: Any = 0.0, max: Any = 1.0, seed: int = 0, name: str | None = None) -> Tensor:
    """A tensor [*shape] of numbers spread evenly over [min, max).

    shape: ints as for `full`. dtype: a floating one, the default dtype where None; DTypeError for another. min, max: numbers or
    0-d Tensors; TypeError for others. `seed` is accepted and has no effect: `dy2st.seed` rules all.

    >>> dy2st.uniform([2, 3]).shape
    [2, 3]
    """
    bounds = {"min": _number("uniform", min, "min"), "max": _number("uniform", max, "max")}
    return draw.uniform(shape=shape_attr("uniform", shape), **bounds, dtype=_floating("uniform", dtype))


def rand(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor [*shape] of numbers spread evenly over [0, 1). As `uniform`: shape, dtype."""
    check_dtype("rand", dtype, shape, name)
    return uniform(shape, dtype, 0.0, 1.0)


def normal(mean: Any = 0.0, std: Any = 1.0, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor [*shape] of normally distributed numbers, [1] where None, in the default dtype.

    mean, std: numbers, TypeError for others; or Tensors, which then give the shape and dtype.
    """
    if isinstance(mean, Tensor) or isinstance(std, Tensor):
        like = mean if isinstance(mean, Tensor) else std
        noise = draw.normal_like(like.detach() * 0.0, mean=0.0, std=1.0)
        return noise * std + mean
    shape = shape_attr("normal", [1] if shape is None else shape)
    numbers = {"mean": _number("normal", mean, "mean"), "std": _number("normal", std, "std")}
    return draw.normal(shape=shape, **numbers, dtype=get_default_dtype())


def gaussian(shape: Any, mean: Any = 0.0, std: Any = 1.0, seed: int = 0, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor [*shape] of normally distributed numbers. As `uniform`: shape, dtype, seed. mean, std: numbers or 0-d Tensors."""
    numbers = {"mean": _number("gaussian", mean, "mean"), "std": _number("gaussian", std, "std")}
    return draw.normal(shape=shape_attr("gaussian", shape), **numbers, dtype=_floating("gaussian", dtype))


def randn(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor [*shape] of normally distributed numbers with mean 0 and standard deviation 1. As `uniform`: shape, dtype."""
    check_dtype("randn", dtype, shape, name)
    return gaussian(shape, dtype=dtype)


standard_normal = randn


def randint(low: Any = 0, high: Any = None, shape: Any = (1,), dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor [*shape] of integers from `low` up to but not including `high`; with one bound, from 0 up to it.

    shape: ints as for `full`. dtype: int64 where None. low, high: ints or 0-d Tensors; TypeError for others. ValueError: low
    isn't less than high.
    """
    if high is None:
        low, high = 0, low
    if isinstance(low, int) and isinstance(high, int) and low >= high:
        raise ValueError(f"randint: low must be less than high, but {low} >= {high}")
    bounds = {"low": _number("randint", low, "low"), "high": _number("randint", high, "high")}
    return draw.randint(shape=shape_attr("randint", shape), **bounds, dtype=dtype_name(dtype or "int64"))


@tensor_method()
def randint_like(x: Tensor, low: Any = 0, high: Any = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """Integers from `low` up to but not including `high`, as by `randint`.

    The result has the shape of x and `dtype`, that of x where None.
    """
    return randint(low, high, need_tensor("randint_like", x).shape, dtype or x.dtype)


def randperm(n: Any, dtype: Any = "int64", name: str | None = None) -> Tensor:
    """The integers 0 ... n - 1 in random order: a vector [n] in `dtype`. ValueError: a negative n."""
    return draw.randperm(n=length_attr("randperm", n, "n"), dtype=dtype_name(dtype))


@tensor_method()
def bernoulli(x: Tensor, p: Any = None, name: str | None = None) -> Tensor:
    """1 with probability x (or the number `p`), 0 otherwise, in the shape and dtype of x, a tensor of floats in [0, 1].

    TypeError: a p that is no number.
    """
    need_tensor("bernoulli", x)
    return draw.bernoulli(x if p is None else x.detach() * 0.0 + _number("bernoulli", p, "p"))


@tensor_method()
def uniform_(x: Tensor, min: Any = 0.0, max: Any = 1.0, seed: int = 0, name: str | None = None) -> Tensor:
    """Fill x in place with numbers spread evenly over [min, max), and return it; its shape and floating dtype stay.

    min, max: numbers or 0-d Tensors; TypeError for others. `seed` has no effect.
    """
    draw.uniform_(need_tensor("uniform_", x), min=_number("uniform_", min, "min"), max=_number("uniform_", max, "max"))
    return x


@tensor_method()
def normal_(x: Tensor, mean: Any = 0.0, std: Any = 1.0, name: str | None = None) -> Tensor:
    """Fill x in place with normally distributed numbers, and return it; its shape and floating dtype stay.

    mean, std: numbers or 0-d Tensors; TypeError for others.
    """
    draw.normal_(need_tensor("normal_", x), mean=_number("normal_", mean, "mean"), std=_number("normal_", std, "std"))
    return x

"""Random tensors. The numbers repeat after `torch.manual_seed` before a call, and aren't torch's."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..dtypes import default_float, kind_of, real_of
from .creation import checked, dtype_of, sizes
from .rows import refused, row


@row("manual_seed", "random.manual_seed", "seed")
def manual_seed(seed: Any = None) -> Any:
    """Refused: it would act once, while staging."""
    raise refused("torch.manual_seed in a static function would act once, while staging; call it before the function")


def _need_none(generator: Any) -> None:
    if generator is not None:
        raise refused("generator=: random numbers come from the one generator, which torch.manual_seed(n) seeds")


def _uniform(shape: Any, dtype: str) -> Any:
    """Numbers spread evenly over [0, 1); the two parts of complex ones are."""
    if kind_of(dtype) == "complex":
        return api.complex(*[_uniform(shape, real_of(dtype)) for _ in range(2)])
    return api.rand(list(shape), dtype=dtype)


def _normal(shape: Any, dtype: str) -> Any:
    """Normally distributed numbers of variance 1, of which the two parts of complex ones have a half each."""
    if kind_of(dtype) == "complex":
        return api.complex(*[_normal(shape, real_of(dtype)) * 0.5**0.5 for _ in range(2)])
    return api.randn(list(shape), dtype=dtype)


def _rows(name: str, draw: Any) -> None:
    def compute(*args: Any, size: Any = None, dtype: Any = None, generator: Any = None, **options: Any) -> Any:
        checked(options)
        _need_none(generator)
        return draw(sizes(args) if size is None else size, dtype_of(dtype, default_float()))

    def like(input: Any, *, dtype: Any = None, generator: Any = None, **options: Any) -> Any:
        checked(options)
        _need_none(generator)
        return draw(input.shape, dtype_of(dtype, input.type.dtype))

    compute.__name__, like.__name__ = name, f"{name}_like"
    row(name)(compute)
    row(f"{name}_like")(like)


_rows("rand", _uniform)
_rows("randn", _normal)


def _whole(low: Any, high: Any, shape: Any, dtype: str) -> Any:
    if isinstance(low, Tensor) or isinstance(high, Tensor):
        low, high = (x.item() if isinstance(x, Tensor) else x for x in (low, high))
    return api.randint(low, high, list(shape), dtype="int64").astype(dtype)


def _bounds(given: tuple | list, low: Any, high: Any) -> tuple[Any, Any]:
    """The lowest number and the first that is too high, some of them by position."""
    if len(given) > 1:
        return given[0], given[1]
    return (low, high) if not given else (low, given[0]) if high is None else (given[0], high)


@row("randint")
def randint(
    *args: Any, low: Any = 0, high: Any = None, size: Any = None, dtype: Any = None, generator: Any = None, **options: Any
) -> Any:
    """Integers from `low` up to `high`."""
    checked(options)
    _need_none(generator)
    given, size = (args[:-1], args[-1]) if size is None else (args, size)
    return _whole(*_bounds(given, low, high), size, dtype_of(dtype, "int64"))


@row("randint_like")
def randint_like(
    input: Any, *args: Any, low: Any = 0, high: Any = None, dtype: Any = None, generator: Any = None, **options: Any
) -> Any:
    """Integers from `low` up to `high`, in the shape of a tensor."""
    checked(options)
    _need_none(generator)
    return _whole(*_bounds(args, low, high), input.shape, dtype_of(dtype, input.type.dtype))


@row("randperm")
def randperm(n: Any, *, generator: Any = None, dtype: Any = None, **options: Any) -> Any:
    """The ints up to n in random order."""
    checked(options)
    _need_none(generator)
    return api.randperm(n, dtype=dtype_of(dtype, "int64"))


@row("bernoulli", "Tensor.bernoulli")
def bernoulli(input: Any, p: Any = None, *, generator: Any = None) -> Any:
    """1 with the probability that each element tells, or all with `p`; else 0."""
    _need_none(generator)
    if kind_of(input.type.dtype) != "float":
        raise refused(f"bernoulli takes floats, not {input.type.dtype}")
    return api.bernoulli(input if p is None else api.full_like(input, p))


@row("Tensor.bernoulli_")
def bernoulli_(input: Any, p: Any = 0.5, *, generator: Any = None) -> Any:
    """1 with probability `p`, else 0, written into the tensor."""
    _need_none(generator)
    chance = p if isinstance(p, Tensor) else api.full_like(input, p, dtype=default_float())
    input[...] = api.bernoulli(api.expand(chance, list(input.shape))).astype(input.type.dtype)
    return input


@row("multinomial", "Tensor.multinomial")
def multinomial(input: Any, num_samples: Any, replacement: bool = False, *, generator: Any = None) -> Any:
    """Places drawn by weights."""
    _need_none(generator)
    if kind_of(input.type.dtype) != "float":
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {input.type.dtype}")
    return api.multinomial(input, num_samples, replacement)


@row("normal")
def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Any = None, dtype: Any = None, **options: Any) -> Any:
    """Normally distributed numbers, by their means and standard deviations."""
    checked(options)
    _need_none(generator)
    tensors = [x for x in (mean, std) if isinstance(x, Tensor)]
    if not tensors:
        return _normal(list(size), dtype_of(dtype, default_float())) * std + mean
    shape = api.broadcast_tensors(tensors)[0].shape
    return _normal(shape, tensors[0].type.dtype) * std + mean


@row("poisson")
def poisson(input: Any, generator: Any = None) -> Any:
    """Poisson's counts of mean `input`."""
    _need_none(generator)
    return api.poisson(input)


@row("binomial")
def binomial(count: Any, prob: Any, generator: Any = None) -> Any:
    """How many of `count` tries have come true."""
    _need_none(generator)
    return api.binomial(count, prob).astype(count.type.dtype)


def _fill(name: str, draw: Any) -> None:
    """A row for a method that fills its tensor. draw: of a tensor of numbers spread evenly over (0, 1], and parameters."""

    def compute(input: Any, *args: Any, generator: Any = None, **kwargs: Any) -> Any:
        _need_none(generator)
        input[...] = draw(input, *args, **kwargs).astype(input.type.dtype)
        return input

    compute.__name__ = name
    row(f"Tensor.{name}")(compute)


def _even(input: Any) -> Any:
    """Numbers spread evenly over (0, 1], in the shape of a tensor."""
    wide = input.type.dtype if kind_of(input.type.dtype) == "float" else "float64"
    return 1 - api.rand(list(input.shape), dtype=wide)


_fill("uniform_", lambda x, a=0.0, b=1.0, **named: _uniform_of(x, named.get("from", a), named.get("to", b)))
_fill("normal_", lambda x, mean=0.0, std=1.0: _normal(list(x.shape), x.type.dtype) * std + mean)
_fill("exponential_", lambda x, lambd=1.0: -api.log(_even(x)) / lambd)
_fill("geometric_", lambda x, p: api.ceil(api.log(_even(x)) / api.log1p(api.full_like(_even(x), -p))).clip(1.0))
_fill("log_normal_", lambda x, mean=1.0, std=2.0: api.exp(api.randn(list(x.shape), dtype=x.type.dtype) * std + mean))
_fill("cauchy_", lambda x, median=0.0, sigma=1.0: api.tan((_even(x) - 0.5) * 3.141592653589793) * sigma + median)


def _uniform_of(x: Any, low: Any, high: Any) -> Any:
    return _uniform(x.shape, x.type.dtype) * (high - low) + low


@row("Tensor.random_")
def random_(input: Any, *args: Any, generator: Any = None, **named: Any) -> Any:
    """Integers, from `from` up to `to`, or all that the dtype holds, written into the tensor."""
    _need_none(generator)
    given = [*args, *[named[name] for name in ("from", "to") if name in named]]
    low, high = given if len(given) > 1 else (0, given[0] if given else None)
    if high is None:
        mantissa = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53, "bool": 1, "uint8": 8, "int64": 63}
        bits = mantissa.get(input.type.dtype, 0) or int(api.iinfo(input.type.dtype).bits) - 1
        high = 2**bits if bits < 63 else 2**63 - 1
    input[...] = _whole(low, high, input.shape, input.type.dtype)
    return input

"""Elementary functions, element by element: powers of e, logarithms, angles, rounding, signs."""

from __future__ import annotations

import math
from typing import Any

import dy2st as api

from ..dtypes import default_float, kind_of
from .pointwise import as_dtype, kept_between, kind, met, need, past, sloped, unary
from .rows import everywhere, refused

for _name in "exp expm1 log log2 log10 log1p sqrt rsqrt sin cos tan sinh cosh tanh reciprocal".split():
    unary(_name, getattr(api, _name), floats=True)
for _name in "sin cos tan sinh tanh".split():
    unary(f"a{_name}", getattr(api, f"a{_name}"), f"arc{_name}", floats=True)
unary("acosh", lambda x: sloped(past(api.acosh(x)), x, lambda: api.rsqrt(x * x - 1)), "arccosh", floats=True)
unary("sigmoid", api.nn.functional.sigmoid, "expit", floats=True)
unary("exp2", lambda x: api.pow(as_dtype(2.0, x.type.dtype), x), floats=True)
unary("sinc", lambda x: _sine_over(x * math.pi), floats=True)
unary("deg2rad", lambda x: x * (math.pi / 180), floats=True)
unary("rad2deg", lambda x: x * (180 / math.pi), floats=True)


def _sine_over(x: Any) -> Any:
    """sin(x) / x"""
    is_near = api.abs(x) < 0.01
    near, far = api.where(is_near, x, api.zeros_like(x)), api.where(is_near, api.ones_like(x), x)
    return api.where(is_near, 1 - near * near / 6 + near * near * near * near / 120, api.sin(far) / far)


def _whole(name: str, function: Any, *others: str) -> None:
    """A row for a function that leaves integers as they are."""

    def compute(x: Any) -> Any:
        if kind(x) in ("complex", "bool"):
            raise refused(f"{name} takes floats or integers, not {x.type.dtype}")
        return function(x) if kind(x) == "float" else x.clone()

    unary(name, compute, *others)


_whole("floor", api.floor)
_whole("ceil", api.ceil)
_whole("trunc", api.trunc, "fix")
_whole("frac", api.frac)


def round_(input: Any, *, decimals: int = 0) -> Any:
    """The nearest whole number, or one with some decimals; halves go to the even one."""
    if kind(input) == "int" and not decimals:
        return input.clone()
    if kind(input) != "float":
        raise refused(f"round takes floats, not {input.type.dtype}")
    if decimals == 0:
        return api.round(input)
    scale = as_dtype(float(10 ** abs(decimals)), input.type.dtype)
    return api.round(input * scale) / scale if decimals > 0 else api.round(input / scale) * scale


everywhere(round_, "round")


def _sign(x: Any) -> Any:
    if kind(x) == "complex":
        raise refused("sign takes no complex numbers; write torch.sgn(x)")
    if kind(x) == "float":
        return api.where(api.isnan(x), api.zeros_like(x), api.sign(x))
    return x.clone() if kind(x) == "bool" else api.sign(x)


unary("sign", _sign)
unary("sgn", lambda x: api.sgn(x) if kind(x) == "complex" else _sign(x))


def xlogy(input: Any, other: Any) -> Any:
    """input * log(other), 0 where the input is."""
    return _by_log(input, other, api.log, 0.0)


def xlog1py(input: Any, other: Any) -> Any:
    """input * log(1 + other), 0 where the input is."""
    return _by_log(input, other, api.log1p, -1.0)


def _by_log(input: Any, other: Any, log: Any, pole: float) -> Any:
    need("a product by a logarithm", input, other, kinds="bool int float")
    x, y = met(input, other, floats=True)
    found = api.where(x == 0, api.zeros_like(x * y), x * log(api.where(x == 0, api.ones_like(y), y)))
    found = past(api.where(api.isnan(y), y + x * 0, found))
    by_x = lambda: api.where((x == 0) & (y <= pole), api.zeros_like(x * y), log(y))  # noqa: E731
    return sloped(sloped(found, x, by_x), y, lambda: x / (y - pole))


everywhere(xlogy, "xlogy")
everywhere(xlog1py, "xlog1py")


def logit(input: Any, eps: Any = None) -> Any:
    """log(x / (1 - x)), x kept away from 0 and 1 by `eps`."""
    (x,) = met(input, floats=True)
    if eps is not None:
        x = kept_between(x, as_dtype(eps, x.type.dtype), as_dtype(1 - eps, x.type.dtype))
    slope = lambda: api.where((x < 0) | (x > 1), api.full_like(x, math.nan), 1 / (x * (1 - x)))  # noqa: E731
    return sloped(past(api.log(x / (1 - x))), x, slope)


everywhere(logit, "logit")


def default_floats(x: Any) -> Any:
    """Integers as floats; floats as they are."""
    return as_dtype(x, default_float()) if kind_of(x.type.dtype) in ("bool", "int") else x


def _frexp(input: Any) -> Any:
    if kind(input) != "float":
        raise refused(f"frexp takes floats, not {input.type.dtype}")
    mantissa, exponent = api.frexp(input)
    return mantissa, exponent.astype("int32")


everywhere(_frexp, "frexp")

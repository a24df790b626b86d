"""Elementary functions that ONNX lacks, or that onnxruntime has for float32 alone, to the last bits of their dtype."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

Lowering = Callable[..., Any]


def halves_in_float32(lowering: Lowering) -> Lowering:
    """The lowering with float16 operands in float32, whose result is rounded once, as NumPy does it."""

    def widened(g: Any, *operands: Any) -> Any:
        tensors = g.alike(*operands)
        if tensors[0].dtype != "float16":
            return lowering(g, *tensors)
        return g.cast(lowering(g, *(g.cast(x, "float32") for x in tensors)), "float16")

    return widened


def narrow_or(operator: str, wide: Lowering) -> Lowering:
    """ONNX's operator, and for float64, which it isn't computed for, a lowering of its own."""
    return lambda g, x: wide(g, x) if x.dtype == "float64" and not g.is_elementary else g.node(operator, x)


def _there_or(operator: str) -> Callable[[Lowering], Lowering]:
    """The operator where it is one, which ONNX lacks, else a lowering of its own."""

    def decorate(own: Lowering) -> Lowering:
        return halves_in_float32(lambda g, x: g.node(operator, x) if g.is_elementary else own(g, x))

    return decorate


@_there_or("Log1p")
def log1p(g: Any, x: Any) -> Any:
    """log(1 + x); what 1 + x loses of x is made up for by x / (1 + x - 1)."""
    total = g.Add(x, 1)
    kept = g.Sub(total, 1)
    mended = g.Mul(g.Log(total), g.Div(x, kept))
    return g.Where(g.Equal(kept, 0), x, g.Where(g.Equal(kept, x), g.Log(total), mended))


@_there_or("Expm1")
def expm1(g: Any, x: Any) -> Any:
    """exp(x) - 1; near 0, what exp(x) loses of x is made up for by x / log(exp(x))."""
    grown = g.Exp(x)
    less = g.Sub(grown, 1)
    mended = g.Where(g.Equal(grown, 1), x, g.Mul(less, g.Div(x, g.Log(grown))))
    return g.Where(g.Less(g.Abs(x), 1), mended, less)


def logarithm(base: int) -> Lowering:
    """The logarithm to a base: whole where x is a power of it."""

    def lowering(g: Any, x: Any) -> Any:
        wide = g.cast(x, "float64")
        found = g.Div(g.Log(wide), math.log(base))
        whole = g.Round(found)
        return g.cast(g.Where(g.Equal(g.Pow(g.const(float(base)), whole), wide), whole, found), x.dtype)

    return lowering


def sigmoid(g: Any, x: Any) -> Any:
    """1 / (1 + exp(-x)); onnxruntime's own is 0 from -36 on in float64, and off by 6e-8 at most in float32."""
    return g.Reciprocal(g.Add(g.Exp(g.Neg(x)), 1)) if x.dtype == "float64" else g.Sigmoid(x)


def silu(g: Any, x: Any) -> Any:
    """x * sigmoid(x)."""
    return g.Mul(x, sigmoid(g, x))


@halves_in_float32
def sign(g: Any, x: Any) -> Any:
    """-1, 0, 1 or nan, which onnxruntime's own loses in float16."""
    return g.Sign(x)


def trunc(g: Any, x: Any) -> Any:
    """x without what follows the point."""
    return g.Where(g.Less(x, 0), g.Ceil(x), g.Floor(x))


def _odd(right: Lowering) -> Lowering:
    """A function with f(-x) = -f(x), given for x > 0."""

    def lowering(g: Any, x: Any) -> Any:
        found = right(g, g.Abs(x))
        return g.Where(g.Equal(x, 0), x, g.Where(g.Less(x, 0), g.Neg(found), found))

    return lowering


def _tan(g: Any, x: Any) -> Any:
    return g.Div(g.Sin(x), g.Cos(x))


def _atan(g: Any, x: Any) -> Any:
    """The arc of float32, and what it misses: atan(t) - a = atan((t - tan a) / (1 + t tan a)), whose argument is tiny."""
    is_steep = g.Greater(g.Abs(x), 1)
    t = g.Where(is_steep, g.Reciprocal(x), x)
    near = g.cast(g.Atan(g.cast(t, "float32")), "float64")
    sin, cos = g.Sin(near), g.Cos(near)
    arc = g.Add(near, g.Div(g.Sub(g.Mul(t, cos), sin), g.Add(cos, g.Mul(t, sin))))
    return g.Where(is_steep, g.Sub(g.Mul(g.Sign(x), math.pi / 2), arc), arc)


def _asin(g: Any, x: Any) -> Any:
    return _atan(g, g.Div(x, g.Sqrt(g.Mul(g.Sub(1, x), g.Add(1, x)))))


def _acos(g: Any, x: Any) -> Any:
    return g.Mul(_atan(g, g.Sqrt(g.Div(g.Sub(1, x), g.Add(1, x)))), 2)


def _sinh(g: Any, x: Any) -> Any:
    """(exp(x) - exp(-x)) / 2 for x > 0; half of x in the exponent where exp(x) would overflow first."""
    less, half = expm1(g, x), g.Exp(g.Mul(x, 0.5))
    near = g.Mul(g.Add(less, g.Div(less, g.Add(less, 1))), 0.5)
    return g.Where(g.Less(x, 30), near, g.Mul(g.Mul(half, 0.5), half))


def _cosh(g: Any, x: Any) -> Any:
    half, small = g.Exp(g.Mul(g.Abs(x), 0.5)), g.Exp(g.Neg(g.Abs(x)))
    return g.Add(g.Mul(g.Mul(half, 0.5), half), g.Mul(small, 0.5))


def _asinh(g: Any, x: Any) -> Any:
    """log(x + sqrt(x * x + 1)) for x > 0."""
    square = g.Mul(x, x)
    near = log1p(g, g.Add(x, g.Div(square, g.Add(g.Sqrt(g.Add(square, 1)), 1))))
    return g.Where(g.Less(x, 1e8), near, g.Add(g.Log(x), math.log(2)))


def _acosh(g: Any, x: Any) -> Any:
    """log(x + sqrt(x * x - 1))."""
    above = g.Sub(x, 1)
    near = log1p(g, g.Add(above, g.Mul(g.Sqrt(above), g.Sqrt(g.Add(x, 1)))))
    return g.Where(g.Less(x, 1e8), near, g.Add(g.Log(x), math.log(2)))


def _atanh(g: Any, x: Any) -> Any:
    """log((1 + x) / (1 - x)) / 2 for x > 0."""
    return g.Mul(log1p(g, g.Div(g.Mul(x, 2), g.Sub(1, x))), 0.5)


tan, atan, asin, acos = narrow_or("Tan", _tan), narrow_or("Atan", _atan), narrow_or("Asin", _asin), narrow_or("Acos", _acos)
sinh, asinh, atanh = narrow_or("Sinh", _odd(_sinh)), narrow_or("Asinh", _odd(_asinh)), narrow_or("Atanh", _odd(_atanh))
cosh, acosh = narrow_or("Cosh", _cosh), narrow_or("Acosh", _acosh)


@halves_in_float32
def atan2(g: Any, y: Any, x: Any) -> Any:
    """The angle of (x, y): the arc of the smaller length over the larger one, in the octant that the signs and lengths say."""
    high, wide = g.Abs(y), g.Abs(x)
    larger = g.Max(high, wide)
    is_diagonal = g.And(g.Equal(high, wide), g.Greater(larger, 0))
    ratio = g.Where(g.Equal(larger, 0), larger, g.Div(g.Min(high, wide), larger))
    arc = atan(g, g.Where(is_diagonal, g.Sign(larger), ratio))
    arc = g.Where(g.Greater(high, wide), g.Sub(math.pi / 2, arc), arc)
    arc = g.Where(signbit(g, x), g.Sub(math.pi, arc), arc)
    return g.Where(signbit(g, y), g.Neg(arc), arc)


@halves_in_float32
def hypot(g: Any, x: Any, y: Any) -> Any:
    """The length of (x, y), which doesn't overflow before its result does."""
    larger, smaller = g.Max(g.Abs(x), g.Abs(y)), g.Min(g.Abs(x), g.Abs(y))
    ratio = g.Where(g.Equal(larger, 0), larger, g.Div(smaller, larger))
    found = g.Mul(larger, g.Sqrt(g.Add(g.Mul(ratio, ratio), 1)))
    return g.Where(g.Or(g.IsInf(x), g.IsInf(y)), math.inf, found)


@halves_in_float32
def logaddexp(g: Any, x: Any, y: Any) -> Any:
    """log(exp(x) + exp(y))."""
    apart = g.Where(g.Equal(x, y), 0, g.Sub(x, y))  # two infinities are not apart
    return g.Add(g.Max(x, y), log1p(g, g.Exp(g.Neg(g.Abs(apart)))))


def signbit(g: Any, x: Any) -> Any:
    """Whether a number is negative, or -0.0."""
    if x.dtype == "bool":
        return g.filled("bool", False, g.shape_of(x))
    if not is_floating(x):
        return g.Less(x, 0)
    return g.Or(g.Less(x, 0), g.Less(g.Where(g.Equal(x, 0), g.Reciprocal(x), 0), 0))


def is_floating(x: Any) -> bool:
    """Whether the elements of a value have fractions."""
    return "float" in x.dtype

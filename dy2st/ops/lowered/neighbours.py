"""Floating-point numbers by their bits and exponents."""

from __future__ import annotations

import math
from typing import Any

_WHOLE = {"float16": "int16", "bfloat16": "int16", "float32": "int32", "float64": "int64"}


def nextafter(g: Any, x: Any, y: Any) -> Any:
    """The next number after x on the way to y: the next integer, as bits."""
    g.need(26, "the bits of a float")
    x, y = g.alike(x, y)
    whole = _WHOLE[x.dtype]
    bits = g.BitCast(x, to=g.element(whole))
    is_outward = g.Equal(g.Greater(y, x), g.Greater(x, 0))
    moved = g.BitCast(g.Add(bits, g.Where(is_outward, g.const(1, whole), g.const(-1, whole))), to=g.element(x.dtype))
    least = g.BitCast(g.const(1, whole), to=g.element(x.dtype))
    from_zero = g.Where(g.Greater(y, 0), least, g.Neg(least))
    found = g.Where(g.Equal(x, y), y, g.Where(g.Equal(x, 0), from_zero, moved))
    return g.Where(g.Or(g.IsNaN(x), g.IsNaN(y)), math.nan, found)


def frexp(g: Any, x: Any) -> tuple[Any, Any]:
    """The mantissa and the exponent, from the logarithm, which is one off at most."""
    wide = g.cast(x, "float64")
    is_plain = g.And(g.Less(g.Abs(wide), math.inf), g.Not(g.Equal(wide, 0)))
    size = g.Where(is_plain, g.Abs(wide), 1.0)
    near = g.Floor(g.Div(g.Log(size), math.log(2)))
    half = g.Floor(g.Mul(near, 0.5))  # twice half the way: 2 ** 1024 is no float64
    raw = g.Div(g.Div(size, g.Pow(g.const(2.0), half)), g.Pow(g.const(2.0), g.Sub(near, half)))
    too_large, too_small = g.GreaterOrEqual(raw, 1), g.Less(raw, 0.5)
    mantissa = g.Where(too_large, g.Mul(raw, 0.5), g.Where(too_small, g.Mul(raw, 2), raw))
    exponent = g.Add(near, g.Sub(g.cast(too_large, "float64"), g.cast(too_small, "float64")))
    signed = g.Where(g.Less(wide, 0), g.Neg(mantissa), mantissa)
    return g.cast(g.Where(is_plain, signed, wide), x.dtype), g.cast(g.Where(is_plain, exponent, 0.0), x.dtype)

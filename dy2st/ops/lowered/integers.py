"""Arithmetic of integers: quotients rounded down, remainders, powers, divisors and bits, where ONNX differs from Python.

onnxruntime truncates quotients, stops at a division by 0 (NumPy gives 0), and computes powers in float64.
"""

from __future__ import annotations

from typing import Any

from .elementary import is_floating
from .solving import every

_BITS = {"uint8": 8, "int8": 8, "int16": 16, "int32": 32, "int64": 64}


def divisor(g: Any, x: Any, dividend: Any) -> Any:
    """`x`; the run fails where one of its elements is 0, and there is something to divide."""
    nonzero = every(g, g.Not(g.Equal(g.cast(x, "int64"), 0)))
    return g.checked(x, g.Or(nonzero, g.Equal(g.Size(dividend), 0)))


def floor_divide(g: Any, x: Any, y: Any) -> Any:
    """The quotient rounded down; 0 where an integer is divided by 0."""
    x, y = g.alike(x, y)
    if is_floating(x):
        return _floored_floats(g, x, y)
    wide, by = g.cast(x, "int64"), g.cast(y, "int64")
    divisor = _safe(g, by)
    quotient = _floored(g, wide, divisor)
    if divisor is not by:
        special = g.Where(g.Equal(by, 0), 0, g.Neg(wide))
        quotient = g.Where(g.Equal(by, divisor), quotient, special)
    return g.cast(quotient, x.dtype)


def remainder(g: Any, x: Any, y: Any) -> Any:
    """What is left, with the sign of the divisor; 0 where an integer is divided by 0."""
    x, y = g.alike(x, y)
    if not is_floating(x):
        by = g.cast(y, "int64")
        rest = g.Mod(g.cast(x, "int64"), _safe(g, by))
        return g.cast(rest, x.dtype)
    rest = g.Mod(x, y, fmod=1)
    found = g.Where(_is_off(g, rest, y), g.Add(rest, y), rest)
    return g.Mul(g.Sign(y), g.Abs(found))  # a zero, too


def _safe(g: Any, y: Any) -> Any:
    """A divisor, and 1 where it is 0 or -1, by which the processor can't divide every integer."""
    if y.array is not None and not ((y.array == 0) | (y.array == -1)).any():
        return y
    return g.Where(g.Or(g.Equal(y, 0), g.Equal(y, -1)), 1, y)


def _floored(g: Any, x: Any, y: Any) -> Any:
    if g.divides_down:
        return g.node("FloorDiv", x, y)
    quotient = g.Div(x, y)
    rest = g.Sub(x, g.Mul(quotient, y))
    is_off = g.Less(rest, 0) if y.array is not None and (y.array > 0).all() else _is_off(g, rest, y)
    return g.Sub(quotient, g.cast(is_off, "int64"))


def _is_off(g: Any, rest: Any, y: Any) -> Any:
    """Whether what is left has another sign than the divisor: the quotient was rounded up."""
    return g.And(g.Not(g.Equal(rest, 0)), g.Xor(g.Less(rest, 0), g.Less(y, 0)))


def _floored_floats(g: Any, x: Any, y: Any) -> Any:
    """As NumPy and Python: from the remainder, which is exact."""
    rest = g.Mod(x, y, fmod=1)
    raw = g.Div(g.Sub(x, rest), y)
    quotient = g.Where(_is_off(g, rest, y), g.Sub(raw, 1), raw)
    down = g.Floor(quotient)
    whole = g.Where(g.Greater(g.Sub(quotient, down), 0.5), g.Add(down, 1), down)
    signed = g.Where(g.Equal(whole, 0), g.Mul(g.Div(x, y), 0), whole)  # a zero has the sign of the quotient
    return g.Where(g.Equal(y, 0), g.Div(x, y), signed)


def power(g: Any, x: Any, y: Any) -> Any:
    """x to the power of y; of integers by squaring, which wraps as NumPy does."""
    if g.number_dtype(x) is not None or g.number_dtype(y) is not None:
        x, y = g.alike(x, y)
    if is_floating(x):
        return g.Pow(x, y)
    base, exponent = _met(g, g.cast(x, "int64"), g.cast(y, "int64"))
    base = g.checked(base, g.Not(_some(g, g.Less(exponent, 0))))

    def turn(number: Any, found: Any, base: Any, left: Any) -> tuple:
        is_odd = g.Equal(g.Mod(left, 2), 1)
        left = g.Div(left, 2)
        again = _some(g, g.Greater(left, 0))
        return again, [g.Where(is_odd, g.Mul(found, base), found), g.Mul(base, base), left], []

    start = [g.Add(g.Mul(base, 0), 1), base, exponent]
    found, _, _ = g.loop(None, g.const(True), start, [x.type for x in start], turn)
    return g.cast(found, x.dtype)


def gcd(g: Any, x: Any, y: Any) -> Any:
    """The greatest common divisor, by Euclid."""
    x, y = g.alike(x, y)
    start = _met(g, g.cast(x, "int64"), g.cast(y, "int64"))

    def turn(number: Any, a: Any, b: Any) -> tuple:
        is_done = g.Equal(b, 0)
        rest = g.Where(is_done, 0, g.Mod(a, _safe(g, b)))
        return _some(g, g.Not(g.Equal(rest, 0))), [g.Where(is_done, a, b), rest], []

    found, _ = g.loop(None, g.const(True), start, [part.type for part in start], turn)
    return g.cast(g.Abs(found), x.dtype)


def lcm(g: Any, x: Any, y: Any) -> Any:
    """The least common multiple; 0 where one of them is 0."""
    x, y = g.alike(x, y)
    shared = g.cast(gcd(g, x, y), "int64")
    parts = g.Div(g.Abs(g.cast(x, "int64")), g.Where(g.Equal(shared, 0), 1, shared))
    return g.cast(g.Mul(parts, g.Abs(g.cast(y, "int64"))), x.dtype)


def left_shift(g: Any, x: Any, count: Any) -> Any:
    """Bits moved up; 0 where there are no so many."""
    x, count = g.alike(x, count)
    is_within, weight = _weights(g, count, _BITS[x.dtype])
    return g.cast(g.Where(is_within, g.Mul(g.cast(x, "int64"), weight), 0), x.dtype)


def right_shift(g: Any, x: Any, count: Any) -> Any:
    """Bits moved down: the quotient by a power of 2, rounded down."""
    x, count = g.alike(x, count)
    is_within, weight = _weights(g, count, min(_BITS[x.dtype], 63))
    wide = g.cast(x, "int64")
    return g.cast(g.Where(is_within, _floored(g, wide, weight), g.Where(g.Less(wide, 0), -1, 0)), x.dtype)


def _weights(g: Any, count: Any, bits: int) -> tuple[Any, Any]:
    """Whether a count is one of 0 to `bits` - 1, and 2 to that power, as its bits are in an int64."""
    count = g.cast(count, "int64")
    is_within = g.And(g.GreaterOrEqual(count, 0), g.Less(count, bits))
    powers = g.ints([1 << k if k < 63 else -(1 << 63) for k in range(bits)])
    return is_within, g.Gather(powers, g.Where(is_within, count, 0), axis=0)


def _met(g: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Both in the shape in which they meet."""
    return g.Add(x, g.Mul(y, 0)), g.Add(y, g.Mul(x, 0))


def _some(g: Any, flags: Any) -> Any:
    """Whether one of the flags holds, bool[]."""
    return g.cast(g.reduce("ReduceMax", g.cast(flags, "uint8"), None), "bool")

"""Arithmetic of Python's floats, which raises where NumPy would give inf or nan."""

from __future__ import annotations

import errno
import math
import os
from typing import Any

from ..words import said
from .scalars import chosen

DOMAIN = said(lambda: math.fmod(1.0, 0.0))


def truediv(g: Any, a: Any, b: Any) -> Any:
    """a / b."""
    return g.Div(a, _divisor(g, b, said(lambda: 1.0 / 0.0)))


def _divisor(g: Any, b: Any, message: str) -> Any:
    """`b`, or 1 where it is 0, which is an error."""
    if b.item:
        return b
    nonzero = g.Not(g.Equal(b, 0.0))
    g.check(nonzero, "ZeroDivisionError", message)
    return g.Where(nonzero, b, 1.0)


def _remainder(g: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """C's remainder, which has the sign of `a`, and Python's, which has that of `b`, -0.0 too."""
    left = g.Mod(a, b, fmod=1)
    below = g.Less(b, 0.0)
    moved = g.Where(g.Xor(g.Less(left, 0.0), below), g.Add(left, b), left)
    return left, g.Mul(g.Where(g.Equal(left, 0.0), 0.0, g.Abs(moved)), g.Sign(b))


def mod(g: Any, a: Any, b: Any) -> Any:
    """a % b."""
    return _remainder(g, a, _divisor(g, b, said(lambda: 1.0 % 0.0)))[1]


def floordiv(g: Any, a: Any, b: Any) -> Any:
    """a // b."""
    return _both(g, a, _divisor(g, b, said(lambda: 1.0 // 0.0)))[0]


def both(g: Any, a: Any, b: Any) -> tuple:
    """divmod(a, b)."""
    return _both(g, a, _divisor(g, b, said(lambda: divmod(1.0, 0.0))))


def _both(g: Any, a: Any, b: Any) -> tuple:
    """What CPython computes, step by step: what `a` without its remainder is a multiple of `b` by, rounded to a whole number."""
    left, remainder = _remainder(g, a, b)
    times = g.Div(g.Sub(a, left), b)
    moved = g.And(g.Not(g.Equal(left, 0.0)), g.Xor(g.Less(left, 0.0), g.Less(b, 0.0)))
    times = g.Where(moved, g.Sub(times, 1.0), times)
    below = g.Floor(times)
    nearest = g.Where(g.Greater(g.Sub(times, below), 0.5), g.Add(below, 1.0), below)
    return chosen(g, g.Equal(times, 0.0), g.Mul(g.Div(a, b), 0.0), nearest), remainder


def power(g: Any, a: Any, b: Any) -> Any:
    """a ** b."""
    g.check(g.Not(_is_pole(g, a, b)), "ZeroDivisionError", said(lambda: 0.0**-1.0))
    complex_ = g.And(_is_negative(g, a), _has_fraction(g, b))
    message = "a negative number to a power that is no whole number is a complex number, which a staged number can't hold"
    g.check(g.Not(complex_), "ValueError", message)
    found = g.Pow(a, b)
    g.check(_no_overflow(g, found, a, b), "OverflowError", errno.ERANGE, os.strerror(errno.ERANGE))
    return found


def _is_pole(g: Any, a: Any, b: Any) -> Any:
    """0.0 to a negative power; to that of -inf it is inf."""
    return g.And(g.Equal(a, 0.0), g.And(g.Less(b, 0.0), g.Not(g.IsInf(b))))


def _is_negative(g: Any, x: Any) -> Any:
    return g.And(g.Less(x, 0.0), g.Not(g.IsInf(x)))


def _has_fraction(g: Any, x: Any) -> Any:
    return g.And(g.Not(g.Equal(g.Floor(x), x)), g.Not(g.IsNaN(x)))


def _no_overflow(g: Any, found: Any, *operands: Any) -> Any:
    """Whether a result is finite, or came from an inf."""
    infinite = [g.IsInf(x) for x in operands if x.item is None or math.isinf(x.item)]
    fine = g.Not(g.IsInf(found))
    for x in infinite:
        fine = g.Or(fine, x)
    return fine


def exponential(g: Any, found: Any, *operands: Any) -> Any:
    """A result of a function of `math` that grows fast."""
    g.check(_no_overflow(g, found, *operands), "OverflowError", said(lambda: math.exp(1000.0)))
    return found


def math_power(g: Any, a: Any, b: Any) -> Any:
    """math.pow(a, b), which words errors otherwise."""
    bad = g.Or(_is_pole(g, a, b), g.And(_is_negative(g, a), _has_fraction(g, b)))
    g.check(g.Not(bad), "ValueError", DOMAIN)
    return exponential(g, g.Pow(a, b), a, b)

"""Arithmetic of Python's ints in 64 bits: what doesn't fit is an error, and never wraps."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..words import said
from .scalars import BEYOND, LEAST, MOST, is_in

_STEP = 2**31  # a counter with smaller steps would take years to get beyond 64 bits: in loops, nobody asks whether it has
_EXACT = 2**53  # up to here every int is a float
_INEXACT = "ints are divided as in Python up to 2**53; beyond, divide floats: float(a) / float(b)"
_POWERS = np.array([*(1 << k for k in range(63)), LEAST, 0], np.int64)  # as they wrap
_LOWEST = np.array([*(LEAST >> k for k in range(64)), 0], np.int64)
_HIGHEST = np.array([MOST >> k for k in range(65)], np.int64)


def _is_step(g: Any, *operands: Any) -> bool:
    """Whether what is added is so little that a loop isn't asked for overflow; a value next to 2**63 isn't met there."""
    return any(x.item is not None and (x.item == 0 or g.repeats and abs(x.item) < _STEP) for x in operands)


def _stays_a_length(g: Any, found: Any, *operands: Any) -> bool:
    """Whether an int is computed of lengths of axes and of small ints alone: then nobody asks for overflow.

    Else a model would have the output `error` because of `x.shape[0] * x.shape[1]`.
    """
    tame = all(x.name in g.lengths or x.item is not None and abs(x.item) < _STEP for x in operands)
    if tame:
        g.lengths.add(found.name)
    return tame


def add(g: Any, a: Any, b: Any) -> Any:
    """a + b: a sum that has wrapped is on the wrong side of `a`."""
    found = g.Add(a, b)
    if not (_stays_a_length(g, found, a, b) or _is_step(g, a, b)):
        g.check(g.Equal(g.Less(found, a), g.Less(b, 0)), *BEYOND)
    return found


def sub(g: Any, a: Any, b: Any) -> Any:
    """a - b."""
    found = g.Sub(a, b)
    if not (_stays_a_length(g, found, a, b) or _is_step(g, b)):
        g.check(g.Equal(g.Greater(found, a), g.Less(b, 0)), *BEYOND)
    return found


def mul(g: Any, a: Any, b: Any) -> Any:
    """a * b: a product that has wrapped is about 2**64 away from that of floats."""
    found = g.Mul(a, b)
    if _stays_a_length(g, found, a, b):
        return found
    if a.item is not None:
        a, b = b, a
    if b.item is not None:
        g.check(_fits_factor(g, a, b.item), *BEYOND)
        return found
    near = g.Mul(g.cast(a, "float64"), g.cast(b, "float64"))
    g.check(g.Less(g.Abs(g.Sub(near, g.cast(found, "float64"))), 2.0**62), *BEYOND)
    return found


def _fits_factor(g: Any, x: Any, factor: int) -> Any:
    """Whether a known factor leaves `x` within 64 bits."""
    if factor in (0, 1):
        return g.const(True)
    ends = sorted(_toward_zero(bound, factor) for bound in (LEAST, MOST))
    return is_in(g, x, max(ends[0], LEAST), min(ends[1], MOST))


def _toward_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def neg(g: Any, x: Any) -> Any:
    """-x."""
    found = g.Neg(x)
    if not _stays_a_length(g, found, x):
        g.check(g.Greater(x, LEAST), *BEYOND)
    return found


def absolute(g: Any, x: Any) -> Any:
    """abs(x)."""
    g.check(g.Greater(x, LEAST), *BEYOND)
    return g.Abs(x)


def _divisor(g: Any, b: Any, message: str) -> Any:
    """`b`, or 1 where it is 0, which is an error."""
    if b.item:
        return b
    nonzero = g.Not(g.Equal(b, 0))
    g.check(nonzero, "ZeroDivisionError", message)
    return g.Where(nonzero, b, 1)


def floordiv(g: Any, a: Any, b: Any) -> Any:
    """a // b."""
    divisor = _divisor(g, b, said(lambda: 1 // 0))
    found = _floordiv(g, a, divisor)
    _stays_a_length(g, found, a, divisor)
    return found


def _floordiv(g: Any, a: Any, b: Any) -> Any:
    """The quotient by a divisor that isn't 0. The processor traps where it is beyond 64 bits."""
    if a.name not in g.lengths and b.item in (None, -1):
        fits = g.Not(g.And(g.Equal(a, LEAST), g.Equal(b, -1)))
        g.check(fits, *BEYOND)
        b = g.Where(fits, b, 1)
    if b.item is not None and b.item > 0:
        return _quotient(g, a, b)
    quotient = g.Div(a, b)  # toward 0
    back = g.Mul(quotient, b)
    too_large = g.And(g.Not(g.Equal(a, back)), g.Xor(g.Less(a, back), g.Less(b, 0)))
    return g.Sub(quotient, g.cast(too_large, "int64"))


def _quotient(g: Any, a: Any, b: Any) -> Any:
    """The quotient by a positive divisor."""
    quotient = g.Div(a, b)
    return g.Sub(quotient, g.cast(g.Less(a, g.Mul(quotient, b)), "int64"))


def remainder(g: Any, a: Any, b: Any) -> Any:
    """The remainder by a divisor that isn't 0, with its sign. By -1 it is that by 1; the processor may trap at -1."""
    return g.Mod(a, b if b.item not in (None, -1) else g.Where(g.Equal(b, -1), 1, b))


def mod(g: Any, a: Any, b: Any) -> Any:
    """a % b, with the sign of `b`."""
    return remainder(g, a, _divisor(g, b, said(lambda: 1 % 0)))


def both(g: Any, a: Any, b: Any) -> tuple:
    """divmod(a, b)."""
    divisor = _divisor(g, b, said(lambda: divmod(1, 0)))
    return _floordiv(g, a, divisor), remainder(g, a, divisor)


def truediv(g: Any, a: Any, b: Any) -> Any:
    """a / b as Python rounds it, once: of ints beyond 2**53, floats would round three times."""
    divisor = _divisor(g, b, said(lambda: 1 / 0))
    for x in (a, divisor):
        if x.name not in g.lengths and (x.item is None or abs(x.item) > _EXACT):
            g.check(is_in(g, x, -_EXACT, _EXACT), "OverflowError", _INEXACT)
    return g.Div(g.cast(a, "float64"), g.cast(divisor, "float64"))


def power(g: Any, a: Any, b: Any) -> Any:
    """a ** b for exponents of at least 0 (for others, anything): a product of 64 factors, `a` or 1."""
    if b.item == 2:
        return mul(g, a, a)
    near = g.Pow(g.cast(a, "float64"), g.cast(b, "float64"))  # no power from squares on is so near to 2**63 that rounding counts
    g.check(g.Or(g.LessOrEqual(b, 1), g.And(g.GreaterOrEqual(near, float(LEAST)), g.Less(near, float(MOST)))), *BEYOND)
    exponent = g.Where(g.Less(b, 64), b, g.Add(g.Mod(b, 2), 62))  # of such powers, only those of -1, 0 and 1 fit
    factors = g.Where(g.Less(np.arange(64), exponent), a, 1)
    for half in (32, 16, 8, 4, 2, 1):  # onnxruntime's ReduceProd goes by floats
        factors = g.Mul(*g.Split(factors, [half, half], axis=0, outputs=2))
    return g.Squeeze(factors, [0])


def _places(g: Any, n: Any) -> Any:
    """How far a shift goes, 64 at most."""
    enough = g.GreaterOrEqual(n, 0)
    g.check(enough, "ValueError", said(lambda: 1 << -1))
    return g.Clip(n, np.int64(0), np.int64(64))


def lshift(g: Any, a: Any, n: Any) -> Any:
    """a << n."""
    places = _places(g, n)
    least, most, factor = (g.Gather(table, places, axis=0) for table in (_LOWEST, _HIGHEST, _POWERS))
    g.check(g.And(g.LessOrEqual(least, a), g.LessOrEqual(a, most)), *BEYOND)
    return g.Mul(a, factor)


def rshift(g: Any, a: Any, n: Any) -> Any:
    """a >> n."""
    places = _places(g, n)
    sign = g.Neg(g.cast(g.Less(a, 0), "int64"))
    divisor = g.Gather(_POWERS, g.Min(places, 62), axis=0)
    return g.Where(g.Greater(places, 62), sign, _quotient(g, a, divisor))


def invert(g: Any, a: Any) -> Any:
    """~a."""
    return g.Sub(-1, a)

"""pow(a, b, m) in 64 bits: residues are in (n, 0] for n = -abs(m), where sums and doubles never get beyond 64 bits."""

from __future__ import annotations

from typing import Any

from ..words import said
from .integers import remainder


def powmod(g: Any, a: Any, b: Any, m: Any) -> Any:
    """pow(a, b, m): by the bits of `b` from the lowest one on; those of a negative one are those of -b."""
    nonzero = g.Not(g.Equal(m, 0))
    g.check(nonzero, "ValueError", said(lambda: pow(1, 1, 0)))
    n = g.Where(nonzero, g.Where(g.Greater(m, 0), g.Neg(m), m), -1)
    base = remainder(g, a, n)
    (base,) = g.branch(g.Less(b, 0), lambda: [_inverse(g, base, n)], lambda: [base])

    def turn(number: Any, found: Any, power: Any, left: Any) -> tuple:
        product, square = _products(g, power, (found, power), n)
        found = g.Where(g.Equal(g.Mod(left, 2), 0), found, product)
        left = g.Div(left, 2)
        return g.Not(g.Equal(left, 0)), [found, square, left], []

    start = [remainder(g, g.const(1), n), base, b.as_tensor()]
    found, _, _ = g.loop(None, g.Not(g.Equal(b, 0)), start, [x.type for x in start], turn)
    return g.Where(g.And(g.Greater(m, 0), g.Less(found, 0)), g.Sub(found, n), found)


def _sum(g: Any, a: Any, b: Any, n: Any) -> Any:
    """The residue of a + b."""
    least = g.Sub(n, b)
    return g.Where(g.Greater(a, least), g.Add(a, b), g.Sub(a, least))


def _products(g: Any, x: Any, factors: tuple[Any, Any], n: Any) -> tuple[Any, Any]:
    """The residues of the products of `x` and two others: sums of -x, doubled for each bit of a factor that is negated, too."""
    both = g.Neg(g.Concat(*(g.Reshape(factor, [1]) for factor in factors), axis=0))

    def turn(number: Any, doubled: Any, bits: Any, totals: Any) -> tuple:
        totals = g.Where(g.Equal(g.Mod(bits, 2), 1), _sum(g, totals, doubled, n), totals)
        bits = g.Div(bits, 2)
        return g.Greater(g.reduce("ReduceMax", bits, None), 0), [_sum(g, doubled, doubled, n), bits, totals], []

    start = [g.Where(g.Equal(x, 0), 0, g.Sub(n, x)), both, g.const([0, 0])]
    _, _, totals = g.loop(None, g.Greater(g.reduce("ReduceMax", both, None), 0), start, [v.type for v in start], turn)
    first, second = g.Split(totals, [1, 1], axis=0, outputs=2)
    return g.Reshape(first, []), g.Reshape(second, [])


def _inverse(g: Any, x: Any, n: Any) -> Any:
    """The residue by which `x` gives 1, by Euclid's algorithm; ValueError where there is none."""

    def turn(number: Any, r: Any, following: Any, s: Any, next_s: Any) -> tuple:
        by_minus_one = g.Equal(following, -1)  # at which the processor may trap
        quotient = g.Where(by_minus_one, g.Neg(r), g.Div(r, g.Where(by_minus_one, 1, following)))
        rest = g.Sub(r, g.Mul(quotient, following))
        return g.Not(g.Equal(rest, 0)), [following, rest, next_s, g.Sub(s, g.Mul(quotient, next_s))], []

    start = [x, n, g.const(1), g.const(0)]
    divisor, _, s, _ = g.loop(None, g.const(True), start, [v.type for v in start], turn)
    g.check(g.Equal(g.Abs(divisor), 1), "ValueError", said(lambda: pow(2, -1, 4)))
    return remainder(g, g.Mul(s, divisor), n)

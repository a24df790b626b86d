"""Special functions: the gamma function and its kin, and the normal distribution."""

from __future__ import annotations

import math
from typing import Any

import dy2st as api

from ...ops.erf import LARGE, MIDDLE
from .cephes import NDTRI_P0, NDTRI_P1, NDTRI_P2, NDTRI_Q0, NDTRI_Q1, NDTRI_Q2
from .pointwise import as_dtype, kind, met, past, sloped
from .rows import everywhere, in_place, refused, row
from .series import at_least, at_most, choose, polynomial, ratio, wide

wide("lgamma", lambda x: api.lgamma(x), "gammaln")
wide("digamma", lambda x: api.digamma(x), "psi")
wide("erf", lambda x: api.erf(x))


wide("erfinv", lambda x: api.erfinv(x))
_HALF = 0.46875  # where W. J. Cody's approximations of erf and erfc meet


def erfcx(x: Any) -> Any:
    """exp(x * x) * erfc(x)"""
    size, small = api.abs(x), at_most(at_least(x, -_HALF), _HALF)
    middle, large, left = at_most(at_least(size, _HALF), 4.0), at_least(size, 4.0), at_most(x, 0.0)
    inverse = 1.0 / (large * large)
    far = (1.0 / math.sqrt(math.pi) - inverse * ratio(*LARGE, inverse)) / large
    right = api.where(size <= 4.0, ratio(*MIDDLE, middle), far)
    outer = api.where(x < 0, 2.0 * api.exp(left * left) - right, right)
    return choose(api.isnan(x), x, size <= _HALF, api.exp(small * small) * (1.0 - api.erf(small)), outer)


def erfc(x: Any) -> Any:
    """1 - erf(x), exact where erf is near 1."""
    far = at_least(x, _HALF)
    return api.where(x > _HALF, api.exp(-far * far) * erfcx(far), 1.0 - api.erf(at_most(x, _HALF)))


def _log_ndtr(x: Any) -> Any:
    t = x * math.sqrt(0.5)
    low, high = at_most(t, -math.sqrt(0.5)), at_least(t, -math.sqrt(0.5))
    return api.where(x < -1, api.log(erfcx(-low) / 2) - low * low, api.log1p(-erfc(high) / 2))


def _ndtri(p: Any) -> Any:
    """The argument at which `ndtr` is p."""
    edge = math.exp(-2)
    tail = at_least(at_most(api.minimum(p, 1.0 - p), edge), 1e-320)
    centre = at_most(at_least(p, edge), 1.0 - edge) - 0.5
    square = centre * centre
    near = (centre + centre * square * ratio(NDTRI_P0, NDTRI_Q0, square)) * math.sqrt(2 * math.pi)
    x = api.sqrt(-2.0 * api.log(tail))
    z = 1.0 / x
    far = x - api.log(x) / x - z * api.where(x < 8, ratio(NDTRI_P1, NDTRI_Q1, z), ratio(NDTRI_P2, NDTRI_Q2, z))
    found = choose(p > 1.0 - edge, far, p > edge, near, -far)
    return choose(p == 0, -math.inf, p == 1, math.inf, (p < 0) | (p > 1) | api.isnan(p), math.nan, found)


def _entr(x: Any) -> Any:
    return choose(x < 0, -math.inf, x == 0, 0.0, -x * api.log(x))


wide("erfcx", erfcx)
wide("erfc", erfc)
wide("ndtr", lambda x: erfc(-x * math.sqrt(0.5)) * 0.5)
wide("log_ndtr", _log_ndtr)
wide("ndtri", lambda x: sloped(past(_ndtri(x)), x, lambda: math.sqrt(2 * math.pi) * api.exp(_ndtri(x) ** 2 / 2)))
wide("entr", lambda x: sloped(past(_entr(x)), x, lambda: -api.log(x) - 1))


def _zeta(s: Any, x: Any) -> Any:
    """Hurwitz' zeta: the sum of (x + k) ** -s over k >= 0, by Euler and Maclaurin from where x + k > 9."""
    is_pole, is_whole = x <= 0, x == api.floor(x)
    a = api.where(is_pole & is_whole, x * 0 + 1.0, x)

    def more(total: Any, a: Any) -> Any:
        return api.any(a <= 9)

    def step(total: Any, a: Any) -> Any:
        return total + api.where(a <= 9, api.pow(a, -s), api.zeros_like(a)), api.where(a <= 9, a + 1.0, a)

    total, far = api.static.nn.while_loop(more, step, [api.zeros_like(a), at_least(a, -1e3)])
    power = api.pow(far, -s)
    total = total + far * power / (s - 1.0) + 0.5 * power
    rising, below = s, far
    for k, bernoulli in enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6), 1):
        total = total + bernoulli / math.factorial(2 * k) * rising * power / below
        rising, below = rising * (s + (2 * k - 1)) * (s + 2 * k), below * far * far
    is_undefined = (s < 1) | (is_pole & ~is_whole & (s != api.floor(s))) | api.isnan(s + x)
    return choose(s == 1, math.inf, is_undefined, math.nan, is_pole & is_whole, math.inf, total)


wide("zeta", _zeta)


def _need_floats(name: str, x: Any) -> Any:
    """A tensor of floats, integers as the default float."""
    (x,) = met(x, floats=True)
    if kind(x) != "float":
        raise refused(f"{name} takes no complex numbers")
    return x


@row("polygamma", "special.polygamma")
def polygamma(n: Any, input: Any) -> Any:
    """The derivative number n of digamma."""
    x = _need_floats("polygamma", input)
    if not isinstance(n, int) or n < 0:
        raise refused("polygamma takes an int n from 0 on that is known while staging")
    if n == 0:
        return api.digamma(x)
    wider = as_dtype(x, "float64")
    is_undefined = wider == (-math.inf if n == 1 else math.inf)  # where torch has NaN, and a slope of NaN
    return (api.polygamma(wider, n) * api.where(is_undefined, math.nan, 1.0)).astype(x.type.dtype)


row("Tensor.polygamma")(lambda input, n: polygamma(n, input))
in_place("polygamma", lambda input, n: polygamma(n, input))


def mvlgamma(input: Any, p: Any) -> Any:
    """The logarithm of the gamma function of p dimensions."""
    x = _need_floats("mvlgamma", input)
    return api.multigammaln(as_dtype(x, "float64"), p).astype(x.type.dtype)


everywhere(mvlgamma, "mvlgamma", "multigammaln")


def spherical_j0(x: Any) -> Any:
    """sin(x) / x"""
    near = polynomial([(-1.0) ** k / math.factorial(2 * k + 1) for k in range(6, -1, -1)], at_most(x * x, 0.25))
    away = api.where(api.abs(x) < 0.5, x * 0 + 1.0, x)
    return choose(api.isinf(x), 0.0, api.abs(x) < 0.5, near, api.sin(away) / away)


wide("spherical_bessel_j0", spherical_j0)

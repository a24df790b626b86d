"""The functions of Bessel and Airy, by the approximations of the Cephes library."""

from __future__ import annotations

import math
from typing import Any

import dy2st as api

from . import cephes as c
from .series import at_least, at_most, chebyshev, choose, polynomial, ratio, wide

_ROOT = math.sqrt(2 / math.pi)
_QUARTER = math.pi / 4


def _waves(x: Any, pp: Any, pq: Any, qp: Any, qq: Any, angle: float) -> tuple[Any, Any]:
    """J and Y for x > 5, of a given phase."""
    x = at_least(x, 5.0)
    z = 25.0 / (x * x)
    even, odd = ratio(pp, pq, z), 5.0 / x * ratio(qp, qq, z)
    sine, cosine = api.sin(x - angle), api.cos(x - angle)
    scale = _ROOT / api.sqrt(x)
    return (even * cosine - odd * sine) * scale, (even * sine + odd * cosine) * scale


def _waves_0(x: Any) -> tuple[Any, Any]:
    return _waves(x, c.J0_PP, c.J0_PQ, c.J0_QP, c.J0_QQ, _QUARTER)


def _waves_1(x: Any) -> tuple[Any, Any]:
    return _waves(x, c.J1_PP, c.J1_PQ, c.J1_QP, c.J1_QQ, 3 * _QUARTER)


def j0(x: Any) -> Any:
    """The first kind, of order 0."""
    size, z = api.abs(x), at_most(x * x, 25.0)
    near = (z - 5.78318596294678452118) * (z - 30.4712623436620863991) * ratio(c.J0_RP, c.J0_RQ, z)
    return api.where(size <= 5.0, near, _waves_0(size)[0])


def j1(x: Any) -> Any:
    """The first kind, of order 1."""
    size, z = api.abs(x), at_most(x * x, 25.0)
    near = ratio(c.J1_RP, c.J1_RQ, z) * x * (z - 14.6819706421238932572) * (z - 49.2184563216946036703)
    far = _waves_1(size)[0]
    return choose(size <= 5.0, near, x < 0, -far, far)


def _second(x: Any, near: Any, far: Any) -> Any:
    return choose(x == 0, -math.inf, (x < 0) | api.isnan(x), math.nan, x <= 5.0, near, far)


def _positive(x: Any) -> Any:
    return api.where(x > 0, x, x * 0 + 1.0)


def _y0(x: Any) -> Any:
    safe = at_most(_positive(x), 5.0)
    near = ratio(c.Y0_YP, c.Y0_YQ, safe * safe) + 2 / math.pi * api.log(safe) * j0(safe)
    return _second(x, near, _waves_0(x)[1])


def _y1(x: Any) -> Any:
    safe = at_most(_positive(x), 5.0)
    near = safe * ratio(c.Y1_YP, c.Y1_YQ, safe * safe) + 2 / math.pi * (j1(safe) * api.log(safe) - 1.0 / safe)
    return _second(x, near, _waves_1(x)[1])


def _scaled_i(x: Any, near: Any, far: Any) -> Any:
    """exp(-x) times the modified function of the first kind, for x >= 0."""
    large = at_least(x, 8.0)
    return api.where(x <= 8.0, chebyshev(near, at_most(x, 8.0) / 2 - 2.0), chebyshev(far, 32.0 / large - 2.0) / api.sqrt(large))


def _around_0(order: int, x: Any) -> Any:
    """The modified function of the first kind for |x| < 1, over x ** order: a series in x * x, as |x| has no slope at 0."""
    inside = at_most(x * x, 1.0) / 4.0
    return polynomial([1 / (2**order * math.factorial(k) * math.factorial(k + order)) for k in range(9, -1, -1)], inside)


def i0e(x: Any) -> Any:
    """exp(-|x|) times the modified function of the first kind, of order 0."""
    size = api.abs(x)
    return api.where(size < 1.0, api.exp(-size) * _around_0(0, x), _scaled_i(size, c.I0_A, c.I0_B))


def i1e(x: Any) -> Any:
    """exp(-|x|) times the modified function of the first kind, of order 1."""
    size = api.abs(x)
    large = at_least(size, 8.0)
    near = chebyshev(c.I1_A, at_most(size, 8.0) / 2 - 2.0) * x
    near = api.where(size < 1.0, api.exp(-size) * _around_0(1, x) * x, near) + 0.0  # of -0 it is 0
    return api.where(size <= 8.0, near, api.copysign(chebyshev(c.I1_B, 32.0 / large - 2.0) / api.sqrt(large), x))


def _i0(x: Any) -> Any:
    size = api.abs(x)
    return api.where(size < 1.0, _around_0(0, x), api.exp(size) * i0e(x))


def _i1(x: Any) -> Any:
    size = api.abs(x)
    return api.where(size < 1.0, _around_0(1, x) * x + 0.0, api.exp(size) * i1e(x))


def _scaled_k0(x: Any) -> Any:
    """exp(x) times the modified function of the second kind, of order 0."""
    near, far = at_most(_positive(x), 2.0), at_least(x, 2.0)
    small = (chebyshev(c.K0_A, near * near - 2.0) - api.log(0.5 * near) * _i0(near)) * api.exp(near)
    return _modified(x, small, chebyshev(c.K0_B, 8.0 / far - 2.0) / api.sqrt(far))


def _scaled_k1(x: Any) -> Any:
    """exp(x) times the modified function of the second kind, of order 1."""
    near, far = at_most(_positive(x), 2.0), at_least(x, 2.0)
    small = (api.log(0.5 * near) * _i1(near) + chebyshev(c.K1_A, near * near - 2.0) / near) * api.exp(near)
    return _modified(x, small, chebyshev(c.K1_B, 8.0 / far - 2.0) / api.sqrt(far))


def _modified(x: Any, near: Any, far: Any) -> Any:
    return choose(x == 0, math.inf, (x < 0) | api.isnan(x), math.nan, x <= 2.0, near, far)


wide("bessel_j0", j0)
wide("bessel_j1", j1)
wide("bessel_y0", _y0)
wide("bessel_y1", _y1)
wide("i0", _i0, "modified_bessel_i0")
wide("i1", _i1, "modified_bessel_i1")
wide("i0e", i0e)
wide("i1e", i1e)
wide("scaled_modified_bessel_k0", lambda x: _scaled_k0(x))
wide("scaled_modified_bessel_k1", lambda x: _scaled_k1(x))
wide("modified_bessel_k0", lambda x: choose(x == 0, math.inf, _scaled_k0(x) * api.exp(-x)))
wide("modified_bessel_k1", lambda x: choose(x == 0, math.inf, _scaled_k1(x) * api.exp(-x)))

_AT_0, _SLOPE_AT_0 = 0.355028053887817239260, 0.258819403792806798405
_TERMS = 16  # of the series below 2.09, in the third power of the argument


def _rising(first: int) -> list[float]:
    """1 / (2 * 3 * 5 * 6 * 8 * 9 ...), or 1 / (3 * 4 * 6 * 7 ...), the highest power first."""
    found = [1.0]
    for k in range(_TERMS):
        found.append(found[-1] / ((3 * k + first) * (3 * k + first + 1)))
    return found[::-1]


def _airy(x: Any) -> Any:
    """Airy's function of the first kind."""
    middle = at_most(at_least(x, -2.09), 2.09)
    cube = middle * middle * middle
    near = 0.355028053887817239260 * polynomial(_rising(2), cube) - 0.258819403792806798405 * middle * polynomial(
        _rising(3), cube
    )
    high = at_least(x, 2.09)
    zeta = 2.0 * high * api.sqrt(high) / 3.0
    right = 0.564189583547756286948 * ratio(c.AIRY_AN, c.AIRY_AD, 1.0 / zeta) / (2.0 * api.sqrt(api.sqrt(high)) * api.exp(zeta))
    low = at_least(-x, 2.09)
    turns = 2.0 * low * api.sqrt(low) / 3.0
    z, angle = 1.0 / turns, turns + _QUARTER
    sines = api.sin(angle) * (1.0 + z * z * ratio(c.AIRY_AFN, c.AIRY_AFD, z * z))
    cosines = api.cos(angle) * z * ratio(c.AIRY_AGN, c.AIRY_AGD, z * z)
    left = 0.564189583547756286948 / api.sqrt(api.sqrt(low)) * (sines - cosines)
    found = choose(x > 103.892, 0.0, x >= 2.09, right, x < -2.09, left, near)
    return choose(api.isinf(x) | api.isnan(x), math.nan, found)


wide("airy_ai", _airy)

"""Special functions at their edges: where approximations meet, at poles, infinities and nan; values and gradients as in torch."""

from __future__ import annotations

import math
import warnings

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402

PLACES = [-300.0, -50.5, -8.0, -5.0, -3.3, -2.09, -2.0, -1.0, -0.46875, -1e-3, -1e-10, -0.0, 0.0, 1e-10, 1e-3, 0.1, 0.135335]
PLACES += [0.46875, 0.5, 0.707, 0.9, 1.0, 1.5, 2.0, 2.09, 3.0, 4.0, 5.0, 5.5, 8.0, 8.5, 20.0, 60.0, 300.0]
PLACES += [math.inf, -math.inf, math.nan]
NAMES = """
erf erfc erfcx erfinv ndtr ndtri log_ndtr entr i0 i0e i1 i1e bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_k0
modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1 airy_ai spherical_bessel_j0 digamma gammaln expit logit
sinc
""".split()


@pytest.mark.parametrize("name", NAMES)
def test_values_and_gradients(name: str) -> None:
    function = getattr(torch.special, name)
    ours, theirs = (torch.tensor(PLACES, dtype=torch.float64, requires_grad=True) for _ in range(2))
    expected, found = function(theirs), dy2st.torch.to_static(lambda x: function(x))(ours)
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12, equal_nan=True)
    try:
        expected.sum().backward()
    except (NotImplementedError, RuntimeError):  # torch has no gradient of it
        return
    found.sum().backward()
    counts = torch.isfinite(theirs.grad) & (theirs.grad.abs() < 1e20) & torch.isfinite(theirs)
    torch.testing.assert_close(ours.grad[counts], theirs.grad[counts], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", ["gammainc", "gammaincc", "zeta", "xlogy", "xlog1py"])
def test_functions_of_two(name: str) -> None:
    function = getattr(torch.special, name)
    a, b = torch.meshgrid(*[torch.tensor(PLACES[:-3], dtype=torch.float64)] * 2, indexing="ij")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = dy2st.torch.to_static(lambda a, b: function(a, b))(a, b)
    torch.testing.assert_close(found, function(a, b), rtol=1e-9, atol=1e-12, equal_nan=True)

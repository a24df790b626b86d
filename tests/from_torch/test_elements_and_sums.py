"""The first samples of torch's database for functions of elements, reductions and new tensors: none is wrong, none fails."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from from_torch.operators import DTYPES, outcome, samples, variants  # noqa: E402
from support.sampling import sampled  # noqa: E402

NAMES = """
abs acosh add addcdiv addcmul arange atan2 bitwise_and bitwise_left_shift clamp complex copysign cummax cumprod cumsum diff
div.floor_rounding div.no_rounding_mode div.trunc_rounding eq erfinv exp float_power fmod frexp full_like gcd ge histogram hypot
i0 igamma isclose isin lerp linspace log1p logaddexp logcumsumexp logical_xor logit logspace logsumexp masked.mean masked.std
masked_fill max.binary max.reduction_with_dim maximum mean median mode mvlgamma.mvlgamma_p_3 nan_to_num nanmean nanquantile
nansum new_full norm norm.inf polar polygamma.polygamma_n_2 pow prod quantile remainder round.decimals_3 rsub sgn sinc
special.bessel_j1 special.erfcx special.hermite_polynomial_h special.log_ndtr special.ndtri special.zeta std_mean sub sum to
true_divide trunc var var.unbiased view_as_complex where xlogy __rpow__ any all amax aminmax argmin count_nonzero cov corrcoef
gradient heaviside ldexp nextafter trapezoid randint normal bernoulli linalg.norm linalg.vector_norm bfloat16
""".split()


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(NAMES, 40))
def test_samples(name: str) -> None:
    found = [outcome(name, sample) for dtype in DTYPES for sample in samples(name, dtype, 1)]
    assert found
    assert not [made for made in found if made.kind not in ("right", "raises", "refused")]
    assert any(made.kind == "right" for made in found)


METHODS = [(name, k) for name in NAMES for k in range(len(variants(name)))]


@pytest.mark.long
@pytest.mark.parametrize(("name", "number"), sampled(METHODS, 30))
def test_methods(name: str, number: int) -> None:
    function = variants(name)[number]
    given = [x for dtype in DTYPES for x in samples(name, dtype, 1) if isinstance(x.input, torch.Tensor)]
    found = [outcome(name, sample, function) for sample in given]
    assert not [made for made in found if made.kind not in ("right", "raises", "refused")]

"""torch.distributions: densities, entropies and divergences, and the checks of their parameters."""

from __future__ import annotations

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")
from torch import distributions as d  # noqa: E402

import dy2st.torch  # noqa: E402

DENSITIES: dict[str, Callable] = {
    "normal": lambda x: d.Normal(x, x.exp()).log_prob(x + 1),
    "divergence": lambda x: d.kl_divergence(d.Normal(x, 1.0), d.Normal(0.0, 2.0)),
    "independent": lambda x: d.Independent(d.Normal(x, 1.0), 1).entropy(),
    "multivariate": lambda x: d.MultivariateNormal(x, torch.eye(4)).log_prob(x + 1),
    "mixture": lambda x: d.MixtureSameFamily(d.Categorical(logits=x), d.Normal(x, 1.0)).log_prob(x[:, 0]),
    "log-normal": lambda x: d.LogNormal(x, 1.0).log_prob(x.exp()),
    "transformed": lambda x: d.TransformedDistribution(d.Normal(x, 1.0), [d.TanhTransform()]).log_prob(torch.tanh(x + 0.5)),
    "gamma": lambda x: d.Gamma(x.exp(), 1.0).log_prob(x.exp()),
}


@pytest.mark.parametrize("name", DENSITIES)
def test_densities(name: str) -> None:
    x = torch.linspace(-1, 1, 12).reshape(3, 4)
    torch.testing.assert_close(dy2st.torch.to_static(DENSITIES[name])(x), DENSITIES[name](x), rtol=1e-4, atol=1e-4)


def test_a_parameter_that_is_wrong_raises_as_in_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    # torch.compile, once called, turns the validation off for the whole process
    monkeypatch.setattr(d.Distribution, "_validate_args", True)
    function = lambda x: d.Normal(x, -x.exp()).log_prob(x)  # noqa: E731
    for called in (function, dy2st.torch.to_static(function)):
        with pytest.raises(ValueError, match="Expected parameter scale"):
            called(torch.ones(3))

"""Second derivatives of torch's own samples: one of some operators. `second_gradients_of_samples.py` runs them all."""

from __future__ import annotations

import pytest
from support.sampling import sampled

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")

from from_torch.operators import samples  # noqa: E402
from from_torch.second_gradients_of_samples import TWICE, outcome  # noqa: E402


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(TWICE, 15))
def test_second_derivatives_of_samples_are_torchs_or_refused(name):
    for sample in samples(name, torch.float64, 1, requires_grad=True):
        found = outcome(name, sample)
        assert found.kind in ("right", "refused", "unmapped"), found

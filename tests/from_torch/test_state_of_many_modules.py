"""Modules that store their own state at each call: staged a constant number of times, however many there are."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.nn.utils import spectral_norm, weight_norm  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.runtime.stage import stage  # noqa: E402


@pytest.mark.parametrize("norm", [weight_norm, spectral_norm])
def test_p_02_norms_that_store_the_weight_are_staged_twice(norm, monkeypatch):
    recordings, once = [], stage._stage_once
    monkeypatch.setattr(stage, "_stage_once", lambda *given: recordings.append(given) or once(*given))
    counts = []
    for layers in (3, 12):
        torch.manual_seed(0)
        net = nn.Sequential(*(norm(nn.Linear(4, 4)) for _ in range(layers))).eval()
        static, x = dy2st.torch.to_static(net), torch.randn(2, 4)
        recordings.clear()
        torch.testing.assert_close(static(x), net(x), rtol=1e-5, atol=1e-5)  # numbers of up to 1e6
        counts.append(len(recordings))
    assert counts[0] == counts[1] <= 3

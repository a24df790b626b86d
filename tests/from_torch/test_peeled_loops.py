"""Loops of PyTorch's whose first turn is unlike the later ones give what plain Python gives: static, and saved without torch."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from from_torch.random_gradients import in_torch  # noqa: E402
from property.compare import saved_and_loaded  # noqa: E402
from property.modules import forget, module_of  # noqa: E402
from staging.first_turns import CACHES, LOOPS, written  # noqa: E402
from support.sampling import sampled  # noqa: E402

import dy2st as paddle  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.config import limits  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

GRID = [(cache, loop) for cache in CACHES for loop in LOOPS]
STARTS = ((2, 0.1), (1, 3.0), (3, -0.01))


@pytest.fixture(autouse=True)
def few_operations(monkeypatch):
    monkeypatch.setattr(limits, "unroll_operations", 400)


def outcome(function, x):
    try:
        return [None if part is None else np.asarray(part) for part in function(x)]
    except (TypeError, AttributeError, IndexError, KeyError) as error:  # no turn has filled the cache
        return type(error).__name__


@pytest.mark.long
@pytest.mark.parametrize(("cache", "loop"), sampled(GRID, 16))
def test_the_grid(cache, loop):
    text = in_torch(written(cache, loop, 30)).replace("axis=", "dim=")
    plain, module = module_of(text), module_of(text)
    static = dy2st.torch.to_static(module.f, [InputSpec([None, 3], "float64", "h")])
    loaded = saved_and_loaded(static)
    for rows, scale in STARTS:
        x = np.random.RandomState(rows).randn(rows, 3) * scale
        expected = outcome(plain.f, torch.tensor(x))
        for found in (outcome(static, torch.tensor(x)), outcome(loaded, paddle.to_tensor(x))):
            if isinstance(expected, str) or isinstance(found, str):
                assert found == expected
                continue
            for a, b in zip(expected, found, strict=True):
                assert (a is None) == (b is None)
                if a is not None:
                    np.testing.assert_allclose(b, a, rtol=1e-12)
    forget(plain)
    forget(module)


def test_cat_leaves_out_what_is_an_empty_vector_when_the_program_runs():
    def joined(v, x):
        return torch.cat([x, v], dim=-2)

    static = dy2st.torch.to_static(joined, [InputSpec([None], "float32"), InputSpec([None, None], "float32")])
    x = torch.arange(6.0).reshape(2, 3)
    assert torch.equal(static(torch.ones(0), x), joined(torch.ones(0), x))
    for function in (joined, static):
        with pytest.raises(RuntimeError, match="Tensors must have same number of dimensions: got 2 and 1"):
            function(torch.ones(2), x)

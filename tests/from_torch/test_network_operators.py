"""torch's own samples of what networks are made of, by torch and as Programs. `table.py` runs all of them."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("expecttest")

from from_torch.operators import DTYPES, OPERATORS, outcome, samples  # noqa: E402

# a generator of torch's samples that isn't read to its end
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
OTHERS = "cdist softmax log_softmax constant_pad_nd native_batch_norm native_group_norm native_layer_norm grid_sampler_2d".split()
NAMES = [name for name in OPERATORS if name.startswith("nn.functional.") or name in OTHERS]


@pytest.mark.parametrize("name", NAMES)
def test_the_first_sample_of_each_dtype_is_right(name):
    for dtype in DTYPES:
        for sample in samples(name, dtype, 1):
            found = outcome(name, sample)
            assert found.kind == "right" or (found.kind == "refused" and name == "nn.functional.avg_pool3d"), found

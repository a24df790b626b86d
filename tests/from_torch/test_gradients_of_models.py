"""Gradients of a few whole models. `gradients_of_models.py` tries twenty."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from from_torch import paths  # noqa: F401

missing = [name for name in ("torch", "torchvision", "transformers", "timm") if find_spec(name) is None]
if missing:
    pytest.skip(f"whole models need {', '.join(missing)}", allow_module_level=True)

from from_torch.gradients_of_models import chosen, outcome  # noqa: E402


@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("name", ["torchvision/shufflenet_v2_x0_5", "transformers/gpt2"])
def test_gradients_of_a_model_are_torchs(name, training):
    (case,) = chosen([name])
    found = outcome(case, training)
    assert found.words == "right", found

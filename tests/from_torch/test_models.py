"""A few whole models: by torch, as Programs, loaded where no torch is, and in ONNX Runtime. `models.py` runs them all."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from from_torch import paths  # noqa: F401

missing = [name for name in ("torch", "torchvision", "transformers", "timm", "onnx", "onnxruntime") if find_spec(name) is None]
if missing:
    pytest.skip(f"whole models need {', '.join(missing)}", allow_module_level=True)

from from_torch.forms import checks  # noqa: E402
from from_torch.zoo import cases  # noqa: E402

SAMPLE = "torchvision/squeezenet1_1 transformers/vit_msn transformers/mpnet transformers/opt".split()


@pytest.mark.parametrize("name", SAMPLE)
def test_a_model_is_right_in_all_forms(name, tmp_path):
    (case,) = (case for case in cases([name]) if case.name == name)
    for _, check in checks(case, tmp_path):
        check()

"""Exported models in Node.js, by onnxruntime-node and by onnxruntime-web, against plain Python."""

from __future__ import annotations

import pytest

pytest.importorskip("onnx", reason="models are exported by onnx: pip install '.[onnx]'")

from onnx_models.web import javascript
from onnx_models.web.jobs import NAMES, Jobs


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    javascript.needs_node()
    return Jobs(tmp_path_factory.mktemp("jobs"))


@pytest.fixture(scope="module", params=["onnxruntime-node", "onnxruntime-web"])
def answers(jobs, request):
    return javascript.node(javascript.HERE / "run.mjs", request.param, jobs.folder)


@pytest.mark.parametrize("name", NAMES)
def test_node(jobs, answers, name):
    jobs.check(name, answers[name])

"""Exported models on a static page in Chromium, by onnxruntime-web, against plain Python."""

from __future__ import annotations

import shutil

import pytest

pytest.importorskip("onnx", reason="models are exported by onnx: pip install '.[onnx]'")

from onnx_models.web import javascript
from onnx_models.web.jobs import NAMES, Jobs


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    javascript.needs_browser()
    return Jobs(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def answers(jobs):
    for file in ("page.html", "calls.mjs"):
        shutil.copy(javascript.HERE / file, jobs.folder)
    (jobs.folder / "node_modules").symlink_to(javascript.PACKAGES)
    with javascript.served(jobs.folder) as address:
        return javascript.node(javascript.HERE / "browse.mjs", f"{address}/page.html")


@pytest.mark.parametrize("name", NAMES)
def test_browser(jobs, answers, name):
    jobs.check(name, answers[name])

"""examples/story.py: the generated tokens in ONNX Runtime, and on its page in Chromium, are those of transformers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from examples.test_examples import EXAMPLES
from onnx_models.web import javascript

import dy2st

for name in ("torch", "transformers.generation", "onnxruntime"):  # the repository's own `transformers` has no generation
    pytest.importorskip(name)

import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402

TESTS = Path(__file__).parents[1]
# Runs the example. transformers imports torchvision where it is there, which a CPU build of torch lets only so.
RUN = """
import runpy, sys
from importlib.util import find_spec
if find_spec("torchvision"):
    import from_torch.vision
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of the page, and the lines that the example has printed."""
    folder = tmp_path_factory.mktemp("story")
    (folder / "dy2st").symlink_to(Path(dy2st.__file__).resolve().parent)
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{TESTS}", "OMP_NUM_THREADS": "1"}
    site = [str(folder / "site"), "--packages", str(javascript.PACKAGES)] if javascript.PACKAGES.exists() else []
    command = [sys.executable, "-c", RUN, str(EXAMPLES / "story.py"), *site, "--steps", "30"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site", done.stdout


@pytest.fixture(scope="module")
def played(made):
    """The moments of the page, as the script in the browser has seen them."""
    javascript.needs_browser()
    with javascript.served(made[0]) as address:
        return javascript.node(TESTS / "examples" / "story.mjs", address)


def test_the_file_writes_the_tokens_of_transformers(made):
    assert "in ONNX Runtime: same tokens" in made[1]


def test_the_page_writes_the_tokens_of_the_file(made, played):
    site, _ = made
    told = json.loads((site / "model.json").read_text())
    session = onnxruntime.InferenceSession(site / "likeliest.onnx")
    found = played["likeliest"]["ids"]
    ids = found[: len(found) - int(played["likeliest"]["progress"])]
    assert ids[0] == told["end"] and "".join(told["tokens"][number] for number in ids) == "Lists are  mutable"
    while len(ids) < len(found):
        (written,) = session.run(["output"], {"ids": np.array([ids])})
        ids = ids + written[0].tolist()
    assert ids == found
    assert played["likeliest"]["text"] == "".join(told["tokens"][number] for number in found)


def test_the_page_shows_its_progress_and_stops(played):
    assert played["errors"] == [] and not any(played[name]["tooWide"] for name in ("opened", "likeliest", "stopped"))
    assert played["opened"]["progress"] > 0 and "a second" in played["opened"]["facts"]
    assert played["stopped"] == played["later"] and played["stopped"]["progress"] < 160

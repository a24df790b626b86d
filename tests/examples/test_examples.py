"""Every file in examples/ runs from start to end, as a user runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.sampling import ASKED

import dy2st

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(name, folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(Path(dy2st.__file__).resolve().parent.parent)}
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.skipif(ASKED != "all", reason="the README's other command runs it: DY2ST_TESTS=all")
def test_digits_reaches_its_accuracy_in_a_fresh_process(tmp_path):
    pytest.importorskip("sklearn")
    printed = run("digits.py", tmp_path)
    accuracies = [float(text) for text in re.findall(r"(\d+\.\d+) ?%", printed)]
    assert len(accuracies) == 2 and min(accuracies) >= 96.0, printed  # the Python model, the loaded files
    assert "_jst." in printed and "same answers" in printed


def test_sorting_gives_the_same_tokens_in_all_forms(tmp_path):
    pytest.importorskip("torch")
    printed = run("sorting.py", tmp_path)
    sentences = ["as a Program: same tokens", "loaded without PyTorch: same tokens", "in ONNX Runtime: same tokens"]
    assert all(sentence in printed for sentence in sentences[: 3 if find_spec("onnxruntime") else 2]), printed
    assert int(re.search(r"(\d+) of 206 sorted rightly", printed)[1]) > 180, printed

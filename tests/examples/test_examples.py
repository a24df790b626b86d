"""Every file in examples/ runs from start to end, as a user runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.sampling import ASKED, sampled

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


WHAT_IS_PRINTED = {  # of each example, a number that tells whether it works, and its least value
    "solver": (r"24 x 48 +(\d+) ", 50),
    "cart_pole": (r"loaded: (\d+) steps on average", 400),
    "captcha": (r"loaded: (\d+) of 200 lines", 140),
    "adaptive_depth": (r"1\.0 +(\d+\.\d)%", 95),
    "translation": (r"\n1 +(\d+)\n", 270),
}


@pytest.mark.long
@pytest.mark.skipif(ASKED == "many", reason="the README's test command runs one, and DY2ST_TESTS=all all of them")
@pytest.mark.parametrize("name", sampled(WHAT_IS_PRINTED, 1))
def test_an_example_does_what_its_page_says(name, tmp_path):
    if name == "adaptive_depth":
        pytest.importorskip("sklearn")
    printed = run(f"{name}.py", tmp_path)
    pattern, least = WHAT_IS_PRINTED[name]
    assert float(re.search(pattern, printed)[1]) >= least, printed


def test_the_page_tells_of_every_example():
    page = (EXAMPLES.parent / "docs" / "examples.md").read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES.glob("*.py") if f"examples/{path.name}" not in page] == []

"""mypy and pyright say of public calls what they give, and find mistakes; what they give is of that type when it runs."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.of_type import is_of

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FILES = ["tests/annotations/calls.py", "tests/annotations/mistakes.py"]


def output_of(*command):
    return subprocess.run([sys.executable, "-m", *command, *FILES], cwd=ROOT, capture_output=True, text=True).stdout


def mypy():
    """(file, line) of each error."""
    return {(file, int(line)) for file, line in re.findall(r"^(.*?):(\d+): error", output_of("mypy"), re.M)}


def pyright():
    found = json.loads(output_of("pyright", "--outputjson"))["generalDiagnostics"]
    errors = [one for one in found if one["severity"] == "error"]
    return {(str(Path(one["file"]).relative_to(ROOT)), one["range"]["start"]["line"] + 1) for one in errors}


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_a_type_checker_knows_public_calls_and_finds_each_mistake(checker):
    pytest.importorskip(checker.__name__, reason=f"{checker.__name__} comes with the extra 'dev'")
    lines = (HERE / "mistakes.py").read_text().splitlines()
    assert checker() == {(FILES[1], i) for i, line in enumerate(lines, 1) if line.endswith("# mistake")}


def test_public_calls_give_what_type_checkers_say():
    runpy.run_path(str(HERE / "calls.py"))


def test_thirty_public_calls_are_asked():
    assert (HERE / "calls.py").read_text().count("assert_type(") >= 30


def test_values_are_of_types():
    assert is_of([1], list[int]) and not is_of(["a"], list[int]) and not is_of((1,), list[int])
    assert is_of((1, "a"), tuple[int, str]) and not is_of((1,), tuple[int, str]) and is_of(None, int | None)
    assert not is_of({"a": "b"}, dict[str, int])


COMPLETED = {
    "x = paddle.to_tensor([1.0])\nx.resh": "reshape",
    "paddle.abs(paddle.rand([2])).su": "sum",
    "paddle.jit.to_st": "to_static",
    "paddle.nn.Lin": "Linear",
    "paddle.nn.functional.rel": "relu",
    "loaded = paddle.jit.load('model')\nloaded.bin": "bind",
    "paddle.optimizer.lr.Cos": "CosineAnnealingDecay",
}


@pytest.mark.skipif(find_spec("jedi") is None, reason="jedi comes with the extra 'dev'")
def test_an_editor_completes_names():
    import jedi

    for text, name in COMPLETED.items():
        script = jedi.Script(f"import dy2st as paddle\n{text}", project=jedi.Project(ROOT))
        assert name in [found.name for found in script.complete()], text

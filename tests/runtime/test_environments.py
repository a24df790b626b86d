"""Environments of several kinds: a package behind a link, libraries of another environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import dy2st

PROGRAM = """
import pytest

import dy2st

@dy2st.jit.to_static
def halves(x):
    found = []
    while x.sum() > 1:
        x = x / 2
        found.append(x)
    return found[-1]

print(halves(dy2st.ones([3])).tolist())
"""


def test_a_link_to_the_package(tmp_path):
    os.symlink(Path(dy2st.__file__).parent, tmp_path / "dy2st", target_is_directory=True)
    (tmp_path / "program.py").write_text(PROGRAM)
    ran = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout == "[0.25, 0.25, 0.25]\n"

KINDS = """
SEEN = {}

class Meta(type):
    def __instancecheck__(cls, value):
        SEEN[type(value)] = True
        return False

class Kind(metaclass=Meta):
    pass
"""
ASKING = """
import sys
sys.path.insert(0, sys.argv[1])
import dy2st, kinds

@dy2st.jit.to_static
def grown(x):
    while x.sum() < 10:
        x = x if isinstance(x, kinds.Kind) else x * 2
    return x

print(grown(dy2st.ones([3])).tolist())
"""


@pytest.mark.parametrize("folder, is_library", [("site-packages", True), ("dist-packages", True), ("mine", False)])
def test_what_is_installed_in_another_environment_is_a_library(folder, is_library, tmp_path):
    """What a library stores while it is asked is its own; of the user's code that is refused."""
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "kinds.py").write_text(KINDS)
    (tmp_path / "program.py").write_text(ASKING)
    environment = {**os.environ, "PYTHONPATH": str(Path(dy2st.__file__).parents[1])}
    command = [sys.executable, "program.py", str(tmp_path / folder)]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.stdout == ("[4.0, 4.0, 4.0]\n" if is_library else ""), ran.stderr
    assert is_library or "Meta.__instancecheck__ is called here by an operator" in ran.stderr

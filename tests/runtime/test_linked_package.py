"""A package that is reached by a link, as some environments lay it, knows its own code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import dy2st

PROGRAM = """
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

"""In IPython, messages and tracebacks name the cell, and show its lines; needs IPython."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("IPython") is None, reason="needs IPython")

SESSION = '''
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.colors = "nocolor"
for cell in (
    "import numpy as np, dy2st as paddle, io",
    "def pick(items, n):\\n    if n > 0:\\n        return items[n + 7]\\n    return items[0]",
    "def scaled(x, n):\\n    return x * pick([1.0, 2.0], n)\\nstatic = paddle.jit.to_static(scaled)",
    "static(paddle.ones([2]), paddle.to_tensor(1))",
    "def sine(x):\\n    return np.sin(x)\\npaddle.jit.to_static(sine)(paddle.ones([2]))",
    "file = io.BytesIO()\\npaddle.jit.save(static, file)\\nfile.seek(0)\\n"
    "paddle.jit.load(file)(paddle.ones([2]), paddle.to_tensor(1))",
):
    shell.run_cell(cell, store_history=True)
'''


@pytest.fixture(scope="module")
def printed():
    """What a session prints, by the number of the cell that has failed."""
    run = subprocess.run([sys.executable, "-c", SESSION], capture_output=True, text=True, check=True)
    parts = run.stdout.split("Traceback (most recent call last)\n")[1:]
    assert len(parts) == 3, run.stdout + run.stderr
    return dict(zip((4, 5, 6), parts))


def test_m_04_a_failure_of_a_program_shows_each_cell_and_its_line(printed):
    lines = ["Cell In[4], line 1", "----> 1 static(", "Cell In[3], line 2, in scaled", "Cell In[2], line 3, in pick", "----> 3 "]
    assert [line for line in lines if line not in printed[4]] == []
    assert "IndexError: list index out of range" in printed[4] and "dy2st" not in printed[4]


def test_m_04_a_refusal_names_the_cell(printed):
    assert "----> 2     return np.sin(x)" in printed[5] and "ConversionError: Cell In[5]:2: numpy.sin" in printed[5]


def test_m_04_so_does_the_note_of_a_loaded_model(printed):
    assert "at Cell In[2]:3, in pick\ncalled at Cell In[3]:2, in scaled" in printed[6]

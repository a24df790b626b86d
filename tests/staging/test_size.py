"""Deep functions are staged in time proportional to their size, whatever was staged before."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from dy2st import jit, to_tensor
from dy2st.static import InputSpec

DEPTH = 40


def nested(head: str, each: str) -> str:
    lines = ["def f(x):", *("    " * (k + 1) + head.format(k) for k in range(DEPTH)), "    " * (DEPTH + 1) + each]
    return "\n".join([*lines, "    return x\n"])


def imported(path, text):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


@pytest.mark.parametrize("name", ["first", "second"])
def test_nested_ifs_of_one_text_in_two_files(tmp_path, name):
    """Comparing the two code objects would take 2 ** 40 steps."""
    f = imported(tmp_path / f"{name}.py", nested("if x.sum() > {0}.0:", "x = x - 1.0"))
    static = jit.to_static(f, input_spec=[InputSpec([2], "float32", "x")])
    for start in (30.0, 1.0, -1.0):
        x = to_tensor(np.array([start, start], "float32"))
        assert static(x).numpy().tolist() == f(x).numpy().tolist()

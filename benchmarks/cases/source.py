"""From source text to Program: 1,000 straight lines, and 100 ifs in sequence; every call reads a file that no cache has seen."""

from __future__ import annotations

import numpy as np

import dy2st
from cases.common import fresh_module, torch
from harness import HAND, SCRIPT, STATIC, Case

X = np.array([0.5, -0.25], np.float32)
NOTE = "By hand: import of the file and one call on NumPy arrays. The others convert and do not run."
SCRIPT_HEAD = "import torch\n\ndef f(x: torch.Tensor) -> torch.Tensor:\n"
PLAIN_HEAD = "def f(x):\n"
LINES = "".join(f"    x = x * 0.{5 + k % 4} - {k % 5}.5\n" for k in range(1000)) + "    return x\n"
IF = "    if x.sum() > {0}.0:\n        x = x - 1.0\n    else:\n        x = x + 0.5\n"
IFS = "".join(IF.format(k) for k in range(100)) + "    return x\n"


def cases() -> list[Case]:
    titles = {"1,000 straight lines, source to Program": LINES, "100 sequential ifs, source to Program": IFS}
    return [_case(title, body) for title, body in titles.items()]


def _case(title: str, body: str) -> Case:
    variants = {HAND: lambda: fresh_module(PLAIN_HEAD + body).f(X), STATIC: lambda: _stage(PLAIN_HEAD + body)}
    if torch is not None:
        variants[SCRIPT] = lambda: torch.jit.script(fresh_module(SCRIPT_HEAD + body).f)
    return Case(title, variants, note=NOTE)


def _stage(text: str) -> None:
    function = fresh_module(text).f
    dy2st.jit.to_static(function, input_spec=[dy2st.static.InputSpec([2], "float32", "x")]).concrete_program  # noqa: B018

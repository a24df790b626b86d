"""From source text to Program: 1,000 straight lines, and 100 ifs in sequence; every call reads a file that no cache has seen."""

from __future__ import annotations

import numpy as np

from cases.common import fresh_module, torch
from cases.curves import ifs, lines, stage
from harness import HAND, SCRIPT, STATIC, Case

X = np.array([0.5, -0.25], np.float32)
NOTE = "By hand: import of the file and one call on NumPy arrays. The others convert and do not run."
SCRIPT_HEAD = "import torch\n\ndef f(x: torch.Tensor) -> torch.Tensor:\n"
PLAIN_HEAD = "def f(x):\n"


def cases() -> list[Case]:
    titles = {"1,000 straight lines, source to Program": lines(1000), "100 sequential ifs, source to Program": ifs(100)}
    return [_case(title, body) for title, body in titles.items()]


def _case(title: str, body: str) -> Case:
    variants = {HAND: lambda: fresh_module(PLAIN_HEAD + body).f(X), STATIC: lambda: stage(body)}
    if torch is not None:
        variants[SCRIPT] = lambda: torch.jit.script(fresh_module(SCRIPT_HEAD + body).f)
    return Case(title, variants, note=NOTE)

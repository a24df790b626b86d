"""Arithmetic on large arrays, 4,096 rows of 256: what memory costs, and what buffers that calls reuse save."""

from __future__ import annotations

import numpy as np

import dy2st
from cases.common import loaded, torch
from harness import EAGER, HAND, LOADED, SCRIPT, STATIC, TORCH, Aim, Case

X = np.random.default_rng(5).standard_normal((4096, 256), dtype=np.float32)


def by_hand(x):
    gate = 1.0 / (1.0 + np.exp(-x))
    inner = np.maximum(x * gate + 0.5, 0.0)
    other = np.abs(x - inner) * 0.25
    return np.sqrt(inner * inner + other) - gate


def formula(x):
    gate = 1.0 / (1.0 + dy2st.exp(-x))
    inner = dy2st.nn.functional.relu(x * gate + 0.5)
    other = dy2st.abs(x - inner) * 0.25
    return dy2st.sqrt(inner * inner + other) - gate


def torch_formula(x):
    gate = 1.0 / (1.0 + torch.exp(-x))
    inner = torch.relu(x * gate + 0.5)
    other = torch.abs(x - inner) * 0.25
    return torch.sqrt(inner * inner + other) - gate


def cases() -> list[Case]:
    x = dy2st.to_tensor(X)
    static = dy2st.jit.to_static(formula, input_spec=[dy2st.static.InputSpec([None, 256], "float32", "x")])
    again = loaded(static)
    variants = {
        HAND: lambda: by_hand(X),
        EAGER: lambda: formula(x),
        STATIC: lambda: static(x),
        LOADED: lambda: again(x),
    }
    if torch is not None:
        torch_x, script = torch.from_numpy(X), torch.jit.script(torch_formula)
        variants[TORCH] = lambda: torch_formula(torch_x)
        variants[SCRIPT] = lambda: script(torch_x)
    aims = [Aim(STATIC, HAND, 1.0), Aim(LOADED, HAND, 1.0), Aim(STATIC, EAGER, 1.0)]
    note = "By hand is the formula in NumPy as one writes it; NumPy itself reuses some of its temporaries there."
    return [Case("A formula on 4 MB", variants, aims, note)]

"""Newton's method for cube roots of a 16-vector: a while of 200 iterations whose bound is a tensor."""

from __future__ import annotations

import numpy as np

import dy2st
from cases.common import loaded, torch
from harness import EAGER, HAND, LOADED, SCRIPT, STATIC, TORCH, Aim, Case

A = np.linspace(1.0, 8.0, 16, dtype=np.float32)
LIMIT = np.array(200, np.int64)


def newton(a, limit):
    """One text for NumPy arrays and for tensors."""
    x = a
    steps = 0
    while steps < limit:
        square = x * x
        x = x - (square * x - a) / (3.0 * square)
        steps += 1
    return x


def torch_newton(a: torch.Tensor, limit: torch.Tensor) -> torch.Tensor:
    x = a
    steps = 0
    while steps < limit:
        square = x * x
        x = x - (square * x - a) / (3.0 * square)
        steps += 1
    return x


def cases() -> list[Case]:
    a, limit = dy2st.to_tensor(A), dy2st.to_tensor(LIMIT)
    specs = [dy2st.static.InputSpec([16], "float32", "a"), dy2st.static.InputSpec([], "int64", "limit")]
    static = dy2st.jit.to_static(newton, input_spec=specs)
    again = loaded(static)
    variants = {
        HAND: lambda: newton(A, 200),
        EAGER: lambda: newton(a, limit),
        STATIC: lambda: static(a, limit),
        LOADED: lambda: again(a, limit),
    }
    if torch is not None:
        torch_a, torch_limit = torch.from_numpy(A), torch.tensor(200)
        script = torch.jit.script(torch_newton)
        variants[TORCH] = lambda: torch_newton(torch_a, torch_limit)
        variants[SCRIPT] = lambda: script(torch_a, torch_limit)
    aims = [Aim(STATIC, HAND, 1.3), Aim(LOADED, HAND, 1.3), Aim(STATIC, EAGER, 1.0)]
    return [Case("Newton while, 200 iterations on a 16-vector", variants, aims)]

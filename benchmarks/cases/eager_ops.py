"""What one eager operator costs over the bare NumPy call."""

from __future__ import annotations

import numpy as np

import dy2st
from cases.common import torch
from harness import EAGER, HAND, TORCH, Case

_random = np.random.default_rng(0)
SMALL = _random.standard_normal(4, dtype=np.float32)
SQUARE = _random.standard_normal((64, 64), dtype=np.float32)


def cases() -> list[Case]:
    small, square = dy2st.to_tensor(SMALL), dy2st.to_tensor(SQUARE)
    add = {HAND: lambda: np.add(SMALL, SMALL), EAGER: lambda: small + small}
    matmul = {HAND: lambda: np.matmul(SQUARE, SQUARE), EAGER: lambda: dy2st.matmul(square, square)}
    if torch is not None:
        torch_small, torch_square = torch.from_numpy(SMALL), torch.from_numpy(SQUARE)
        add[TORCH] = lambda: torch_small + torch_small
        matmul[TORCH] = lambda: torch.matmul(torch_square, torch_square)
    return [Case("One eager add, 4 elements", add), Case("One eager matmul, 64 x 64", matmul)]

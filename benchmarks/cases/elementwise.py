"""Twenty elementwise operations on four million float32: the memory is what costs."""

from __future__ import annotations

import numpy as np

import dy2st
from cases.common import torch
from cases.pairs import versus
from harness import Case

X = np.random.default_rng(12).standard_normal(4_000_000, dtype=np.float32)


def by_hand(x, m=np):
    y = x * 2.0 + 1.0
    y = m.tanh(y) * x - 0.5
    y = m.exp(-y * y)
    y = y / (1.0 + y)
    y = 1.0 / (1.0 + m.exp(-y)) * 3.0 - x
    y = m.abs(y) + 0.1
    y = m.sqrt(y) * y
    return m.log(y + 1.0) * x + 2.0


def chain(x: dy2st.Tensor) -> dy2st.Tensor:
    y = x * 2.0 + 1.0
    y = dy2st.tanh(y) * x - 0.5
    y = dy2st.exp(-y * y)
    y = y / (1.0 + y)
    y = dy2st.nn.functional.sigmoid(y) * 3.0 - x
    y = dy2st.abs(y) + 0.1
    y = dy2st.sqrt(y) * y
    return dy2st.log(y + 1.0) * x + 2.0


def torch_chain(x):
    y = x * 2.0 + 1.0
    y = torch.tanh(y) * x - 0.5
    y = torch.exp(-y * y)
    y = y / (1.0 + y)
    y = torch.sigmoid(y) * 3.0 - x
    y = torch.abs(y) + 0.1
    y = torch.sqrt(y) * y
    return torch.log(y + 1.0) * x + 2.0


def cases() -> list[Case]:
    return [versus("20 elementwise operations on 4M float32", chain, [X], torch_chain, 0.5, by_hand, chain)]

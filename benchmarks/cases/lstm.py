"""An LSTM cell over 100 steps that keeps its outputs in a list and stacks them; batch 4, input 16, hidden 32."""

from __future__ import annotations

import numpy as np

import dy2st
from cases.common import loaded, torch
from harness import EAGER, HAND, LOADED, SCRIPT, STATIC, TORCH, Aim, Case

STEPS, BATCH, INPUT, HIDDEN = 100, 4, 16, 32
_random = np.random.default_rng(2)
X = _random.standard_normal((STEPS, BATCH, INPUT), dtype=np.float32)
W = (_random.standard_normal((INPUT, 4 * HIDDEN)) / 8).astype(np.float32)
U = (_random.standard_normal((HIDDEN, 4 * HIDDEN)) / 8).astype(np.float32)
B = (_random.standard_normal(4 * HIDDEN) / 8).astype(np.float32)
ZEROS = np.zeros((BATCH, HIDDEN), np.float32)


def by_hand(x, w, u, b, h, c):
    outs = []
    for t in range(x.shape[0]):
        gates = np.matmul(x[t], w) + np.matmul(h, u) + b
        i, f, g, o = np.split(gates, 4, axis=1)
        c = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        h = np.tanh(c) / (1 + np.exp(-o))
        outs.append(h)
    return np.stack(outs)


def lstm(x, w, u, b, h, c):
    outs = []
    for t in range(x.shape[0]):
        gates = dy2st.matmul(x[t], w) + dy2st.matmul(h, u) + b
        i, f, g, o = dy2st.split(gates, 4, axis=1)
        c = dy2st.nn.functional.sigmoid(f) * c + dy2st.nn.functional.sigmoid(i) * dy2st.tanh(g)
        h = dy2st.nn.functional.sigmoid(o) * dy2st.tanh(c)
        outs.append(h)
    return dy2st.stack(outs)


def torch_lstm(x, w, u, b, h, c):
    outs = []
    for t in range(x.shape[0]):
        gates = torch.matmul(x[t], w) + torch.matmul(h, u) + b
        i, f, g, o = torch.chunk(gates, 4, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        outs.append(h)
    return torch.stack(outs)


def cases() -> list[Case]:
    arrays = (X, W, U, B, ZEROS, ZEROS)
    tensors = [dy2st.to_tensor(a) for a in arrays]
    shapes = [[None, BATCH, INPUT], *(list(a.shape) for a in arrays[1:])]
    static = dy2st.jit.to_static(lstm, input_spec=[dy2st.static.InputSpec(s, "float32", n) for s, n in zip(shapes, "xwubhc")])
    again = loaded(static)
    variants = {
        HAND: lambda: by_hand(*arrays),
        EAGER: lambda: lstm(*tensors),
        STATIC: lambda: static(*tensors),
        LOADED: lambda: again(*tensors),
    }
    if torch is not None:
        torch_tensors = [torch.from_numpy(a) for a in arrays]
        script = torch.jit.script(torch_lstm)
        variants[TORCH] = lambda: torch_lstm(*torch_tensors)
        variants[SCRIPT] = lambda: script(*torch_tensors)
    aims = [Aim(STATIC, HAND, 1.3), Aim(LOADED, HAND, 1.3), Aim(STATIC, EAGER, 1.0)]
    return [Case("LSTM, 100 steps with list and stack", variants, aims)]

"""Loops of small steps: an LSTM cell with a list, Newton's iteration, greedy decoding that a `break` ends, Collatz."""

from __future__ import annotations

import numpy as np

import dy2st
from cases.common import torch
from cases.networks import array, paired
from cases.pairs import versus
from dy2st import nn
from harness import Case

if torch is not None:
    from cases.torch_networks import TorchGreedy, TorchLSTM

STEPS, TOKENS = 100, 64


class LSTM(nn.Layer):
    def __init__(self, inner: int = 64, hidden: int = 64):
        super().__init__()
        self.cell = nn.LSTMCell(inner, hidden)

    def forward(self, x, h, c):
        outs = []
        for t in range(x.shape[0]):
            _, (h, c) = self.cell(x[t], (h, c))
            outs.append(h)
        return dy2st.stack(outs)


class Greedy(nn.Layer):
    """A GRU that feeds its best token back, until it is the token 0."""

    def __init__(self, words: int = 256, width: int = 64, hidden: int = 64):
        super().__init__()
        self.table, self.cell, self.out = nn.Embedding(words, width), nn.GRUCell(width, hidden), nn.Linear(hidden, words)

    def forward(self, h, token):
        found = []
        for _ in range(TOKENS):
            _, h = self.cell(self.table(token), h)
            token = self.out(h).argmax(-1)
            found.append(token)
            if (token == 0).all():
                break
        return dy2st.stack(found)


def newton(x: dy2st.Tensor, a: dy2st.Tensor) -> dy2st.Tensor:
    y = x
    i = 0
    while (y * y - a).abs().max() > -1.0 and i < 200:
        y = 0.5 * (y + a / y)
        i = i + 1
    return y


def collatz(numbers: dy2st.Tensor) -> dy2st.Tensor:
    total = dy2st.zeros([], "int64")
    for i in range(numbers.shape[0]):
        n = numbers[i]
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            total = total + 1
    return total


def newton_by_hand(x, a):
    y, i = x, 0
    while np.abs(y * y - a).max() > -1.0 and i < 200:
        y = 0.5 * (y + a / y)
        i += 1
    return y


def torch_newton(x, a):
    y = x
    i = 0
    while bool((y * y - a).abs().max() > -1.0) and i < 200:
        y = 0.5 * (y + a / y)
        i = i + 1
    return y


def torch_collatz(numbers):
    total = torch.zeros([], dtype=torch.int64)
    for i in range(numbers.shape[0]):
        n = numbers[i]
        while bool(n != 1):
            n = n // 2 if bool(n % 2 == 0) else 3 * n + 1
            total = total + 1
    return total


def cases() -> list[Case]:
    lstm, torch_lstm = paired(LSTM, lambda: TorchLSTM())
    greedy, torch_greedy = paired(Greedy, lambda: TorchGreedy())
    sequence = [array(STEPS, 8, 64), array(8, 64), array(8, 64)]
    start, square = np.full(16, 3, np.float32), np.linspace(1, 9, 16).astype(np.float32)
    return [
        versus("LSTM cell, 100 steps, batch 8, hidden 64", lstm, sequence, torch_lstm, 0.5, reordered=True),
        versus("Newton, 200 turns on 16 numbers", newton, [start, square], torch_newton, 0.25, newton_by_hand, newton),
        versus("Greedy GRU decoding, 64 tokens of 256", greedy, [array(1, 64), np.array([5])], torch_greedy, 0.2, typed=greedy),
        versus("Collatz, 300 integers in a tensor", collatz, [np.arange(1, 301)], torch_collatz, 0.012, typed=collatz),
    ]

"""From a source file that no cache has seen to the first answer: long functions, an unrolled-looking loop, a beam search."""

from __future__ import annotations

from types import ModuleType

import numpy as np

import dy2st
from cases.common import fresh_module, torch
from cases.curves import ifs, lines
from harness import SCRIPT, SCRIPTED, STATIC, Case, Limit

X = np.array([0.5, -0.25], np.float32)

BEAM = """
import dy2st
from dy2st import nn

class Beam(nn.Layer):
    def __init__(self, words=32, hidden=16, width=4):
        super().__init__()
        self.table, self.cell, self.out = nn.Embedding(words, hidden), nn.GRUCell(hidden, hidden), nn.Linear(hidden, words)
        self.width, self.words = width, words
        self.register_buffer("start", dy2st.to_tensor([0.0] + [-1e9] * (width - 1)))
        self.register_buffer("numbers", dy2st.arange(width))

    def forward(self, h):
        scores = self.start
        tokens, h = dy2st.ones([self.width], "int64"), h.expand([self.width, -1])
        parents = []
        for _ in range(24):
            _, h = self.cell(self.table(tokens), h)
            total = scores.unsqueeze(-1) + nn.functional.log_softmax(self.out(h), axis=-1)
            scores, best = total.flatten().topk(self.width)
            parent, tokens = best // self.words, best % self.words
            h = h[parent]
            parents.append((parent, tokens))
        paths = []
        for k in range(self.width):
            path, at = [], self.numbers[k]
            for parent, token in reversed(parents):
                path.append(token[at])
                at = parent[at]
            paths.append(dy2st.stack(path[::-1]))
        return dy2st.stack(paths), scores
"""


def source(head: str, body: str, hint: str = "") -> ModuleType:
    """A module with a function `f(x)`."""
    return fresh_module(f"{head}def f(x{hint}):\n{body}")


def cases() -> list[Case]:
    x = dy2st.to_tensor(X)
    found = []
    for title, body, seconds in (("5,000 straight lines", lines(5000), 0.3), ("300 sequential ifs", ifs(300), 0.1)):
        variants = {
            STATIC: lambda body=body: dy2st.jit.to_static(source("", body).f)(x),
            SCRIPTED: lambda body=body: dy2st.jit.script(source("import dy2st\n\n", body, ": dy2st.Tensor").f)(x),
        }
        if torch is not None:
            variants[SCRIPT] = lambda body=body: torch.jit.script(source("import torch\n\n", body, ": torch.Tensor").f)(
                torch.from_numpy(X)
            )
        found.append(Case(f"{title}, source to first answer", variants, limits=[Limit(STATIC, seconds)]))
    h = dy2st.zeros([1, 16])
    beam = {STATIC: lambda: _seeded(lambda: dy2st.jit.to_static(fresh_module(BEAM).Beam())(h))}
    return [*found, Case("Beam search of 24 steps, source to first answer", beam)]


def _seeded(function):
    dy2st.seed(0)
    with dy2st.no_grad():
        return function()

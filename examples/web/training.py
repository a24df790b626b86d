"""Trains the network on the names of `names.txt`."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from namer import ALPHABET, Namer

import dy2st
from dy2st.static import InputSpec

SEED, BATCH = 3, 45
NAMES = (Path(__file__).parent / "names.txt").read_text().lower().split()


def coded(names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Names as int64 [n, length], from END to END, and as float32 [n, length - 1] which letters to foretell count."""
    length = max(map(len, names)) + 2
    letters, marks = np.zeros((len(names), length), np.int64), np.zeros((len(names), length - 1), np.float32)
    for row, name in enumerate(names):
        letters[row, 1 : len(name) + 1] = [ALPHABET.index(letter) for letter in name]
        marks[row, : len(name) + 1] = 1
    return letters, marks


def trained(epochs: int) -> Namer:
    """A network that has seen all names `epochs` times."""
    dy2st.seed(SEED)
    net, random, began = Namer(), np.random.default_rng(SEED), time.perf_counter()
    specs = [InputSpec([None, None], "int64", "names"), InputSpec([None, None], "float32", "marks")]
    loss_of = dy2st.jit.to_static(net.loss, input_spec=specs)
    optimizer = dy2st.optimizer.Adam(learning_rate=4e-3, parameters=net.parameters(), weight_decay=1e-5)
    net.train()
    for epoch in range(epochs):
        if epoch == epochs * 2 // 3:
            optimizer.set_lr(1e-3)
        losses = []
        for batch in np.array_split(random.permutation(len(NAMES)), len(NAMES) // BATCH):
            loss = loss_of(*map(dy2st.to_tensor, coded([NAMES[at] for at in batch])))
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            losses.append(float(loss))
        if epoch % 10 == 9 or epoch == epochs - 1:
            print(f"epoch {epoch + 1}: loss {np.mean(losses):.2f} after {time.perf_counter() - began:.0f} s", flush=True)
    net.eval()
    return net

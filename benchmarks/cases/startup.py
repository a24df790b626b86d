"""Processes: how long an import takes, and how long until a saved model has given its first answer.

Every process reads bytecode, as after an installation: the first call, which isn't measured, has written it.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np

from cases.common import FOLDER, fresh_module, saved, torch
from cases.mlp import B1, B2, DY2ST_SOURCE, TORCH_SOURCE, W1, W2, X, dy2st_net, staged, torch_net
from harness import HAND, LOADED, SCRIPT, Aim, Case

BY_HAND = """
import numpy as np
with np.load(r"{weights}") as found:
    w1, b1, w2, b2 = (found[name] for name in ("w1", "b1", "w2", "b2"))
print((np.matmul(np.maximum(np.matmul(np.load(r"{x}"), w1) + b1, 0), w2) + b2).sum())
"""
WITH_DY2ST = """
import numpy as np, dy2st
print(dy2st.jit.load(r"{model}")(np.load(r"{x}")).numpy().sum())
"""
WITH_TORCH = """
import numpy as np, torch
print(torch.jit.load(r"{model}")(torch.from_numpy(np.load(r"{x}"))).detach().numpy().sum())
"""


ENVIRONMENT = {**os.environ, "PYTHONPYCACHEPREFIX": str(FOLDER / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}


def process(code: str):
    def run() -> float | None:
        done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
        return float(done.stdout) if done.stdout else None

    return run


def cases() -> list[Case]:
    return [_imports(), _first_answer()]


def _imports() -> Case:
    names = ["numpy", "dy2st"] + (["torch"] if torch is not None else [])
    return Case("Import, a whole process", {f"import {name}": process(f"import {name}") for name in names})


def _first_answer() -> Case:
    x, weights = FOLDER / "x.npy", FOLDER / "weights.npz"
    np.save(x, X)
    np.savez(weights, w1=W1, b1=B1, w2=W2, b2=B2)
    model = saved(staged(dy2st_net(fresh_module(DY2ST_SOURCE))))
    variants = {
        HAND: process(BY_HAND.format(weights=weights, x=x)),
        LOADED: process(WITH_DY2ST.format(model=model, x=x)),
    }
    if torch is not None:
        path = FOLDER / "mlp.pt"
        torch.jit.script(torch_net(fresh_module(TORCH_SOURCE))).save(str(path))
        variants[SCRIPT] = process(WITH_TORCH.format(model=path, x=x))
    return Case("Load a saved MLP and run it, a whole process", variants, [Aim(LOADED, HAND, 1.6)])

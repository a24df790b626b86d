"""Files: 100 MB of weights saved and loaded, and a Program of 5,000 operations loaded to its first answer."""

from __future__ import annotations

import hashlib

import numpy as np

import dy2st
from cases.common import FOLDER, saved, torch
from cases.curves import lines
from cases.first_answers import source
from dy2st import nn
from harness import LOADED, SCRIPT, Aim, Case, Limit

HASH, HEADER, PLAIN = "dy2st, hashed", 'dy2st, verify="header"', "sha256 of the bytes"
LAYERS, WIDTH = 25, 1000  # 4 MB each


def cases() -> list[Case]:
    return [*_weights(), _operations()]


def _weights() -> list[Case]:
    net = nn.Sequential(*(nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS)))
    net.eval()
    static = dy2st.jit.to_static(net, input_spec=[dy2st.static.InputSpec([1, WIDTH], "float32", "x")])
    path = saved(static)
    data = open(f"{path}.params.safetensors", "rb").read()
    saving = {HASH: lambda: dy2st.jit.save(static, path)}
    loading = {
        HASH: lambda: bool(dy2st.jit.load(path)),
        HEADER: lambda: bool(dy2st.jit.load(path, verify="header")),
        PLAIN: lambda: bool(hashlib.sha256(data)),
    }
    if torch is not None:
        module = torch.nn.Sequential(*(torch.nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS))).eval()
        script, file = torch.jit.script(module), str(FOLDER / "weights.pt")
        saving[SCRIPT] = lambda: script.save(file)
        script.save(file)
        loading[SCRIPT] = lambda: bool(torch.jit.load(file))
    note = "Loading gives a model that is ready for its first call."
    return [
        Case("Save 100 MB of weights", saving),
        Case("Load 100 MB of weights", loading, [Aim(HASH, PLAIN, 1.1)], note, limits=[Limit(HEADER, 0.001)]),
    ]


def _operations() -> Case:
    body, x = lines(2500), np.array([0.5, -0.25], np.float32)
    static = dy2st.jit.to_static(source("", body).f, input_spec=[dy2st.static.InputSpec([2], "float32", "x")])
    path = saved(static)
    variants = {LOADED: lambda: dy2st.jit.load(path)(dy2st.to_tensor(x)).numpy()}
    if torch is not None:
        module = source("import torch\n\n", body, ": torch.Tensor")
        file = str(FOLDER / "operations.pt")
        torch.jit.script(module.f).save(file)
        variants[SCRIPT] = lambda: torch.jit.load(file)(torch.from_numpy(x)).numpy()
    return Case("Load 5,000 operations, to the first answer", variants, limits=[Limit(LOADED, 0.2)])

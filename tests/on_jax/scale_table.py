"""What a training step costs on 8 devices, by layout, read from the compiled program: writes that table into `docs/scale.md`.

python tests/on_jax/scale_table.py
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
sys.path.insert(0, str(Path(__file__).parents[1]))

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from support.sections import write_section

import dy2st as paddle
import dy2st.jax
from dy2st import nn
from dy2st.static import InputSpec

WIDTH, HIDDEN, BATCH = 1024, 4096, 512
COLUMNS, ROWS = P(None, "model"), P("model", None)
SPLIT = {"net.0.weight": COLUMNS, "net.0.bias": P("model"), "net.2.weight": ROWS}
LAYOUTS: dict[str, tuple[tuple[int, int], dict[str, P]]] = {
    "8 data": ((8, 1), {}),
    "8 data, averages split": ((8, 1), {"*.moment?": P("data")}),
    "8 data, all split": ((8, 1), {"*.weight": P("data"), "*.bias": P("data")}),
    "2 data, 4 model": ((2, 4), SPLIT),
    "8 model": ((1, 8), SPLIT),
}


class Trainer:
    def __init__(self) -> None:
        paddle.seed(0)
        self.net = nn.Sequential(nn.Linear(WIDTH, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, WIDTH))
        self.opt = paddle.optimizer.Adam(0.001, parameters=self.net.parameters())

    def step(self, x: Any, y: Any) -> Any:
        loss = ((self.net(x) - y) ** 2).mean()
        loss.backward()
        self.opt.step()
        self.opt.clear_grad()
        return loss


def row(name: str) -> str:
    """The costs of one layout."""
    lengths, rules = LAYOUTS[name]
    mesh = Mesh(np.array(jax.devices()).reshape(lengths), ("data", "model"))
    spec = InputSpec([BATCH, WIDTH], "float32")
    f, params, opt_state = dy2st.jax.training_step(Trainer().step, [spec, spec])
    held = dy2st.jax.place(mesh, rules, params, opt_state)
    x = jax.device_put(np.zeros((BATCH, WIDTH), "float32"), NamedSharding(mesh, P("data")))
    places = jax.tree.map(lambda x: x.sharding, held)
    step = jax.jit(f, donate_argnums=(0, 1), out_shardings=(*places, None, None))
    sent = dy2st.jax.traffic(step.lower(*held, x, x).compile())
    holds = sum(x.addressable_shards[0].data.nbytes for part in held for x in part.values())
    kinds = ", ".join(f"{kind} {count / 1e6:.1f}" for kind, count in sorted(sent.items()) if count > 1e4)
    return f"| {name} | {holds / 1e6:.1f} | {sum(sent.values()) / 1e6:.1f} | {kinds} |"


if __name__ == "__main__":
    head = "\n| layout | a device holds, MB | a device sends in a step, MB | by |\n|---|---:|---:|---|\n"
    write_section("scale.md", "python tests/on_jax/scale_table.py", head + "\n".join(map(row, LAYOUTS)))

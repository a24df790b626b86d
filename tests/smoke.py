"""A short run of the whole path, with the core dependencies only: `python tests/smoke.py`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import dy2st as paddle

LOAD = """
import sys, numpy as np, dy2st
net = dy2st.jit.load(sys.argv[1])
x = np.load(sys.argv[2])
kept, total, steps = net(dy2st.to_tensor(x))
np.savez(sys.argv[3], *[t.numpy() for t in kept], total=total.numpy(), steps=np.asarray(steps))
"""


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(4, 4)

    def forward(self, x):
        kept = []
        for row in x:
            if row.sum() > 0:
                kept.append(self.linear(row))
            else:
                continue
        total = x.sum()
        steps = 0
        while paddle.abs(total) > 0.1:
            total = total / 2
            steps += 1
        return kept, total, steps


def by_hand(net, x):
    kept = [row @ net.linear.weight.numpy() + net.linear.bias.numpy() for row in x if row.sum() > 0]
    total, steps = x.sum(), 0
    while abs(total) > 0.1:
        total, steps = total / 2, steps + 1
    return kept, total, steps


def main() -> None:
    x = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)
    net = Net()
    kept, total, steps = by_hand(net, x)
    paddle.jit.to_static(net, input_spec=[paddle.static.InputSpec([None, 4], "float32", "x")])
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("net", "x.npy", "y.npz")]
        paddle.jit.save(net, paths[0])
        np.save(paths[1], x)
        subprocess.run([sys.executable, "-c", LOAD, *paths], check=True)
        with np.load(paths[2]) as found:
            assert len(found.files) == len(kept) + 2
            for k, row in enumerate(kept):
                np.testing.assert_allclose(found[f"arr_{k}"], row, rtol=1e-5, atol=1e-6)
            np.testing.assert_allclose(found["total"], total, rtol=1e-5)
            assert int(found["steps"]) == steps
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}: staged, saved, loaded and run in a fresh process")


if __name__ == "__main__":
    main()

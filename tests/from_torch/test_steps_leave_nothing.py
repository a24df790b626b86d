"""After a training step nothing is left that only a garbage collection would free: what was kept for the backward is large."""

from __future__ import annotations

import gc

import pytest

torch = pytest.importorskip("torch")

import dy2st as paddle  # noqa: E402
import dy2st.torch  # noqa: E402


class Pair(torch.nn.Module):
    """Takes and gives tensors in containers."""

    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(4, 5), torch.nn.Linear(5, 2)

    def forward(self, given):
        y = torch.tanh(self.first(given["x"]))
        return {"y": [self.second(y)], "inner": (y,)}


def garbage_of(step):
    for _ in range(3):
        step()
    gc.collect()
    gc.disable()
    try:
        step()
        return gc.collect()
    finally:
        gc.enable()


def test_of_a_module_of_torch():
    net, x = dy2st.torch.to_static(Pair()), torch.ones(3, 4)

    def step():
        result = net({"x": x})
        (result["y"][0].sum() + result["inner"][0].sum()).backward()

    assert garbage_of(step) == 0


def test_of_a_layer():
    net, x = paddle.jit.to_static(paddle.nn.Sequential(paddle.nn.Linear(4, 5), paddle.nn.Tanh())), paddle.ones([3, 4])
    assert garbage_of(lambda: net(x).sum().backward()) == 0

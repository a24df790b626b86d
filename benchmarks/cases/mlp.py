"""A tiny MLP, 10 -> 32 -> 10 on a batch of 8: the first call, from a source file that nothing has seen, and every later one."""

from __future__ import annotations

import numpy as np

import dy2st
from cases.common import fresh_module, loaded, torch
from harness import EAGER, HAND, LOADED, SCRIPT, STATIC, TORCH, Aim, Case

_random = np.random.default_rng(1)
X = _random.standard_normal((8, 10), dtype=np.float32)
W1, W2 = _random.standard_normal((10, 32), dtype=np.float32), _random.standard_normal((32, 10), dtype=np.float32)
B1, B2 = _random.standard_normal(32, dtype=np.float32), _random.standard_normal(10, dtype=np.float32)

HAND_SOURCE = """
import numpy as np

def forward(x, w1, b1, w2, b2):
    return np.matmul(np.maximum(np.matmul(x, w1) + b1, 0), w2) + b2
"""

DY2ST_SOURCE = """
import dy2st

class MLP(dy2st.nn.Layer):
    def __init__(self):
        super().__init__()
        self.first = dy2st.nn.Linear(10, 32)
        self.second = dy2st.nn.Linear(32, 10)

    def forward(self, x):
        return self.second(dy2st.nn.functional.relu(self.first(x)))
"""

TORCH_SOURCE = """
import torch

class MLP(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(10, 32)
        self.second = torch.nn.Linear(32, 10)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))
"""


def dy2st_net(module):
    net = module.MLP()
    for layer, weight, bias in ((net.first, W1, B1), (net.second, W2, B2)):
        layer.weight.set_value(weight)
        layer.bias.set_value(bias)
    net.eval()
    return net


def torch_net(module):
    net = module.MLP()
    with torch.no_grad():
        for layer, weight, bias in ((net.first, W1, B1), (net.second, W2, B2)):
            layer.weight.copy_(torch.from_numpy(weight.T.copy()))
            layer.bias.copy_(torch.from_numpy(bias))
    return net.eval()


def staged(net):
    return dy2st.jit.to_static(net, input_spec=[dy2st.static.InputSpec([None, 10], "float32", "x")])


def cases() -> list[Case]:
    with dy2st.no_grad():
        return [_first(), _steady()]


def _first() -> Case:
    x = dy2st.to_tensor(X)
    variants = {
        HAND: lambda: fresh_module(HAND_SOURCE).forward(X, W1, B1, W2, B2),
        EAGER: lambda: dy2st_net(fresh_module(DY2ST_SOURCE))(x),
        STATIC: lambda: staged(dy2st_net(fresh_module(DY2ST_SOURCE)))(x),
    }
    if torch is not None:
        torch_x = torch.from_numpy(X)
        variants[SCRIPT] = lambda: torch.jit.script(torch_net(fresh_module(TORCH_SOURCE)))(torch_x)
    return Case("Tiny MLP, first call", variants, note="Import of a new source file, construction, conversion and one call.")


def _steady() -> Case:
    x = dy2st.to_tensor(X)
    module = fresh_module(DY2ST_SOURCE)
    by_hand, eager, static = fresh_module(HAND_SOURCE).forward, dy2st_net(module), staged(dy2st_net(module))
    again = loaded(static)
    variants = {
        HAND: lambda: by_hand(X, W1, B1, W2, B2),
        EAGER: lambda: eager(x),
        STATIC: lambda: static(x),
        LOADED: lambda: again(x),
    }
    if torch is not None:
        torch_x, net = torch.from_numpy(X), torch_net(fresh_module(TORCH_SOURCE))
        script = torch.jit.script(net)
        variants[TORCH] = torch.no_grad()(lambda: net(torch_x))
        variants[SCRIPT] = torch.no_grad()(lambda: script(torch_x))
    return Case("Tiny MLP, steady call", variants, [Aim(STATIC, EAGER, 1.0), Aim(LOADED, EAGER, 1.0)])

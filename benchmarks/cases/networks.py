"""Networks whose time is in products of matrices: two MLPs, four transformer blocks, ResNet-18."""

from __future__ import annotations

import math

import numpy as np

from cases.common import torch
from cases.pairs import same_weights, versus
from cases.traced import ResNet18
from dy2st import nn
from harness import Case

if torch is not None:
    from cases.torch_networks import TorchBlock, TorchMLP, TorchResNet18

_random = np.random.default_rng(11)


def array(*shape: int) -> np.ndarray:
    return _random.standard_normal(shape, dtype=np.float32)


class MLP(nn.Layer):
    def __init__(self, *widths: int):
        super().__init__()
        self.layers = nn.LayerList([nn.Linear(a, b) for a, b in zip(widths, widths[1:])])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < len(self.layers) - 1:
                x = nn.functional.relu(x)
        return x


class TinyMLP(MLP):
    def __init__(self) -> None:
        super().__init__(16, 32, 16, 4)


class DigitsMLP(MLP):
    def __init__(self) -> None:
        super().__init__(784, 512, 512, 10)


class Block(nn.Layer):
    """A transformer block."""

    def __init__(self, width: int = 256, heads: int = 4):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        b, s, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).reshape([b, s, 3, self.heads, d // self.heads]).transpose([2, 0, 3, 1, 4]).unbind(0)
        weights = nn.functional.softmax(q.matmul(k.transpose([0, 1, 3, 2])) / math.sqrt(d // self.heads), axis=-1)
        x = x + self.out(weights.matmul(v).transpose([0, 2, 1, 3]).reshape([b, s, d]))
        return x + self.narrow(nn.functional.gelu(self.wide(self.norm2(x))))


class Blocks(nn.Sequential):
    """Four of them."""

    def __init__(self) -> None:
        super().__init__(*(Block() for _ in range(4)))


def by_hand_mlp(net: MLP):
    layers = [(layer.weight.numpy(), layer.bias.numpy()) for layer in net.layers]

    def forward(x):
        for w, b in layers[:-1]:
            x = np.maximum(np.matmul(x, w) + b, 0)
        return np.matmul(x, layers[-1][0]) + layers[-1][1]

    return forward


def paired(make, make_torch):
    """The layer, and the torch module of the same weights where torch is installed; both in inference."""
    net = make()
    net.eval()
    if torch is None:
        return net, None
    torch_net = make_torch().eval()
    same_weights(net, torch_net)
    return net, torch_net


def cases() -> list[Case]:
    found = []
    for title, make, widths, batch, aim in (
        ("Tiny MLP 16-32-16-4, batch 1", TinyMLP, (16, 32, 16, 4), 1, 0.35),
        ("MLP 784-512-512-10, batch 64", DigitsMLP, (784, 512, 512, 10), 64, 1.1),
    ):
        net, torch_net = paired(make, lambda widths=widths: TorchMLP(*widths))
        found.append(versus(title, net, [array(batch, widths[0])], torch_net, aim, by_hand_mlp(net), net, exported=True))
    net, torch_net = paired(Blocks, lambda: torch.nn.Sequential(*(TorchBlock() for _ in range(4))))
    found.append(versus("Transformer block x 4, width 256, length 128", net, [array(1, 128, 256)], torch_net, 1.0, exported=True))
    net, torch_net = paired(ResNet18, lambda: TorchResNet18())
    found.append(versus("ResNet-18, 1 x 3 x 224 x 224", net, [array(1, 3, 224, 224)], torch_net, 0.8, typed=net, exported=True))
    return found

"""The models as layers of dy2st's. With checkpoints, `recompute` computes again for the backward."""

from __future__ import annotations

import dy2st
from cases.loops import LSTM
from cases.networks import Blocks, DigitsMLP
from cases.traced import ResNet18
from dy2st import nn
from dy2st.distributed.fleet.utils import recompute

SEGMENT = 50  # steps of the LSTM between two checkpoints


class Recomputed(nn.Layer):
    """The layers of a Sequential one after the other, with a checkpoint before each."""

    def __init__(self, layers: nn.Sequential):
        super().__init__()
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = recompute(layer, x)
        return x


class SegmentedLSTM(LSTM):
    def turns(self, x, h, c):
        outs = []
        for t in range(x.shape[0]):
            _, (h, c) = self.cell(x[t], (h, c))
            outs.append(h)
        return dy2st.stack(outs), h, c

    def forward(self, x, h, c):
        outs = []
        for start in range(0, x.shape[0], SEGMENT):
            out, h, c = recompute(self.turns, x[start : start + SEGMENT], h, c)
            outs.append(out)
        return dy2st.concat(outs)


def _resnet() -> nn.Layer:
    net = ResNet18()
    net.blocks = Recomputed(net.blocks)
    return net


LAYERS = {"MLP": DigitsMLP, "LSTM": LSTM, "Transformer": Blocks, "ResNet-18": ResNet18}
WITH_CHECKPOINTS = {"LSTM": SegmentedLSTM, "Transformer": lambda: Recomputed(Blocks()), "ResNet-18": _resnet}

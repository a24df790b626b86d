"""The models as modules of PyTorch's. With checkpoints, what the parts of a model compute is computed again for the backward."""

from __future__ import annotations

import torch
from torch.utils.checkpoint import checkpoint

from cases.torch_networks import TorchBlock, TorchLSTM, TorchMLP, TorchResNet18

SEGMENT = 50  # steps of the LSTM between two checkpoints


class Checkpointed(torch.nn.Sequential):
    """Its parts one after the other, with a checkpoint before each."""

    def forward(self, x):
        for part in self:
            x = checkpoint(part, x, use_reentrant=False)
        return x


class SegmentedLSTM(TorchLSTM):
    def turns(self, x, h, c):
        outs = []
        for t in range(x.shape[0]):
            h, c = self.cell(x[t], (h, c))
            outs.append(h)
        return torch.stack(outs), h, c

    def forward(self, x, h, c):
        outs = []
        for start in range(0, x.shape[0], SEGMENT):
            out, h, c = checkpoint(self.turns, x[start : start + SEGMENT], h, c, use_reentrant=False)
            outs.append(out)
        return torch.cat(outs)


def _resnet(checkpoints: bool) -> torch.nn.Module:
    net = TorchResNet18()
    if checkpoints:
        net.blocks = Checkpointed(*net.blocks)
    return net


MODULES = {
    "MLP": lambda checkpoints: TorchMLP(784, 512, 512, 10),
    "LSTM": lambda checkpoints: SegmentedLSTM() if checkpoints else TorchLSTM(),
    "Transformer": lambda checkpoints: (Checkpointed if checkpoints else torch.nn.Sequential)(*(TorchBlock() for _ in range(4))),
    "ResNet-18": _resnet,
}

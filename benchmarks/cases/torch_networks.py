"""The networks of the cases as modules of PyTorch's: only who has imported torch imports them."""

from __future__ import annotations

import math

import torch


class TorchMLP(torch.nn.Module):
    def __init__(self, *widths: int):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(a, b) for a, b in zip(widths, widths[1:])])
        self.last = len(widths) - 2

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < self.last:
                x = torch.relu(x)
        return x


class TorchBlock(torch.nn.Module):
    def __init__(self, width: int = 256, heads: int = 4):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.wide, self.narrow = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        b, s, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).reshape(b, s, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q.matmul(k.transpose(2, 3)) / math.sqrt(d // self.heads), dim=-1)
        x = x + self.out(weights.matmul(v).transpose(1, 2).reshape(b, s, d))
        return x + self.narrow(torch.nn.functional.gelu(self.wide(self.norm2(x))))


class TorchResidual(torch.nn.Module):
    def __init__(self, inner: int, outer: int, stride: int):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(inner, outer, 3, stride, 1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(outer)
        self.conv2 = torch.nn.Conv2d(outer, outer, 3, 1, 1, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(outer)
        self.short = torch.nn.Sequential()
        if inner != outer:
            narrow = torch.nn.Conv2d(inner, outer, 1, stride, bias=False)
            self.short = torch.nn.Sequential(narrow, torch.nn.BatchNorm2d(outer))

    def forward(self, x):
        y = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))
        return torch.relu(y + self.short(x))


class TorchResNet18(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.norm, self.pool = torch.nn.BatchNorm2d(64), torch.nn.MaxPool2d(3, 2, 1)
        widths = [64, 64, 128, 256, 512]
        pairs = [(a, b, 1 if a == b else 2) for a, b in zip(widths, widths[1:])]
        stages = (torch.nn.Sequential(TorchResidual(a, b, s), TorchResidual(b, b, 1)) for a, b, s in pairs)
        self.blocks = torch.nn.Sequential(*stages)
        self.fc = torch.nn.Linear(512, 1000)

    def forward(self, x):
        x = self.blocks(self.pool(torch.relu(self.norm(self.conv(x)))))
        return self.fc(x.mean([2, 3]))


class TorchLSTM(torch.nn.Module):
    def __init__(self, inner: int = 64, hidden: int = 64):
        super().__init__()
        self.cell = torch.nn.LSTMCell(inner, hidden)

    def forward(self, x, h, c):
        outs = []
        for t in range(x.shape[0]):
            h, c = self.cell(x[t], (h, c))
            outs.append(h)
        return torch.stack(outs)


class TorchGreedy(torch.nn.Module):
    def __init__(self, words: int = 256, width: int = 64, hidden: int = 64):
        super().__init__()
        self.table, self.cell = torch.nn.Embedding(words, width), torch.nn.GRUCell(width, hidden)
        self.out = torch.nn.Linear(hidden, words)

    def forward(self, h, token):
        found = []
        for _ in range(64):
            h = self.cell(self.table(token), h)
            token = self.out(h).argmax(-1)
            found.append(token)
            if bool((token == 0).all()):
                break
        return torch.stack(found)

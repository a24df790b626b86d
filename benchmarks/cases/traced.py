"""TracedModule: tracing, flattening and optimising ResNet-18 at 32 x 32, and what an Expr costs when it runs."""

from __future__ import annotations

from typing import Any

import dy2st
import dy2st.nn.functional as F
from dy2st import nn
from dy2st import traced_module as tm
from harness import EAGER, Case, Limit

TRACED, OPTIMIZED = "traced", "optimised"
CHAIN = 300


class Block(nn.Layer):
    """A residual block."""

    def __init__(self, inner: int, outer: int, stride: int):
        super().__init__()
        self.conv1 = nn.Conv2D(inner, outer, 3, stride, 1, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(outer)
        self.conv2 = nn.Conv2D(outer, outer, 3, 1, 1, bias_attr=False)
        self.bn2 = nn.BatchNorm2D(outer)
        self.short = None
        if inner != outer:
            self.short = nn.Sequential(nn.Conv2D(inner, outer, 1, stride, bias_attr=False), nn.BatchNorm2D(outer))

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + (x if self.short is None else self.short(x)))


class ResNet18(nn.Layer):
    """ResNet-18."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2D(3, 64, 7, 2, 3, bias_attr=False)
        self.norm, self.pool = nn.BatchNorm2D(64), nn.MaxPool2D(3, 2, 1)
        widths = [64, 64, 128, 256, 512]
        pairs = [(a, b, 1 if a == b else 2) for a, b in zip(widths, widths[1:])]
        self.blocks = nn.Sequential(*(nn.Sequential(Block(a, b, s), Block(b, b, 1)) for a, b, s in pairs))
        self.fc = nn.Linear(512, 1000)

    def forward(self, x):
        return self.fc(dy2st.flatten(F.adaptive_avg_pool2d(self.blocks(self.pool(F.relu(self.norm(self.conv(x))))), 1), 1))


class Chain(nn.Layer):
    """Many small steps."""

    def forward(self, x):
        for _ in range(CHAIN):
            x = x + 1
        return x


def cases() -> list[Case]:
    dy2st.seed(0)
    net, x = ResNet18(), dy2st.ones([1, 3, 32, 32])
    net.eval()
    traced = tm.trace_module(net, x)
    flat = traced.flatten()
    fast = tm.optimize(flat)
    chain, small = Chain(), dy2st.ones([4])
    steps = tm.trace_module(chain, small)
    works = {"trace": lambda: tm.trace_module(net, x), "flatten": traced.flatten, "optimize": lambda: tm.optimize(flat)}
    made = [Case(f"ResNet-18, {name}", {name: _quiet(work)}, limits=_limits(name)) for name, work in works.items()]
    return [
        *made,
        Case("ResNet-18, one image", {EAGER: lambda: net(x), TRACED: lambda: flat(x), OPTIMIZED: lambda: fast(x)}),
        Case(
            f"{CHAIN} additions",
            {EAGER: lambda: chain(small), TRACED: lambda: steps(small)},
            limits=[Limit(TRACED, CHAIN * 8e-6)],
            note="The limit is 8 microseconds for each Expr.",
        ),
    ]


def _limits(name: str) -> list[Limit]:
    return [] if name == "flatten" else [Limit(name, 0.05)]


def _quiet(work: Any) -> Any:
    def run() -> None:
        work()

    return run

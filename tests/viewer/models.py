"""What pages are made of: a model with an `if` and a `while`, and a function of a thousand operations."""

from __future__ import annotations

from dy2st import jit, nn
from dy2st.ir.builder import Builder
from dy2st.ir.core import Loc, Program
from dy2st.static import InputSpec

MATRIX = "float32[8,8]"


class Block(nn.Layer):
    def __init__(self):
        super().__init__()
        self.norm, self.linear = nn.LayerNorm(4), nn.Linear(4, 4)

    def forward(self, x):
        if x.mean() > 0:  # calm
            x = self.norm(x)
        return nn.functional.relu(self.linear(x))


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.blocks = nn.LayerList([Block(), Block()])
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        steps = 0
        while x.sum() < 10.0 and steps < 5:
            x = x * 2
            steps += 1
        return {"out": self.head(x), "steps": steps}


def static_net():
    """Net, static, without a Program yet."""
    return jit.to_static(Net(), input_spec=[InputSpec([None, 4], "float32", "x")])


def thousand(lines: int = 250) -> Program:
    """A Program of four operations in each line, 1,000 in all; each reads what the last two lines gave."""
    b = Builder()
    with b.function("main", x=MATRIX, y=MATRIX) as (x, y):
        for k in range(lines):
            b.loc = Loc("net.py", 3 + k, "main")
            half, bound = b.op("multiply", x, y, types=MATRIX), b.op("tanh", x, types=MATRIX)
            x, y = b.op("add", half, y, types=MATRIX), b.op("subtract", bound, x, types=MATRIX)
        b.return_(x)
    return b.program

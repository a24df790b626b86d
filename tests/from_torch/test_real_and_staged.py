"""Operators between real tensors, such as buffers, and what only the Program knows: a length, a number, a tensor."""

from __future__ import annotations

import copy
import importlib.util

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

BINARY = "+ - * / // % ** & | ^ << >> < <= == != > >=".split()
IN_PLACE = "+ - * // % & | ^ << >>".split()
NUMBERS = {"length": "x.shape[0]", "number": "int(x.sum().item())", "tensor": "x.sum().long()"}
STATEMENTS = [
    *(f"y = self.real {symbol} n" for symbol in BINARY),
    *(f"y = n {symbol} self.real" for symbol in BINARY),
    *(f"self.real {symbol}= n; y = self.real" for symbol in IN_PLACE),
    "y = self.real[n - 2 :]",
    "y = self.real[n - 2]",
    "self.real[n - 2] = n; y = self.real",
    "y = operator.add(self.real, n)",
    "y = operator.iadd(self.real, n)",
    "y = pow(self.real, n)",
    "y = sum([self.real, n])",
    "y = n in self.real",
]
MODULE = """
import operator
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("real", torch.tensor([6, 9, 4]))

    def forward(self, x):
        n = NUMBER
        STATEMENT
        return y
"""


def made(folder, statement, number):
    file = folder / "net.py"
    file.write_text(MODULE.replace("NUMBER", number).replace("STATEMENT", statement.replace("; ", "\n        ")))
    spec = importlib.util.spec_from_file_location("net", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Net()


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
def test_operators_give_what_torch_gives(number, tmp_path):
    x = torch.ones(2)
    for k, statement in enumerate(STATEMENTS):
        (folder := tmp_path / str(k)).mkdir()
        mine = made(folder, statement, number)
        theirs = copy.deepcopy(mine)
        right, found = theirs(x), dy2st.torch.to_static(mine, [InputSpec([None], "float32", "x")])(x)
        torch.testing.assert_close(torch.as_tensor(found), torch.as_tensor(right), rtol=0, atol=0, msg=statement)
        assert type(found) is type(right) and torch.equal(mine.real, theirs.real), statement

"""`dy2st check` of PyTorch code: functions that no row stands for are told before anything is converted."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from dy2st.cli import main  # noqa: E402
from dy2st.torch.registering import REGISTERED  # noqa: E402

SOURCE = """\
import numpy as np
import torch
import torch.nn.functional as F

import dy2st.torch


def helper(x):
    return torch.int_repr(x)[0]


def scripted(x):
    if torch.jit.is_scripting():
        return torch.hspmm(x, "max")
    if not torch.jit.is_scripting():
        return x
    return torch.hspmm(x, "min")


class Part(torch.nn.Module):
    def forward(self, x):
        return x.sparse_mask(x) if x.sum() > 0 else x


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(3)
        self.parts = torch.nn.Sequential(torch.nn.Linear(3, 3), Part())
        self.more = [Part()]
        self.table = {"a": 1}

    def forward(self, x):
        for value in self.table.values():
            x = x + value
        x = F.gelu(self.norm(x.cpu()))
        x = self.parts(scripted(x)).relu()
        y = torch.vmap(torch.sin)(x)
        return helper(x) + y + np.sqrt(x)


class Good(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(4, 2)
        self.lstm, self.bn = torch.nn.LSTM(4, 4), torch.nn.BatchNorm1d(4)
        self.layer = torch.nn.TransformerEncoderLayer(4, 2)

    def forward(self, x):
        x = self.attention(x, x, x)[0] + self.lstm(x)[0]
        return self.layer(x) + self.bn(x[0])


@torch.jit.script
def compiled(x):
    return torch.int_repr(x)[0]


def plain(x):
    return compiled(x) + x


def registered(x):
    return torch.q_per_channel_axis(x)


@dy2st.torch.register(torch.q_per_channel_axis)
def q_per_channel_axis(x):
    return x


net = dy2st.torch.to_static(Net(), [dy2st.static.InputSpec([3, 3], "float32", "x")])
"""


@pytest.fixture
def command(capsys):
    """command("check", ...) -> (exit code, stdout)."""

    def run(*arguments):
        code = main(list(map(str, arguments)))
        return code, capsys.readouterr().out

    return run


@pytest.fixture
def file(tmp_path):
    path, before = tmp_path / "model.py", dict(REGISTERED)
    path.write_text(SOURCE)
    yield path
    REGISTERED.clear()
    REGISTERED.update(before)


def line_of(text, count=1):
    """The line on which a text stands for the `count`th time."""
    return [k for k, line in enumerate(SOURCE.splitlines(), 1) if text in line][count - 1]


def test_each_function_without_a_row_is_told_with_its_line_and_what_to_write(file, command):
    code, printed = command("check", f"{file}:Net")
    assert code == 1
    for text, name in (("torch.int_repr(x)[0]", "torch.int_repr"), ("x.sparse_mask(x)", "torch.Tensor.sparse_mask")):
        told = printed.partition(f"model.py:{line_of(text)}: torch\n")[2]
        assert f"{name} isn't mapped to operators; dy2st.torch.register({name}) adds it" in told.partition("\nmodel.py")[0]
    assert f"model.py:{line_of('torch.vmap')}: torch\n" in printed and "vmap isn't mapped" in printed
    assert "hspmm" not in printed and "values" not in printed
    assert "  write: return helper(x) + y + torch.sqrt(x)\n" in printed
    assert "4 found; the conversion was not tried" in printed


def test_what_has_rows_or_is_registered_is_in_order(file, command):
    assert command("check", f"{file}:Good")[0] == 0
    assert command("check", f"{file}:registered")[0] == 0
    assert f"model.py:{line_of('torch.int_repr(x)[0]', 2)}: torch\n" in command("check", f"{file}:plain")[1]


def test_methods_of_tensors_in_a_layer_are_no_methods_of_torch(tmp_path, command):
    file = tmp_path / "layer.py"
    file.write_text("import dy2st\n\n\nclass Net(dy2st.nn.Layer):\n    def forward(self, x):\n        return x * x.numpy()\n")
    assert ": torch\n" not in command("check", f"{file}:Net")[1]


@pytest.mark.parametrize("target", ["Net", "Net.forward", "net", "net.module.parts"])
def test_the_conversion_is_tried_by_the_to_static_that_is_for_it(file, command, target):
    _, printed = command("check", f"{file}:{target}", "--spec", "float32[3,3]")
    assert ": conversion\n" in printed and "isn't mapped" in printed


def test_the_graph_of_a_module_is_printed(file, command):
    code, printed = command("graph", f"{file}:Good", "--spec", "float32[5,2,4]")
    assert code == 0
    assert "main(" in printed and "-> float32[5,2,4]" in printed

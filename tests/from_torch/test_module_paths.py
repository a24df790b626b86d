"""Operations know which part of a PyTorch module they come from: boxes of the viewer and nodes of ONNX are named by it."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

to_static = dy2st.torch.to_static
SPEC = [InputSpec([None, 4], "float32", "x")]


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.norm = nn.Linear(4, 4), nn.LayerNorm(4)

    def forward(self, x):
        while x.abs().max() > 1:
            x = self.norm(self.linear(x)) / 2
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), to_static(Block())])
        self.head = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
        self.tail = self.head[1]

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.tail(self.head(x)) + 1


def paths_of(program):
    found = {}
    for op in program.walk():
        found.setdefault(op.path, set()).add(op.name)
    return found


def test_each_operation_has_the_name_of_its_module():
    net = Net()
    net.head.register_forward_hook(lambda module, args, result: result.sigmoid())
    found = paths_of(to_static(net, SPEC).forward.concrete_program.program)
    assert found.keys() <= {name for name, _ in net.named_modules()}
    for number in (0, 1):
        assert {"while", "abs"} <= found[f"blocks.{number}"]
        assert "matmul" in found[f"blocks.{number}.linear"] and "normalize" in found[f"blocks.{number}.norm"]
    assert "sigmoid" in found["head"] and "relu" in found["head.1"] and "add" in found[""]


def test_files_and_their_pages_keep_it(tmp_path):
    static = to_static(Net(), SPEC)
    dy2st.jit.save(static, tmp_path / "net")
    loaded = dy2st.jit.load(tmp_path / "net")
    assert paths_of(loaded.program()).keys() == paths_of(static.forward.concrete_program.program).keys()
    assert '"blocks.1.linear"' in loaded.to_html()


def test_nodes_of_onnx_have_it(tmp_path):
    onnx = pytest.importorskip("onnx")
    path = dy2st.onnx.export(to_static(Net(), SPEC), tmp_path / "net.onnx")
    names = [node.name for node in onnx.load(path).graph.node]
    assert any(name.startswith("blocks/1/while") for name in names) and any(name.startswith("head/0/") for name in names)

"""What a second call of a PyTorch module asks: whether its parts are still those that were staged, and nothing of torch's own."""

from __future__ import annotations

import copy

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st.torch  # noqa: E402


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 3), nn.Linear(3, 2)
        self.register_buffer("scale", torch.ones(2))
        self.shift = 1

    def forward(self, x):
        return self.second(torch.relu(self.first(x))) * self.scale + self.shift


def others() -> nn.Linear:
    return nn.Linear(4, 3)


def turned_to_a_buffer(net: Net) -> None:
    del net.first.bias
    net.first.register_buffer("bias", torch.full((3,), 5.0))


def before_the_table(net: Net) -> None:
    vars(net)["first"] = others()


def in_an_earlier_table(net: Net) -> None:
    net._parameters["scale"] = nn.Parameter(torch.full((2,), 3.0))


CHANGES = {
    "a part": lambda net: setattr(net, "first", others()),
    "a parameter": lambda net: setattr(net.first, "weight", nn.Parameter(torch.ones(3, 4))),
    "a part, in its table": lambda net: net._modules.update(first=others()),
    "a whole table": lambda net: setattr(net.first, "_parameters", dict(others()._parameters)),
    "none for a bias": lambda net: setattr(net.first, "bias", None),
    "a buffer for a parameter": turned_to_a_buffer,
    "an attribute for a part": before_the_table,
    "a parameter for a buffer": in_an_earlier_table,
    "a number": lambda net: setattr(net, "shift", 2),
    "a buffer": lambda net: setattr(net, "scale", torch.full((2,), 7.0)),
    "memory that lies otherwise": lambda net: setattr(net.second.weight, "data", net.second.weight.data.t().contiguous().t()),
    "the same memory, turned": lambda net: setattr(net.scale, "data", net.scale.data.flip(0)),
    "another length": lambda net: setattr(net.scale, "data", net.scale.data[:1]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_call_sees_what_was_changed_between_calls(name):
    net = Net()
    net.scale.copy_(torch.tensor([1.0, 4.0]))
    static, x = dy2st.torch.to_static(net), torch.randn(5, 4)
    with torch.no_grad():
        for _ in range(3):
            assert torch.allclose(static(x), net(x), atol=1e-6)
        CHANGES[name](net)
        for _ in range(2):
            assert torch.allclose(static(x), net(x), atol=1e-6)


def test_a_square_matrix_is_turned_in_its_memory():
    weight = nn.Linear(3, 3)
    static, x = dy2st.torch.to_static(weight), torch.randn(5, 3)
    with torch.no_grad():
        static(x)
        weight.weight.data = weight.weight.data.t()
        assert torch.allclose(static(x), weight(x), atol=1e-6)


def test_guards_read_the_tables_of_modules_and_nothing_in_torch():
    static = dy2st.torch.to_static(Net(), [dy2st.static.InputSpec([None, 4], "float32", "x")])
    with torch.no_grad():
        static(torch.ones(2, 4))
        static(torch.ones(2, 4))
    source = static.forward.concrete_program.staged.guards.source
    asked = {line.split(" = ")[0].strip() for line in source.splitlines() if " = value_of(" in line}
    assert not asked
    assert source.count("return False") < 120


FILLED = {
    "list": (lambda x, into: into.append(x), []),
    "dict": (lambda x, into: into.update(y=x), {}),
    "list in a list": (lambda x, into: into[0].append(x), [[], {}]),
    "dict in a list": (lambda x, into: into[1].update(y=x), [[], {}]),
    "list in a tuple": (lambda x, into: into[0].append([x]), ([],)),
    "list in a dict": (lambda x, into: into["k"].append(x), {"k": []}),
}


@pytest.mark.parametrize("name", FILLED)
def test_containers_without_tensors_get_those_of_torch(name):
    fill, empty = FILLED[name]
    static, given, expected = dy2st.torch.to_static(fill), copy.deepcopy(empty), copy.deepcopy(empty)
    for number in (1.0, 2.0):
        static(torch.tensor(number), given)
        fill(torch.tensor(number), expected)
        assert repr(given) == repr(expected)

"""Static modules and functions are copied and pickled as modules, methods and functions are; a copy is independent."""

from __future__ import annotations

import copy
import io
import pickle

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st.torch  # noqa: E402

to_static = dy2st.torch.to_static


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Linear(3, 2), nn.BatchNorm1d(2)

    def forward(self, x):
        return torch.relu(self.norm(self.first(x)))

    def encode(self, x):
        return self.first(x)


class Decorated(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 2)

    @to_static
    def forward(self, x):
        return self.first(x) * 2 if x.sum() > 0 else self.first(x)


@to_static
def decorated(x):
    return x * 2 if x.sum() > 0 else x


def plain(x):
    return x + 1 if x.sum() > 0 else x


class Holder:
    def __init__(self):
        self.net = to_static(Net())
        self.forward = self.net.forward


def by_pickle(value):
    return pickle.loads(pickle.dumps(value))


def by_torch(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


COPIES = {"deepcopy": copy.deepcopy, "pickle": by_pickle, "torch.save": by_torch}
MODULES = {
    "static": lambda: to_static(Net()),
    "part": lambda: nn.Sequential(to_static(Net()), nn.ReLU()),
    "whole": lambda: to_static(nn.Sequential(Net(), nn.ReLU())),
    "methods": lambda: to_static(Net(), methods=["forward", "encode"]),
    "decorated": Decorated,
}


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("was_called", [False, True])
def test_a_copy_of_a_module_is_independent(name, how, was_called):
    net, x = MODULES[name](), torch.randn(4, 3)
    if was_called:
        net(x)
    other = COPIES[how](net)
    assert type(other).__name__ == type(net).__name__
    assert torch.equal(other(x), net(x))
    assert all(torch.equal(a, b) for a, b in zip(other.state_dict().values(), net.state_dict().values()))
    before = net(x)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.fill_(1)
    other(x).sum().backward()
    assert all(parameter.grad is None for parameter in net.parameters())
    assert torch.equal(net(x), before) and not torch.equal(other(x), before)


@pytest.mark.parametrize("how", COPIES)
def test_a_method_goes_with_its_module(how):
    holder, x = Holder(), torch.randn(4, 3)
    holder.net.module.register_forward_hook(lambda module, args, result: result + 1) if how == "deepcopy" else None
    other = COPIES[how](holder)
    assert other.forward is other.net.forward and other.forward is not holder.forward
    torch.testing.assert_close(other.forward(x), holder.net.module.forward(x))  # which runs no hooks
    assert torch.equal(other.net(x), holder.net(x))


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, by_pickle])
@pytest.mark.parametrize("function", [decorated, to_static(plain), Decorated().forward])
def test_functions(function, how):
    other = how(function)
    for x in (torch.ones(2, 3), -torch.ones(2, 3)):
        assert torch.equal(other(x), function(x))


def test_a_function_without_a_name_is_not_pickled():
    with pytest.raises((pickle.PicklingError, AttributeError), match="<lambda>"):  # as Python's own
        pickle.dumps(to_static(lambda x: x))

"""Weights that are computed of others: parametrizations, and the older hooks that store them, over several steps of training."""

from __future__ import annotations

import copy

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.nn.utils import parametrizations, parametrize  # noqa: E402

import dy2st.torch  # noqa: E402

to_static = dy2st.torch.to_static


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        if self.training:
            self.calls += 1
        return x * self.scale


def twice():
    module = nn.Linear(3, 3)
    parametrize.register_parametrization(module, "weight", Symmetric())
    parametrize.register_parametrization(module, "weight", Scaled())
    parametrize.register_parametrization(module, "bias", Scaled())
    return module


class Own(nn.Module):
    """The parts are asked for their weights by the user's own code."""

    def __init__(self):
        super().__init__()
        self.part = parametrizations.weight_norm(nn.Linear(3, 3))

    def forward(self, x):
        return self.part(x) + self.part.weight.sum() + nn.functional.linear(x, self.part.weight * 2)


MODULES = {
    "twice": twice,
    "own code": Own,
    "weight_norm, old": lambda: nn.utils.weight_norm(nn.Linear(3, 3)),
    "weight_norm, old, of all": lambda: nn.utils.weight_norm(nn.Linear(3, 3), dim=None),
    "weight_norm": lambda: parametrizations.weight_norm(nn.Conv1d(2, 3, 2), dim=1),
    "spectral_norm, old": lambda: nn.utils.spectral_norm(nn.Linear(3, 3)),
    "spectral_norm": lambda: parametrizations.spectral_norm(nn.Linear(3, 3), n_power_iterations=2),
    "spectral_norm of a convolution": lambda: parametrizations.spectral_norm(nn.Conv2d(1, 2, 2)),
    "orthogonal": lambda: parametrizations.orthogonal(nn.Linear(3, 3), orthogonal_map="cayley"),
    "in a network": lambda: nn.Sequential(nn.Linear(3, 3), parametrizations.spectral_norm(nn.Linear(3, 3)), nn.ReLU()),
}
SHAPES = {"weight_norm": (4, 2, 5), "spectral_norm of a convolution": (2, 1, 3, 3)}


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", MODULES)
def test_weights_are_computed_anew_in_each_call(name):
    torch.manual_seed(0)
    theirs = MODULES[name]()
    mine = copy.deepcopy(theirs) if "old" not in name else None
    if mine is None:  # what these hooks have stored has a history, and isn't copied
        torch.manual_seed(0)
        mine = MODULES[name]()
    net = to_static(mine)
    optimizers = [torch.optim.SGD(module.parameters(), 0.1) for module in (mine, theirs)]
    for training in (True, True, False, True, False):
        theirs.train(training), mine.train(training)
        x = torch.randn(SHAPES.get(name, (4, 3)))
        results = [call(x) for call in (net, theirs)]
        torch.testing.assert_close(*results)
        for result, optimizer in zip(results, optimizers):
            optimizer.zero_grad()
            result.square().mean().backward()
            optimizer.step()
        torch.testing.assert_close(mine.state_dict(), theirs.state_dict())
    assert len(net.forward.program_cache) <= 4  # one for each mode, with and without gradients
    with torch.no_grad():
        torch.testing.assert_close(net(x), theirs(x))

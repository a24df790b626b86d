"""Static functions of PyTorch where they may stand: over methods, in each other, saved with late specs, and turned off."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

to_static = dy2st.torch.to_static
SPEC = [InputSpec([None, 3], "float32", "x")]


@to_static
def halves(x):
    while x.abs().max() > 1:
        x = x / 2
    return x.max(1).values


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)

    @to_static
    def forward(self, x):
        return halves(self.first(x))

    def both(self, x):
        return self(x) + self.forward(x)


def calling(net):
    return lambda x: net(x) + net.forward(x)


def of_net(net, x):
    y = net.first(x)
    while y.abs().max() > 1:
        y = y / 2
    return y.max(1).values


def test_in_each_other():
    net, x = Net(), torch.randn(4, 3) * 9
    expected = of_net(net, x)
    assert torch.allclose(net(x), expected)
    assert torch.allclose(to_static(calling(net))(x), 2 * expected)
    assert torch.allclose(to_static(calling(to_static(net)))(x), 2 * expected)
    assert torch.allclose(to_static(net, methods=["both"]).both(x), 2 * expected)


def test_hooks_of_a_decorated_module_run_once():
    net, x, calls = Net(), torch.randn(4, 3), []
    net.register_forward_hook(lambda module, args, result: calls.append(1))
    for _ in range(3):
        net(x)
    assert len(calls) == 3


FORMS = {
    "module": lambda: to_static(Net()),
    "module, with specs": lambda: to_static(Net(), SPEC),
    "decorated method": lambda: Net().forward,
    "method": lambda: to_static(nn.Sequential(nn.Linear(3, 3), nn.ReLU())).forward,
    "function": lambda: halves,
}


@pytest.mark.parametrize("name", FORMS)
def test_specs_may_come_when_it_is_saved(name, tmp_path):
    static, x = FORMS[name](), torch.randn(4, 3) * 9
    dy2st.jit.save(static, tmp_path / "net", None if "specs" in name else SPEC)
    loaded = dy2st.jit.load(tmp_path / "net")
    assert torch.allclose(torch.from_numpy(loaded(dy2st.to_tensor(x.numpy())).numpy()), static(x), atol=1e-6)


@pytest.mark.parametrize("made", [nn.Linear(3, 3), nn.Linear(3, 3).forward, nn.ReLU()])
def test_paddles_to_static_says_which_one_takes_a_module(made, tmp_path):
    for convert in (dy2st.jit.to_static, lambda given: dy2st.jit.save(given, tmp_path / "net", SPEC)):
        with pytest.raises(TypeError, match=r"dy2st\.torch\.to_static"):
            convert(made)


def test_turned_off_they_run_as_they_are():
    static, x, seen = to_static(Net()), torch.randn(4, 3), []
    static.register_forward_hook(lambda module, args, result: seen.append(type(result)))
    expected = of_net(static, x)
    dy2st.jit.enable_to_static(False)
    try:
        assert torch.equal(static(x), expected) and torch.equal(halves(x), halves._function(x))
    finally:
        dy2st.jit.enable_to_static(True)
    assert seen == [torch.Tensor]

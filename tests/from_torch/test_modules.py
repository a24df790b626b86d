"""Modules: hooks, parametrizations, tensors that are tied, replaced, loaded or trained, and several methods."""

from __future__ import annotations

import copy

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402

to_static = dy2st.torch.to_static


def same(net, module, *args):
    torch.testing.assert_close(net(*args), module(*args))


def test_hooks_of_all_kinds_run():
    module = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 2))
    module[0].register_forward_hook(lambda mod, args, out: out * 2)
    module[1].register_forward_pre_hook(lambda mod, args: (args[0] + 1,))
    module[2].register_forward_hook(lambda mod, args, kwargs, out: out + 1, with_kwargs=True)
    module[2].register_forward_pre_hook(lambda mod, args, kwargs: ((args[0] * 2,), kwargs), with_kwargs=True)
    module.register_forward_hook(lambda mod, args, out: out * 3)
    same(to_static(module), module, torch.randn(4, 2))


def test_hooks_are_seen_that_come_and_go():
    module = nn.Sequential(nn.Linear(2, 2))
    net, x = to_static(module), torch.randn(4, 2)
    same(net, module, x)
    for part in (module, module[0]):
        handle = part.register_forward_hook(lambda mod, args, out: out * 2)
        same(net, module, x)
        handle.remove()
        same(net, module, x)


def test_hooks_of_the_backward_are_refused():
    module = nn.Sequential(nn.Linear(2, 2))
    module[0].register_full_backward_hook(lambda *args: None)
    with pytest.raises(ConversionError, match="hooks for its backward"):
        to_static(module)(torch.ones(1, 2))


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)


def symmetric():
    module = nn.Linear(3, 3)
    nn.utils.parametrize.register_parametrization(module, "weight", Symmetric())
    return module


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "make",
    [
        symmetric,
        lambda: nn.utils.weight_norm(nn.Linear(3, 3)),
        lambda: nn.utils.parametrizations.weight_norm(nn.Linear(3, 3)),
        lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(3, 3)).eval(),
        lambda: nn.utils.parametrizations.orthogonal(nn.Linear(3, 3)).eval(),
    ],
)
def test_parametrizations(make):
    module = make()
    same(to_static(module), module, torch.randn(4, 3))


def test_what_is_replaced_is_seen():
    module = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    net, x = to_static(module), torch.ones(1, 2)

    def change(number):
        linear = module[0]
        [
            lambda: setattr(linear, "weight", nn.Parameter(torch.ones(2, 2))),
            lambda: setattr(linear.weight, "data", torch.full((2, 2), 2.0)),
            lambda: setattr(linear, "bias", None),
            lambda: setattr(linear.weight, "data", torch.ones(5, 2)),
            lambda: module.__setitem__(0, nn.Linear(2, 4)),
            lambda: module.append(nn.Linear(4, 1)),
        ][number]()

    for number in range(6):
        same(net, module, x)
        change(number)
    same(net, module, x)


def test_state_dicts_are_loaded():
    module = nn.Linear(2, 2)
    net, x = to_static(module), torch.ones(1, 2)
    for assign in (False, True):
        same(net, module, x)
        module.load_state_dict(nn.Linear(2, 2).state_dict(), assign=assign)
    same(net, module, x)


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(5, 3)
        self.out = nn.Linear(3, 5, bias=False)
        self.out.weight = self.embedding.weight

    def forward(self, index):
        return self.out(self.embedding(index))


def test_tied_weights_have_one_gradient():
    module = Tied()
    net, index = to_static(module), torch.tensor([1, 2])
    net(index).sum().backward()
    mine, module.embedding.weight.grad = module.embedding.weight.grad, None
    module(index).sum().backward()
    torch.testing.assert_close(mine, module.embedding.weight.grad)
    with torch.no_grad():
        module.out.weight.mul_(2)
    same(net, module, index)


def test_training_is_torchs():
    torch.manual_seed(0)
    mine = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 1))
    theirs = copy.deepcopy(mine)
    net = to_static(mine)
    steps = [torch.optim.SGD(module.parameters(), 1e-2, momentum=0.9) for module in (mine, theirs)]
    for _ in range(4):
        x = torch.randn(8, 3)
        losses = [(module(x) ** 2).mean() for module in (net, theirs)]
        torch.testing.assert_close(*losses)
        for step, loss in zip(steps, losses):
            step.zero_grad()
            loss.backward()
            step.step()
    for a, b in zip((*mine.parameters(), *mine.buffers()), (*theirs.parameters(), *theirs.buffers())):
        torch.testing.assert_close(a, b)
    net.eval(), theirs.eval()
    same(net, theirs, x)


def test_a_module_that_is_switched_itself_is_seen():
    module = nn.Dropout(0.9)
    net, x = to_static(module), torch.ones(100)
    assert (net(x) == 0).any()
    module.eval()
    assert net(x).tolist() == x.tolist()


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 3), nn.Linear(3, 2)

    def encode(self, x):
        return self.a(x)

    def decode(self, x):
        return self.b(x)

    def forward(self, x):
        return self.decode(self.encode(x))


def test_several_methods():
    module, x = Coder(), torch.ones(1, 2)
    net = to_static(module, methods=["encode", "decode"])
    torch.testing.assert_close(net.decode(net.encode(x)), module(x))


def test_scripted_functions_are_taken_by_their_source_and_script_modules_refused():
    @torch.jit.script
    def twice(x: torch.Tensor, n: int):
        for _ in range(n):
            x = x * 2
        return x

    def calling(x):
        return twice(x, 3) + 1

    assert to_static(calling)(torch.ones(2)).tolist() == [9, 9]
    with pytest.raises(TypeError, match="ScriptModule"):
        to_static(torch.jit.script(nn.Linear(2, 2)))


TRANSFORMS = {
    "vmap": lambda x: torch.vmap(lambda y: y * 2)(x),
    "jacobian": lambda x: torch.autograd.functional.jacobian(lambda y: y * 2, x),
    "sparse": lambda x: x.to_sparse(),
    "quantized": lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.qint8),
    "cuda": lambda x: x.cuda(),
    "to": lambda x: x.to("cuda"),
    "compile": lambda x: torch.compile(lambda y: y * 2)(x),
    "backward": lambda x: x.sum().backward(),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_refused_in_words(name):
    with pytest.raises(ConversionError):
        to_static(TRANSFORMS[name])(torch.ones(2))


def test_a_registered_function_stands_for_one_without_a_row():
    def unknown(x):
        return torch.ops.aten.alias_copy(x) + 1

    with pytest.raises(ConversionError):
        to_static(unknown)(torch.ones(2))

    @dy2st.torch.register(torch.ops.aten.alias_copy)
    def alias_copy(x):
        if x.sum() > 0:
            return x.clone()
        return x * 0

    net = to_static(unknown)
    assert net(torch.ones(2)).tolist() == [2, 2]
    assert net(-torch.ones(2)).tolist() == [1, 1]

"""Modules whose class has a `__call__` or `_call_impl` of its own, and hooks that give another thing on each path."""

from __future__ import annotations

import types

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.jit import load, save  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

to_static = dy2st.torch.to_static
SPECS = [InputSpec([None, 2], "float32", "x")]
X = torch.tensor([[1.0, 2.0], [0.5, 3.0]])


class Plus(nn.Linear):
    def __call__(self, x):
        return super().__call__(x) + 100


class PlusInCallImpl(nn.Linear):
    def _call_impl(self, x):
        return super()._call_impl(x) + 100


class Scaled(nn.Linear):
    """Takes other arguments than its forward."""

    def __call__(self, x, scale=2.0, **others):
        return nn.Module.__call__(self, x * scale, **others)


class Branching(nn.Linear):
    def __call__(self, *args, **kwargs):
        if args[0].sum() > 0:
            return super().__call__(*args, **kwargs)
        return args[0]


def put_on_instance():
    module = nn.Linear(2, 2)
    impl = module._call_impl
    module._call_impl = lambda x: impl(x) * 3
    return module


CALLS = {
    "__call__": lambda: Plus(2, 2),
    "_call_impl": lambda: PlusInCallImpl(2, 2),
    "other arguments": lambda: Scaled(2, 2),
    "paths": lambda: Branching(2, 2),
    "on an instance": put_on_instance,
    "fx": lambda: torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2), nn.ReLU())),
}


@pytest.mark.parametrize("where", ["root", "child"])
@pytest.mark.parametrize("name", CALLS)
def test_s_02_a_call_is_that_of_the_class(name, where, tmp_path):
    module = CALLS[name]()
    module.register_forward_hook(lambda mod, args, out: out * 2)
    module = nn.Sequential(module) if where == "child" else module
    net = to_static(module, SPECS)
    save(net, tmp_path / "net")
    loaded = load(tmp_path / "net")
    for x in (X, -X):
        torch.testing.assert_close(net(x), module(x))
        torch.testing.assert_close(torch.from_numpy(loaded(x.numpy()).numpy()), module(x).detach())
        torch.testing.assert_close(net.forward(x), module.forward(x))


def test_s_02_arguments_are_those_of_the_call():
    module = Scaled(2, 2)
    net = to_static(module)
    torch.testing.assert_close(net(X, scale=3.0), module(X, scale=3.0))
    torch.testing.assert_close(net.forward(X), module.forward(X))
    with pytest.raises(TypeError):
        net.forward(X, 3.0)


def test_s_02_what_compile_leaves_in_a_module_computes_what_its_code_says():
    module = nn.Linear(2, 2)
    net = to_static(module)
    expected = module(X)
    module.compile()
    torch.testing.assert_close(net(X), expected)


def of_path(module, args, *rest):
    if args[0].sum() > 0:
        return rest[-1] * 2 if rest else (args[0] * 2,)


def bare_of_path(module, args):
    if args[0].sum() > 0:
        return args[0] * 2


def pair_of_path(module, args, kwargs):
    if args[0].sum() > 0:
        return (args[0] * 2,), kwargs


def other_of_path(module, args):
    if args[0].sum() > 0:
        return (args[0] * 2,)
    return args[0] - 1


def no_pair(module, args, kwargs):
    return args[0]


HOOKS = {
    "forward": lambda m: m.register_forward_hook(of_path),
    "forward with kwargs": lambda m: m.register_forward_hook(of_path, with_kwargs=True),
    "pre": lambda m: m.register_forward_pre_hook(of_path),
    "pre, bare": lambda m: m.register_forward_pre_hook(bare_of_path),
    "pre with kwargs": lambda m: m.register_forward_pre_hook(pair_of_path, with_kwargs=True),
    "pre, two kinds": lambda m: m.register_forward_pre_hook(other_of_path),
}


@pytest.mark.parametrize("where", ["root", "child"])
@pytest.mark.parametrize("name", HOOKS)
def test_s_03_a_hook_that_gives_none_on_one_path_changes_nothing_there(name, where, tmp_path):
    module = nn.Linear(2, 2)
    HOOKS[name](module)
    module = nn.Sequential(module, nn.ReLU()) if where == "child" else module
    net = to_static(module, SPECS)
    save(net, tmp_path / "net")
    loaded = load(tmp_path / "net")
    for x in (X, -X):
        torch.testing.assert_close(net(x), module(x))
        torch.testing.assert_close(torch.from_numpy(loaded(x.numpy()).numpy()), module(x).detach())


def test_s_03_a_hook_that_gives_no_pair_raises_as_in_torch():
    module = nn.Linear(2, 2)
    module.register_forward_pre_hook(no_pair, with_kwargs=True)
    for call in (module, to_static(module)):
        with pytest.raises(RuntimeError, match="forward pre-hook must return None or a tuple"):
            call(X)


def test_forward_of_a_static_module_runs_no_hooks():
    module = nn.Linear(2, 2)
    net = to_static(module)
    torch.testing.assert_close(net.forward(X), module.forward(X))
    module.register_forward_hook(lambda mod, args, out: out * 2)
    torch.testing.assert_close(net.forward(X), module.forward(X))
    torch.testing.assert_close(net(X), module(X))
    torch.testing.assert_close(to_static(lambda x: net.forward(x) + net(x))(X), module.forward(X) + module(X))


@pytest.mark.parametrize("where", ["root", "child"])
def test_forward_put_on_an_instance_is_called_from_then_on(where):
    part = nn.Linear(2, 2)
    part.register_forward_hook(lambda mod, args, out: out + 1)
    module = nn.Sequential(part) if where == "child" else part
    net = to_static(module)
    torch.testing.assert_close(net(X), module(X))
    part.forward = types.MethodType(lambda self, x: x * 7, part)
    torch.testing.assert_close(net(X), module(X))
    torch.testing.assert_close(to_static(module)(X), module(X))
    torch.testing.assert_close(net(X), module(X))
    impl = part._call_impl
    part._call_impl = lambda x: impl(x) - 5
    torch.testing.assert_close(net(X), module(X))
    del part.forward, part._call_impl
    torch.testing.assert_close(net(X), module(X))

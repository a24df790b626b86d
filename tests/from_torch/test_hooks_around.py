"""Checkpoints, accumulation, hooks and threads around a static module: what they do around the plain one."""

from __future__ import annotations

import copy
import threading

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.utils.checkpoint import checkpoint, checkpoint_sequential  # noqa: E402

import dy2st.torch  # noqa: E402

to_static = dy2st.torch.to_static


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 4), nn.Linear(4, 2)

    def forward(self, x):
        y = torch.tanh(self.a(x))
        while y.norm() < 3:
            y = y * 1.5 + torch.sin(y)
        return self.b(y)


@pytest.fixture
def pair():
    """A module, and a static one of a copy of it."""
    torch.manual_seed(0)
    net = Net()
    return net, to_static(copy.deepcopy(net))


def gradients(net, x=None):
    found = [p.grad for p in net.parameters()] + ([] if x is None else [x.grad])
    net.zero_grad()
    return found


def same(pair, run):
    """`run(net)`, a list of tensors, is equal for both modules."""
    expected, found = map(run, pair)
    assert len(expected) == len(found) > 0
    for x, y in zip(found, expected):
        assert (x is None) == (y is None)
        if x is not None:
            torch.testing.assert_close(x, y)


def sample():
    return torch.linspace(-1, 1, 10).view(5, 2).requires_grad_()


@pytest.mark.parametrize("is_reentrant", [True, False])
def test_checkpoints(pair, is_reentrant):
    def run(net):
        x = sample()
        y = checkpoint(net, x * 2, use_reentrant=is_reentrant)
        (checkpoint(net, y, use_reentrant=is_reentrant) ** 2).sum().backward()
        return gradients(net, x)

    same(pair, run)


def test_checkpoints_with_a_gradient_of_a_gradient(pair):
    def run(net):
        x = sample()
        y = checkpoint(net, x * 2, use_reentrant=False)
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        (g**2).sum().backward()
        return gradients(net, x)

    same(pair, run)


def test_a_sequence_of_checkpoints(pair):
    def run(net):
        x = sample()
        checkpoint_sequential([net, nn.Tanh(), net], 3, x, use_reentrant=False).sum().backward()
        return gradients(net, x)

    same(pair, run)


def test_gradients_are_accumulated(pair):
    def run(net):
        for k in range(4):
            (net(sample() * k) ** 2).mean().div(4).backward()
        return gradients(net)

    same(pair, run)


def test_one_graph_is_walked_more_than_once(pair):
    def run(net):
        x = sample()
        y = net(x)
        y[:, 0].sum().backward(retain_graph=True)
        (y**2).sum().backward(retain_graph=True)
        found = [g.clone() for g in gradients(net)]
        y.sum().backward()
        return [*found, *gradients(net, x)]

    same(pair, run)


def test_hooks_of_tensors(pair):
    def run(net):
        seen = []
        x = sample()
        x.register_hook(lambda g: seen.append(g.clone()))
        inner = x * 2
        inner.register_hook(lambda g: g * 3)
        inner.retain_grad()
        net.a.weight.register_hook(lambda g: g + 1)
        y = net(inner)
        y.register_hook(lambda g: g / 2)
        y.retain_grad()
        y.grad_fn.register_hook(lambda *_: seen.append(torch.ones(1)))
        y.grad_fn.register_prehook(lambda _: seen.append(torch.zeros(1)))
        (y**2).sum().backward()
        return [*seen, inner.grad, y.grad, *gradients(net, x)]

    same(pair, run)


def test_a_step_in_the_backward(pair):
    def run(net):
        optimizers = {p: torch.optim.SGD([p], lr=0.1, momentum=0.9) for p in net.parameters()}

        def step(p):
            optimizers[p].step()
            p.grad = None

        for p in optimizers:
            p.register_post_accumulate_grad_hook(step)
        for _ in range(3):
            (net(sample()) ** 2).sum().backward()
        return [p.detach() for p in net.parameters()]

    same(pair, run)


def test_hooks_of_modules(pair):
    def run(net):
        net.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
        net.register_forward_hook(lambda module, args, y: y + args[0])
        net.b.register_forward_hook(lambda module, args, y: y * 3)
        x = sample()
        (net(x) ** 2).sum().backward()
        return gradients(net, x)

    same(pair, run)


def test_threads_don_t_meet(pair):
    plain, static = pair
    given = [torch.linspace(-1, k, 10).view(5, 2) for k in range(4)]

    def result(net, x):
        x = x.clone().requires_grad_()
        y = net(x)
        first = torch.autograd.grad(y.sum(), [x, *net.parameters()], create_graph=True)
        second = torch.autograd.grad((first[0] ** 2).sum(), [x, *list(net.parameters())[:3]])
        return [y.detach(), *(g.detach() for g in first), *second]

    expected = [result(plain, x) for x in given]
    errors = []

    def work(k):
        try:
            for _ in range(15):
                for x, y in zip(result(static, given[k]), expected[k]):
                    torch.testing.assert_close(x, y)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=[k]) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []

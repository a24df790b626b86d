"""`torch.func.functional_call` of static modules: other tensors for a call, without another Program."""

from __future__ import annotations

import copy

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.func import functional_call, grad, vmap  # noqa: E402

import dy2st.torch  # noqa: E402

to_static = dy2st.torch.to_static


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 3), nn.Linear(3, 2)
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x):
        y = torch.tanh(self.a(x))
        if y.sum() > 0:
            y = y * self.a.bias
        return self.norm(self.b(y))


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)
        self.b.weight = self.a.weight

    def forward(self, x):
        return self.b(torch.sin(self.a(x)))


X = torch.linspace(-1, 2, 10, dtype=torch.float64).view(5, 2)


def pair(net):
    net.double()
    return net, to_static(copy.deepcopy(net))


def scaled(net, scale):
    """The tensors of a module times a number, as leaves."""
    return {
        name: (x.detach() * scale).requires_grad_(x.requires_grad) if x.is_floating_point() else x.clone()
        for name, x in (*net.named_parameters(), *net.named_buffers())
    }


def staged(static) -> int:
    return len(static.forward.program_cache)


def same(found, expected):
    assert found.keys() == expected.keys()
    for name, x in found.items():
        torch.testing.assert_close(x, expected[name], msg=lambda said, name=name: f"{name}: {said}")


def test_tensors_for_a_call():
    plain, static = pair(Net())
    static(X), plain(X)
    before, count = {name: x.clone() for name, x in static.state_dict().items()}, None
    for scale in (2.0, -1.0, 0.5, 3.0):
        found = []
        for net in (static, plain):
            tensors = scaled(net, scale)
            (functional_call(net, tensors, (X,)) ** 2).sum().backward()
            gradients = {f"{name}.grad": x.grad for name, x in tensors.items() if x.requires_grad}
            found.append({**{name: x.detach() for name, x in tensors.items()}, **gradients})
        same(*found)
        count = count or staged(static)
    assert staged(static) == count
    same(static.state_dict(), before)
    assert all(p.grad is None for p in static.parameters())
    torch.testing.assert_close(static(X), plain(X))


def test_two_sets_of_tensors_in_one_graph():
    found = []
    for net in pair(Tied()):
        one, other = scaled(net, 2.0), scaled(net, 0.5)
        y = functional_call(net, one, (X,)) * functional_call(net, other, (X,)) * net(X)
        ends = [*one.values(), *other.values(), *net.parameters()]
        first = torch.autograd.grad(y.sum(), ends, create_graph=True)
        sum((g**2).sum() for g in first).backward()
        found.append({place: x.grad for place, x in enumerate(ends)})
    same(*found)


def test_a_tensor_of_two_places_with_two_others():
    plain, static = pair(Tied())
    tensors = scaled(plain, 2.0)
    tensors["b.weight"] = torch.eye(2, dtype=torch.float64)
    expected = functional_call(plain, tensors, (X,), tie_weights=False)
    torch.testing.assert_close(functional_call(static, tensors, (X,), tie_weights=False), expected)


def test_tensors_of_another_shape():
    plain, static = pair(nn.Linear(2, 2))
    tensors = {"weight": torch.ones(4, 2).double(), "bias": torch.zeros(4).double()}
    torch.testing.assert_close(functional_call(static, tensors, (X,)), functional_call(plain, tensors, (X,)))


def test_a_tensor_that_is_written_before_the_backward():
    for net in pair(nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 2))):
        tensors = scaled(net, 2.0)
        x = X.clone().requires_grad_()
        y = functional_call(net, tensors, (x,)).sum()
        with torch.no_grad():
            tensors["2.weight"].add_(1)
        with pytest.raises(RuntimeError, match="in ?place"):
            y.backward()


def test_transforms_stage_few_programs():
    plain, static = pair(nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)))
    tensors = {name: x.detach() for name, x in plain.named_parameters()}
    loss = lambda net: lambda p, x: functional_call(net, p, (x,)).pow(2).sum()  # noqa: E731
    for k in range(5):
        given = {name: x * (k + 1) for name, x in tensors.items()}
        same(grad(loss(static))(given, X), grad(loss(plain))(given, X))
        same(vmap(grad(loss(static)), (None, 0))(given, X), vmap(grad(loss(plain)), (None, 0))(given, X))
    assert staged(static) <= 4  # by the number of axes, and whether the parameters have gradients


class Grows(nn.Module):
    """Its buffer is another tensor after each call in training; it is state."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(2))

    def forward(self, x):
        y = x * self.scale
        if self.training:
            self.scale = self.scale * 2
        return y


def test_a_buffer_that_is_state():
    for net in pair(Grows()):
        tensors = {"scale": torch.full([2], 3.0).double()}
        torch.testing.assert_close(functional_call(net.eval(), tensors, (X,)), X * 3)
        for k in range(3):
            torch.testing.assert_close(functional_call(net.train(), tensors, (X,)), X * 3 * 2**k)
            assert net.scale.tolist() == [1, 1]
            assert tensors["scale"].tolist() == [6 * 2**k] * 2
        for k in range(3):
            torch.testing.assert_close(net(X), X * 2**k)
        torch.testing.assert_close(functional_call(net.eval(), tensors, (X,)), X * 24)


def test_a_parameter_that_is_replaced():
    plain, static = pair(nn.Linear(2, 2))
    static(X)
    for net in (plain, static):
        net.weight = nn.Parameter(torch.eye(2, dtype=torch.float64) * 2)
        (net(X) ** 2).sum().backward()
    torch.testing.assert_close(static.weight.grad, plain.weight.grad)
    torch.optim.SGD(static.parameters(), 0.1).step()
    assert not torch.equal(static(X), plain(X))
    torch.optim.SGD(plain.parameters(), 0.1).step()
    torch.testing.assert_close(static(X), plain(X))

"""Gradients of gradients that the caller takes of a static module: those of the plain module, at every order."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st  # noqa: E402
import dy2st.torch  # noqa: E402

to_static = dy2st.torch.to_static


class ControlFlow(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)

    def forward(self, x):
        for _ in range(2):
            x = torch.tanh(self.a(x)) * x if x.sum() > 1 else x * x + self.a.weight.sum()
        steps = 0
        while x.norm() < 2 and steps < 5:
            x = x * 1.5 + torch.sin(x)
            steps += 1
        return x


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.register_buffer("shift", torch.ones(2))
        self.plain, self.items, self.calls = torch.ones(2), [torch.ones(2), 1], 1


class WrittenBuffer(Base):
    def forward(self, x):
        y = torch.sin(self.a(x) + self.shift)
        self.shift.add_(1)
        return y


class Counted(Base):
    def forward(self, x):
        y = torch.sin(self.a(x)) * self.calls
        self.calls += 1
        return y


class KeptTensors(Base):
    def forward(self, x):
        y = torch.sin(self.a(x)) * self.shift + self.plain * x**3
        self.shift = self.shift * 2
        self.plain = self.plain + 1
        self.items[0] = self.items[0] + self.items[1]
        return y * self.items[0]


class Printed(Base):
    def forward(self, x):
        print("called")
        return torch.sin(self.a(x))


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))


def normed() -> nn.Module:
    return nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Softplus(), nn.Linear(3, 2))


NETS: dict[str, Callable[[], nn.Module]] = {
    "mlp": mlp,
    "batch norm": normed,
    "batch norm that evaluates": lambda: normed().eval(),
    "control flow": ControlFlow,
    "a buffer written in place": WrittenBuffer,
    "a number that is counted": Counted,
    "tensors that are kept": KeptTensors,
    "printing": Printed,
}


@pytest.fixture(autouse=True)
def doubles():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(torch.float32)


def pair(net: nn.Module) -> tuple[nn.Module, nn.Module]:
    """The module, and a static one of a copy of it."""
    return net, to_static(copy.deepcopy(net))


def same(found: list, expected: list) -> None:
    assert len(found) == len(expected)
    for x, y in zip(found, expected):
        assert (x is None) == (y is None)
        if x is not None:
            torch.testing.assert_close(x, y)


@pytest.mark.parametrize("make", NETS.values(), ids=NETS)
def test_second_derivatives_are_those_of_the_module(make, capsys):
    plain, static = pair(make())
    given = torch.rand(4, 2)
    for _ in range(3):
        found = []
        for net in (static, plain):
            x = given.clone().requires_grad_()
            y = net(x)
            weight = torch.linspace(1, 2, y.numel()).view_as(y).requires_grad_()
            (g,) = torch.autograd.grad(y, x, weight, create_graph=True)
            (g**3).sum().backward()
            tensors = [p.grad for p in net.parameters()] + [b.clone() for b in net.buffers()]
            found.append([y.detach(), g.detach(), x.grad, weight.grad, *tensors])
            net.zero_grad()
        same(*found)
    said = capsys.readouterr().out
    assert said == ("called\n" * 6 if make is Printed else "")


@pytest.mark.parametrize("make", [mlp, ControlFlow, Counted], ids=lambda make: make.__name__)
def test_third_derivatives_are_those_of_the_module(make):
    found = []
    for net in pair(make()):
        x = torch.linspace(-1, 1, 8).view(4, 2).requires_grad_()
        (g,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
        (h,) = torch.autograd.grad((g**2).sum(), x, create_graph=True)
        (h**2).sum().backward()
        found.append([h.detach(), x.grad, *(p.grad for p in net.parameters())])
    same(*found)


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.dropout = nn.Linear(2, 64), nn.Dropout(0.5)

    def forward(self, x):
        mask = self.dropout(torch.ones(64))
        return torch.sin(self.a(x)) * mask, mask


def test_a_second_run_draws_the_numbers_of_the_first_and_leaves_the_generator_alone():
    net = Masked()
    static = to_static(net)
    x = torch.rand(4, 2, requires_grad=True)
    for _ in range(3):
        y, mask = static(x)
        before = torch.get_rng_state()
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        assert torch.equal(before, torch.get_rng_state())
        (expected,) = torch.autograd.grad((torch.sin(net.a(x)) * mask).sum(), x, create_graph=True)
        assert 0 < mask.count_nonzero() < 64
        same([g, *torch.autograd.grad((g**2).sum(), x)], [expected, *torch.autograd.grad((expected**2).sum(), x)])


def scaled(w, mask):
    mask.mul_(2)
    return (torch.sin(w) * mask).sum()


def shifted(w, mask):
    mask.add_(w)
    return (torch.sin(w) * torch.cos(mask)).sum()


@pytest.mark.parametrize("function", [scaled, shifted])
def test_an_argument_that_is_written_in_place(function):
    found = []
    for call in (to_static(function), function):
        w, start = torch.rand(3, requires_grad=True, generator=torch.manual_seed(1)), torch.ones(3, requires_grad=True)
        mask = torch.ones(3) if function is scaled else start * 2
        for _ in range(2):
            y = call(w, mask)
        (g,) = torch.autograd.grad(y, w, create_graph=True)
        ends = [w] if function is scaled else [w, start]
        found.append([y.detach(), mask.detach(), g.detach(), *torch.autograd.grad((g**2).sum(), ends)])
    same(*found)


class Scaled(torch.autograd.Function):
    """Keeps a result, a parameter and an argument; its gradients are those of another function."""

    @staticmethod
    def forward(ctx, x, weight):
        y = torch.exp(x) * weight
        ctx.save_for_backward(y, weight, x)
        return y, x.argmax()

    @staticmethod
    def backward(ctx, gradient, _):
        y, weight, x = ctx.saved_tensors
        return gradient * y * 2, (gradient * torch.exp(x)).sum() if ctx.needs_input_grad[1] else None


def scaled_sine(x, weight):
    y, place = Scaled.apply(torch.sin(x), weight)
    return (y**2).sum() + y[place]


def test_functions_with_gradients_of_their_own():
    found = []
    for call in (to_static(scaled_sine), scaled_sine):
        x, weight = torch.tensor([0.3, 0.5], requires_grad=True), torch.tensor(2.0, requires_grad=True)
        first = torch.autograd.grad(call(x, weight), (x, weight), create_graph=True)
        second = torch.autograd.grad(first[0].pow(2).sum() * first[1], (x, weight), create_graph=True)
        (second[0].sum() * second[1]).backward()
        found.append([*(g.detach() for g in (*first, *second)), x.grad, weight.grad])
    same(*found)


def test_a_wgan_with_a_gradient_penalty():
    found = []
    for critic in pair(nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 16), nn.Softplus(), nn.Linear(16, 1))):
        generator = torch.manual_seed(1)
        optimizer, losses = torch.optim.Adam(critic.parameters(), 1e-2), []
        for _ in range(4):
            real, fake = torch.rand(8, 2, generator=generator), torch.randn(8, 2, generator=generator)
            mixed = torch.lerp(real, fake, torch.rand(8, 1, generator=generator)).requires_grad_()
            (g,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
            loss = critic(fake).mean() - critic(real).mean() + 10 * ((g.norm(2, dim=1) - 1) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
        found.append([*losses, *(p.detach() for p in critic.parameters())])
    same(*found)


def test_the_residual_of_a_differential_equation():
    found = []
    for net in pair(nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))):
        x, t = (torch.linspace(0, 1, 6).view(6, 1).requires_grad_() for _ in range(2))
        u = net(torch.cat([x, t], 1))
        u_t, u_x = torch.autograd.grad(u.sum(), (t, x), create_graph=True)
        (u_xx,) = torch.autograd.grad(u_x.sum(), x, create_graph=True)
        ((u_t + u * u_x - 0.1 * u_xx) ** 2).mean().backward()
        found.append([u_xx.detach(), *(p.grad for p in net.parameters())])
    same(*found)


def test_a_product_of_the_hessian_with_a_vector():
    found = []
    for net in pair(mlp()):
        loss = (net(torch.linspace(-1, 1, 10).view(5, 2)) ** 2).mean()
        parameters = list(net.parameters())
        gradients = torch.autograd.grad(loss, parameters, create_graph=True)
        vector = [torch.linspace(-1, 1, p.numel()).view_as(p) for p in parameters]
        found.append(list(torch.autograd.grad(gradients, parameters, vector)))
    same(*found)


class Energy(nn.Module):
    """Of atoms: pairs beyond a cut don't interact."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 8), nn.SiLU(), nn.Linear(8, 1))

    def forward(self, positions):
        total = positions.new_zeros(())
        for i in range(positions.shape[0]):
            for j in range(i):
                r = (positions[i] - positions[j]).norm()
                if r < 1.0:
                    total = total + (self.net(r[None])[0] * (1 - r) ** 3)
        return total


def test_forces_that_are_trained():
    found = []
    for net in pair(Energy()):
        positions = torch.rand(4, 3, generator=torch.manual_seed(2)).requires_grad_()
        energy = net(positions)
        (force,) = torch.autograd.grad(-energy, positions, create_graph=True)
        (energy**2 + (force - 1).pow(2).sum()).backward()
        found.append([force.detach(), positions.grad, *(p.grad for p in net.parameters())])
    same(*found)


def test_maml_with_parameters_of_its_own():
    found = []
    for net in pair(mlp()):
        parameters = dict(net.named_parameters())
        x = torch.linspace(-1, 1, 10).view(5, 2)
        for rate in (0.1, 0.2):
            loss = (torch.func.functional_call(net, parameters, (x,)) ** 2).mean()
            gradients = torch.autograd.grad(loss, list(parameters.values()), create_graph=True)
            parameters = {name: p - rate * g for (name, p), g in zip(parameters.items(), gradients)}
        (torch.func.functional_call(net, parameters, (x + 1,)) ** 2).mean().backward()
        found.append([p.grad for p in net.parameters()])
    same(*found)


def test_a_loaded_model(tmp_path):
    net = ControlFlow()
    dy2st.jit.save(to_static(net), tmp_path / "net", input_spec=[dy2st.static.InputSpec([None, 2], "float64")])
    loaded = dy2st.jit.load(tmp_path / "net")
    given = torch.rand(4, 2)
    x = given.clone().requires_grad_()
    (g,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
    (g**2).sum().backward()
    ours = dy2st.to_tensor(given.numpy(), stop_gradient=False)
    (g,) = dy2st.grad(loaded(ours).sum(), ours, create_graph=True)
    (g**2).sum().backward()
    expected = [x.grad, *(p.grad for p in net.parameters())]
    gradients = [ours.grad, *(p.grad for _, p in sorted(loaded.named_parameters(), reverse=True))]
    same([None if g is None else torch.from_numpy(g.numpy()) for g in gradients], expected)


def test_a_graph_is_freed_by_backward_unless_it_is_retained():
    net = to_static(mlp())
    x = torch.rand(4, 2, requires_grad=True)
    y = net(x).sum()
    first = torch.autograd.grad(y, x, retain_graph=True)
    same(list(torch.autograd.grad(y, x)), list(first))
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        torch.autograd.grad(y, x)

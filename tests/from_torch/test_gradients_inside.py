"""Gradients that the code asks for itself are torch's: values, flags, and the gradients of what is computed of them (R-02)."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from programs import models_that_differentiate

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st import jit  # noqa: E402
from dy2st.errors import Dy2stError  # noqa: E402

nn, F = torch.nn, torch.nn.functional


class Pinn(nn.Module):
    """The residual of Burgers' equation."""

    arguments = [(6, 1), (6, 1)]

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(2, 8), nn.Linear(8, 1)

    def forward(self, x, t):
        x.requires_grad_(True)
        t.requires_grad_(True)
        u = self.last(torch.tanh(self.first(torch.cat([x, t], dim=1))))
        ut = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]
        ux = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
        uxx = torch.autograd.grad(ux, x, torch.ones_like(ux), create_graph=True)[0]
        return ((ut + u * ux - 0.01 * uxx) ** 2).mean()


class Wgan(nn.Module):
    """The loss of a critic with a gradient penalty, as most projects write it."""

    arguments = [(4, 2), (4, 2), (4, 1)]

    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))

    def forward(self, real, fake, t):
        between = (t * real + (1 - t) * fake).requires_grad_(True)
        scores = self.critic(between)
        slopes = torch.autograd.grad(
            outputs=scores, inputs=between, grad_outputs=torch.ones_like(scores), create_graph=True, retain_graph=True,
            only_inputs=True,
        )[0]  # fmt: skip
        penalty = ((slopes.norm(2, dim=1) - 1) ** 2).mean()
        return self.critic(fake).mean() - self.critic(real).mean() + 10 * penalty


class Energy(nn.Module):
    """Forces of an energy; a path depends on how near the particles are."""

    arguments = [(4, 3)]

    def __init__(self):
        super().__init__()
        self.own = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, places):
        places.requires_grad_(True)
        apart = (places[:, None] - places[None]).pow(2).sum(-1)
        energy = self.own(places).sum()
        if apart.max() > 3:
            energy = energy + torch.exp(-apart).sum()
        force = -torch.autograd.grad(energy, places, create_graph=True)[0]
        return energy, force


class Maml(nn.Module):
    """Some steps on a task, and the loss of what they give."""

    arguments = [(5, 1)] * 4

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x, y, other_x, other_y):
        weights = dict(self.net.named_parameters())
        for _ in range(3):
            loss = F.mse_loss(torch.func.functional_call(self.net, weights, (x,)), y)
            found = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
            weights = {name: w - 0.1 * g for (name, w), g in zip(weights.items(), found)}
        return F.mse_loss(torch.func.functional_call(self.net, weights, (other_x,)), other_y)


class HessianTimesVector(nn.Module):
    arguments = [(2,), (2,)]

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x, v):
        return torch.func.jvp(torch.func.grad(lambda z: self.net(z).sum()), (x,), (v,))[1]


class Newton(nn.Module):
    """Newton's method with the whole Hessian, until the gradient is small."""

    arguments = [(3,)]

    def __init__(self):
        super().__init__()
        self.curve = nn.Parameter(torch.tensor([2.0, 3.0, 4.0]))

    def loss(self, z):
        return (self.curve * z * z).sum() + torch.exp(z).sum()

    def forward(self, x):
        slope = torch.func.grad(self.loss)(x)
        while slope.abs().max() > 1e-3:
            x = x - torch.linalg.solve(torch.func.hessian(self.loss)(x), slope)
            slope = torch.func.grad(self.loss)(x)
        return x


class Langevin(nn.Module):
    """Samples of an energy by its slopes; the loop begins each turn with a leaf of its own."""

    arguments = [(4, 2)]

    def __init__(self):
        super().__init__()
        self.energy = nn.Sequential(nn.Linear(2, 8), nn.Softplus(), nn.Linear(8, 1))

    def forward(self, x):
        x = x.detach().clone().requires_grad_(True)
        for _ in range(4):
            slope = torch.autograd.grad(self.energy(x).sum(), [x])[0]
            x = (x - 0.1 * slope).detach().requires_grad_(True)
        return self.energy(x), x.detach()


class Attack(nn.Module):
    """Steps of projected gradient ascent; each turn makes what the one before has left a leaf."""

    arguments = [(4, 2)]

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, x):
        near = x.detach().clone()
        for _ in range(4):
            near.requires_grad_()
            slope = torch.autograd.grad(F.cross_entropy(self.net(near), torch.tensor([0, 1, 2, 0])), [near])[0]
            near = near.detach() + 0.1 * torch.sign(slope)
            near = torch.min(torch.max(near, x - 0.2), x + 0.2)
        return self.net(near), near


PROGRAMS = [Pinn, Wgan, Energy, Maml, HessianTimesVector, Newton, Langevin, Attack]


def arguments_of(program, seed):
    return [torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32")) for shape in program.arguments]


def seen(call, net, arguments):
    """The results with their flags, the gradients of parameters and arguments, and the flags of these."""
    for p in net.parameters():
        p.grad = None
    result = call(*arguments)
    results = result if isinstance(result, tuple) else (result,)
    sum((x * x).sum() for x in results if x.requires_grad).backward()
    leaves = [*net.parameters(), *arguments]
    flags = [(x.requires_grad, x.is_leaf) for x in (*results, *arguments)]
    return [x.detach() for x in results], flags, [x.grad for x in leaves]


@pytest.mark.parametrize("program", PROGRAMS)
def test_r_02_programs_that_differentiate_themselves(program):
    torch.manual_seed(0)
    plain = program()
    net = copy.deepcopy(plain)
    static = dy2st.torch.to_static(net)
    for seed in (0, 1):
        wanted = seen(plain, plain, arguments_of(program, seed))
        found = seen(static, net, arguments_of(program, seed))
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("program", PROGRAMS)
def test_r_02_files_of_them_give_the_same_without_torch_code(program, tmp_path):
    torch.manual_seed(0)
    plain = program()
    static = dy2st.torch.to_static(copy.deepcopy(plain))
    static(*arguments_of(program, 0))
    jit.save(static, str(tmp_path / "net"))
    loaded = jit.load(str(tmp_path / "net"))
    for seed in (1,):
        arguments = arguments_of(program, seed)
        wanted, flags, gradients = seen(plain, plain, arguments)
        own = [dy2st.to_tensor(x.detach().numpy()) for x in arguments]
        for p in loaded.parameters():
            p.clear_grad(False)
        result = loaded(*own)
        results = result if isinstance(result, tuple) else (result,)
        sum((x * x).sum() for x in results if not x.stop_gradient).backward()
        assert [(not x.stop_gradient, x.is_leaf) for x in (*results, *own)] == flags
        for x, y in zip(results, wanted):
            np.testing.assert_allclose(x.numpy(), y.numpy(), rtol=1e-4, atol=1e-5)
        names = [name for name, _ in plain.named_parameters()]
        found = [*(dict(loaded.named_parameters())[name] for name in names), *own]
        for x, y in zip(found, gradients):
            assert (x.grad is None) == (y is None)
            if y is not None:
                np.testing.assert_allclose(x.grad.numpy(), y.numpy(), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("program", [one for one in PROGRAMS if one is not Attack])
def test_r_02_the_same_in_paddles_names(program):
    torch.manual_seed(0)
    plain, own = program(), getattr(models_that_differentiate, program.__name__)()
    for theirs, ours in zip(plain.parameters(), own.parameters(), strict=True):
        ours.set_value(theirs.detach().numpy().T)
    arguments = arguments_of(program, 0)
    wanted, _, gradients = seen(plain, plain, arguments)
    given = [dy2st.to_tensor(x.detach().numpy()) for x in arguments]
    result = jit.to_static(own)(*given)
    results = result if isinstance(result, tuple) else (result,)
    sum((x * x).sum() for x in results if not x.stop_gradient).backward()
    for x, y in zip(results, wanted):
        np.testing.assert_allclose(x.numpy(), y.numpy(), rtol=1e-3, atol=1e-4)
    for x, y in zip(own.parameters(), gradients):
        assert (x.grad is None) == (y is None)
        if y is not None:
            np.testing.assert_allclose(x.grad.numpy(), y.numpy().T, rtol=1e-3, atol=1e-3)


# --- one call ------------------------------------------------------------------------------------------------------------


def of_an_output_in_between(x, y):
    h = x * y
    return torch.autograd.grad((h**3).sum(), [h, x], create_graph=True)


def of_several_outputs(x, y):
    return torch.autograd.grad([(x * y).sum(), x**2 * y], [x, y], [None, y], create_graph=True)


def of_an_unused_input(x, y):
    return torch.autograd.grad((x * x).sum(), [x, y], allow_unused=True)[0]


def of_an_unused_input_as_zeros(x, y):
    return torch.autograd.grad((x * x).sum(), [x, y], materialize_grads=True)


def of_a_new_tensor(x, y):
    made = torch.zeros(2, requires_grad=True)
    return torch.autograd.grad(((x.detach() + made) ** 2).sum(), made)


def on_one_path(x, y):
    u = (x**3).sum()
    return torch.autograd.grad(u, x, create_graph=True)[0] if y.sum() > 3 else x * y


def through_a_loop(x, y):
    h = x
    while h.abs().sum() < 60:
        h = h * x + y
    first = torch.autograd.grad(h.sum(), x, create_graph=True)[0]
    return torch.autograd.grad(first.sum(), x, create_graph=True)[0]


def in_a_loop(x, y):
    h = x * 1
    for _ in range(3):
        h = h - 0.1 * torch.autograd.grad((h**2 * y).sum(), h, create_graph=True)[0]
    return h


def a_weight_with_a_gradient(x, y):
    return torch.autograd.grad(x**3, x, y * y, create_graph=True)[0]


def grad_twice(x, y):
    return torch.func.grad(torch.func.grad(lambda a: (a**3 * y.sum())))(x.sum())


def grad_of_a_dict(x, y):
    found = torch.func.grad(lambda p: ((p["w"] * y + p["b"]) ** 2).sum())({"w": x, "b": y})
    return found["w"], found["b"]


def grad_with_aux(x, y):
    found, (value, aux) = torch.func.grad_and_value(lambda a: ((a * y).sum(), a * 2), has_aux=True)(x)
    return found, value, aux


def pulled_back(x, y):
    result, pull = torch.func.vjp(lambda a, b: (a * b, a + b.exp()), x, y)
    return (*result, *pull((y, x)))


def pushed_forward(x, y):
    return torch.func.jvp(lambda a, b: a.sin() * b, (x, y), (y, x))


def by_rows(x, y):
    return torch.func.jacrev(lambda a, b: (a * b, a.sum() * b.exp()), argnums=(0, 1))(x, y)[1]


def by_columns(x, y):
    return torch.func.jacfwd(lambda a: torch.outer(a, a * y))(x)


def hessian(x, y):
    return torch.func.hessian(lambda a: (a**3 * y).sum() * a.sum())(x)


def hessian_under_no_grad(x, y):
    with torch.no_grad():
        return torch.func.hessian(lambda a: (a**3 * y).sum() * a.sum())(x)


ONE_CALL = [
    of_an_output_in_between, of_several_outputs, of_an_unused_input, of_an_unused_input_as_zeros, of_a_new_tensor, on_one_path,
    through_a_loop, in_a_loop, a_weight_with_a_gradient, grad_twice, grad_of_a_dict, grad_with_aux, pulled_back, pushed_forward,
    by_rows, by_columns, hessian, hessian_under_no_grad,
]  # fmt: skip


def outcome(call, values):
    x, y = (torch.tensor(value, requires_grad=True) for value in values)
    result = call(x, y)
    results = result if isinstance(result, tuple | list) else [result]
    if ends := [(r * r).sum() for r in results if r.requires_grad]:
        sum(ends).backward()
    return [r.detach() for r in results], [(r.requires_grad, r.is_leaf) for r in results], [x.grad, y.grad]


@pytest.mark.parametrize("function", ONE_CALL)
def test_one_call(function):
    static = dy2st.torch.to_static(function)
    for values in (([1.5, 2.0], [3.0, 0.5]), ([-0.5, 1.0], [0.25, 2.0])):
        torch.testing.assert_close(outcome(static, values), outcome(function, values), rtol=1e-4, atol=1e-5)


# --- errors --------------------------------------------------------------------------------------------------------------


def of_many_elements(x, y):
    return torch.autograd.grad(x * y, x)


def of_what_has_none(x, y):
    return torch.autograd.grad(x.detach().sum(), x)


def by_what_has_none(x, y):
    return torch.autograd.grad((x * y).sum(), y.detach())


def by_what_is_unused(x, y):
    return torch.autograd.grad((x * x).sum(), [x, y])


def of_another_shape(x, y):
    return torch.autograd.grad(x * y, x, y[:1])


def of_whole_numbers(x, y):
    return x.long().requires_grad_()


def of_a_computed_tensor(x, y):
    return (x * y).requires_grad_(False)


def of_a_matrix(x, y):
    return torch.func.grad(lambda a: a * y)(x)


ERRORS = [
    of_many_elements, of_what_has_none, by_what_has_none, by_what_is_unused, of_another_shape, of_whole_numbers,
    of_a_computed_tensor, of_a_matrix,
]  # fmt: skip


@pytest.mark.parametrize("function", ERRORS)
def test_errors_are_torchs(function):
    said = []
    for call in (function, dy2st.torch.to_static(function)):
        x, y = (torch.tensor(value, requires_grad=True) for value in ([1.5, 2.0], [3.0, 0.5]))
        with pytest.raises(RuntimeError) as caught:
            call(x, y)
        said.append((type(caught.value), str(caught.value).split(". ")[0]))
    assert said[0] == said[1]


def in_an_earlier_turn(x, n):
    h = x * 0
    while n > 0:
        h = h + x**2
        h = h + torch.autograd.grad(h.sum(), x, retain_graph=True)[0]
        n = n - 1
    return h


def the_callers_in_the_first_turn(x, n):
    while n > 0:
        x.requires_grad_(True)
        x = (x - torch.autograd.grad((x**2).sum(), x)[0]).detach()
        n = n - 1
    return x


def on_the_first_turn_alone(x, n):
    x = x * 1
    while n > 0:
        x.requires_grad_(True)
        x = x - torch.autograd.grad((x**2).sum(), x)[0]
        n = n - 1
    return x


def after_its_use(x, n):
    y = x * n
    x.requires_grad_(True)
    return torch.autograd.grad((x * y).sum(), x)[0]


def many_at_once(x, n):
    x.requires_grad_(True)
    return torch.autograd.grad(x * n, x, torch.eye(2), is_grads_batched=True)


REFUSED = [
    (in_an_earlier_turn, "begins in an earlier turn of the loop"),
    (the_callers_in_the_first_turn, r"let the loop begin with x.clone\(\)"),
    (on_the_first_turn_alone, "has a gradient on one path and none on another"),
    (after_its_use, r"of an input that was used before: set it before"),
    (many_at_once, "is_grads_batched=True"),
]


@pytest.mark.parametrize(("function", "words"), REFUSED, ids=[f.__name__ for f, _ in REFUSED])
def test_refused_at_the_line(function, words):
    x = torch.ones(2, requires_grad=function is in_an_earlier_turn)
    with pytest.raises(Dy2stError, match=words) as caught:
        dy2st.torch.to_static(function)(x, torch.tensor(2))
    assert "test_gradients_inside.py" in str(caught.value)

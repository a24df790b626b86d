"""Static modules and functions under `torch.func`, batched gradients and forward-mode derivatives: torch's own numbers."""

from __future__ import annotations

import copy

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.autograd import forward_ad  # noqa: E402
from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402

to_static = dy2st.torch.to_static


@pytest.fixture(autouse=True)
def doubles():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    yield
    torch.set_default_dtype(torch.float32)


class Looped(nn.Module):
    """Its loop doesn't depend on the data, which torch's own vmap refuses."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 3), nn.Linear(3, 1)

    def forward(self, x):
        y = torch.tanh(self.a(x))
        for k in range(3):
            y = y * torch.sin(y) + y / (k + 1)
        return self.b(y)


NET = Looped().double()
STATIC = to_static(NET)
X = torch.linspace(-1, 1, 8, dtype=torch.float64).view(4, 2)
P = {name: p.detach().clone() for name, p in NET.named_parameters()}
TWO = {name: torch.stack([p, p * 2]) for name, p in P.items()}


def of_parameters(net, p, x):
    return functional_call(net, p, (x,)).pow(2).sum()


CASES = {
    "grad": lambda net: grad(lambda x: net(x).sum())(X),
    "grad of parameters": lambda net: grad_and_value(lambda p: of_parameters(net, p, X))(P),
    "vjp": lambda net: vjp(net, X)[1](X[:, :1]),
    "jvp": lambda net: jvp(net, (X,), (X * 2,)),
    "jvp of parameters": lambda net: jvp(lambda p: of_parameters(net, p, X), (P,), (P,)),
    "vmap": lambda net: vmap(net)(X),
    "vmap along another axis": lambda net: vmap(net, in_dims=1, out_dims=1)(X.T),
    "an ensemble": lambda net: vmap(lambda p: functional_call(net, p, (X,)))(TWO),
    "gradients by sample": lambda net: vmap(grad(lambda p, x: of_parameters(net, p, x)), in_dims=(None, 0))(P, X),
    "jacrev": lambda net: jacrev(net)(X[0]),
    "jacfwd": lambda net: jacfwd(net)(X[0]),
    "jacobian by sample": lambda net: vmap(jacrev(net))(X),
    "hessian": lambda net: hessian(lambda x: net(x).sum())(X),
    "jacrev of jacrev": lambda net: jacrev(jacrev(lambda x: net(x).sum()))(X[0]),
    "jacrev of jacfwd": lambda net: jacrev(jacfwd(lambda x: net(x).sum()))(X[0]),
    "grad of grad of grad": lambda net: grad(lambda x: grad(lambda y: grad(lambda z: net(z).sum())(y).sum())(x).sum())(X[0]),
    "the hessian with a vector": lambda net: jvp(grad(lambda p: of_parameters(net, p, X)), (P,), (P,))[1],
    "a laplacian": lambda net: vmap(lambda x: hessian(lambda y: net(y)[0])(x).trace())(X),
    "functional.hessian": lambda net: torch.autograd.functional.hessian(lambda x: net(x).sum(), X),
    "functional.jvp": lambda net: torch.autograd.functional.jvp(net, X, X),
}


def leaves(tree):
    return torch.utils._pytree.tree_leaves(tree)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_transform_of_a_static_module(case):
    expected, found = leaves(case(NET)), leaves(case(STATIC))
    assert len(expected) == len(found) > 0
    for x, y in zip(found, expected):
        torch.testing.assert_close(x, y)


def batched(y, x):
    return vmap(lambda g: torch.autograd.grad(y, x, g, create_graph=True)[0])(torch.eye(4).view(4, 4, 1))


def of_computed_inputs(net, x):
    """The input is computed from a parameter that the module reads, too."""
    weight = net.a.weight
    return vmap(grad(lambda y: net(y).sum()))(x * weight[0].sin()) + grad(lambda y: net(y * weight[0]).sum())(x)


def of_other_parameters(net, x):
    """The parameters are plain tensors, which the transform captures."""
    scaled = {name: p * 2 for name, p in net.named_parameters()}
    return vmap(grad(lambda y: functional_call(net, scaled, (y,)).sum()))(x)


AROUND = {
    "computed inputs": of_computed_inputs,
    "captured parameters": of_other_parameters,
    "grad": lambda net, x: grad(lambda y: net(y).sum())(x),
    "vmap": lambda net, x: vmap(net)(x),
    "gradients by sample": lambda net, x: vmap(grad(lambda y: net(y).sum()))(x),
    "batched gradients": lambda net, x: batched(net(x), x),
}


@pytest.mark.parametrize("case", AROUND.values(), ids=AROUND)
def test_gradients_of_a_transform(case):
    found = []
    for net in (copy.deepcopy(NET), to_static(copy.deepcopy(NET))):
        x = X.clone().requires_grad_()
        y = case(net, x)
        y.pow(2).sum().backward()
        found.append([y.detach(), x.grad, *(p.grad for p in net.parameters())])
    for one, other in zip(*found):
        assert (one is None) == (other is None)
        if one is not None:
            torch.testing.assert_close(other, one)


@pytest.mark.parametrize("net", [NET, STATIC], ids=["plain", "static"])
def test_forward_mode(net):
    with forward_ad.dual_level():
        y = forward_ad.unpack_dual(net(forward_ad.make_dual(X, X * 3)))
    torch.testing.assert_close(y.tangent, 3 * jvp(NET, (X,), (X,))[1])
    torch.testing.assert_close(y.primal, NET(X))


def test_forward_mode_of_parameters():
    with forward_ad.dual_level():
        duals = {name: forward_ad.make_dual(p, p * 3) for name, p in P.items()}
        y = forward_ad.unpack_dual(functional_call(STATIC, duals, (X,)))
    expected = jvp(lambda p: functional_call(NET, p, (X,)), (P,), ({name: 3 * p for name, p in P.items()},))
    torch.testing.assert_close((y.primal, y.tangent), expected)


def branches(x, scale):
    if x.sum() > 0:
        return {"y": torch.sin(x) * scale, "parts": (x.argmax(), [x])}
    steps = 0
    while x.norm() < 4:
        x = x * 2
        steps += 1
    return {"y": x * steps, "parts": (x.argmin(), [x + 1])}


def test_control_flow_by_element_of_a_batch():
    static = to_static(branches)
    found = vmap(static, in_dims=(0, None))(X, 2.0)
    expected = [branches(x, 2.0) for x in X]
    torch.testing.assert_close(found["y"], torch.stack([e["y"] for e in expected]))
    assert torch.equal(found["parts"][0], torch.stack([e["parts"][0] for e in expected]))
    assert torch.equal(found["parts"][1][0], torch.stack([e["parts"][1][0] for e in expected]))
    by_sample = vmap(grad(lambda x: static(x, 2.0)["y"].sum()))(X)
    torch.testing.assert_close(by_sample, torch.stack([grad(lambda x: branches(x, 2.0)["y"].sum())(x) for x in X]))


def test_other_results_for_another_element():
    def steps(x):
        n = 0
        while x.sum() < 4:
            x = x + 1
            n += 1
        return x, n

    static = to_static(steps)
    with pytest.raises(ConversionError, match="vmap: the static function gives another result, besides tensors"):
        vmap(lambda x: static(x)[0])(X)
    torch.testing.assert_close(vmap(lambda x: static(x)[0])(torch.zeros(3, 2)), torch.full([3, 2], 2.0))
    with pytest.raises(ConversionError, match="over an empty batch"):
        vmap(static)(torch.zeros(0, 2))


class Dropped(nn.Module):
    def forward(self, x):
        return nn.functional.dropout(torch.ones(64), 0.5) * x.sum(), x.sum()


def test_random_numbers_in_a_batch():
    static = to_static(Dropped())
    with pytest.raises(RuntimeError, match="vmap: called random operation while in randomness error mode"):
        vmap(static)(X)
    same, sums = vmap(static, randomness="same")(X)
    masks = same / sums[:, None]
    assert 0 < masks.count_nonzero() < masks.numel() and torch.equal(masks[0] > 0, masks[1] > 0)
    different, _ = vmap(static, randomness="different")(X)
    assert not torch.equal(different[0] != 0, different[1] != 0)
    ones = torch.ones(3, 2)
    gradient, y = vmap(grad(lambda x: (static(x)[0].sum(),) * 2, has_aux=True), randomness="different")(ones)
    torch.testing.assert_close(gradient, (y / 2)[:, None].expand(3, 2))  # the masks of the forward
    assert len(set(y.tolist())) > 1


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x.sum()


@pytest.mark.parametrize("net", [nn.BatchNorm1d(2).double(), Counted()], ids=lambda net: type(net).__name__)
def test_state_is_refused(net):
    static = to_static(net)
    for call in (lambda: grad(lambda x: static(x).sum())(X), lambda: vmap(static)(torch.ones(3, 4, 2))):
        with pytest.raises(ConversionError, match=r"forward changes state, prints, .* under torch\.func"):
            call()
    if isinstance(net, nn.BatchNorm1d):
        assert net.num_batches_tracked == 0
        torch.testing.assert_close(grad(lambda x: static.eval()(x).pow(2).sum())(X), grad(lambda x: net(x).pow(2).sum())(X))


def test_a_captured_tensor_with_a_history_is_refused():
    w = torch.ones(2, requires_grad=True) * 2
    static = to_static(lambda x: (x * w).sum())
    static(X)
    with pytest.raises(ConversionError, match=r"captures a tensor with a history, .* pass it as an argument"):
        grad(static)(X)


def test_gradients_that_are_batched_as_before_torch_func():
    x = X.clone().requires_grad_()
    with pytest.raises(ConversionError, match=r"vectorize=True through a static function: write torch\.func\.vmap around"):
        torch.autograd.functional.jacobian(STATIC, x, vectorize=True)


def test_a_captured_tensor_of_a_transform_is_refused():
    def around(x):
        return to_static(lambda y: (x * y).sum())(x)

    with pytest.raises(ConversionError, match=r"captures a tensor of a torch\.func transform; pass it as an argument"):
        grad(around)(X)

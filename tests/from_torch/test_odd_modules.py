"""Small modules as people write them: results, gradients and state are torch's, in one call and in the next."""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections import OrderedDict
from typing import NamedTuple

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.torch.crossing import tensors_in  # noqa: E402

to_static = dy2st.torch.to_static
F = nn.functional
MODULES: dict[str, type] = {}


def module(cls):
    MODULES[cls.__name__] = cls
    return cls


@module
class IndexedList(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i in range(len(self.parts)):
            x = self.parts[i](x)
        return self.parts[-1](x) + sum(part(x) for part in self.parts[1:])


@module
class EnumeratedList(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.parts.append(nn.Linear(3, 3))

    def forward(self, x):
        found = []
        for i, (a, b) in enumerate(zip(self.parts, reversed(self.parts))):
            found.append(a(x) * i + b(x))
        return torch.stack(found)


@module
class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.ReLU()})

    def forward(self, x, name="b"):
        for key, part in self.parts.items():
            x = part(x) if key != "c" else x
        return self.parts[name](x) if name in self.parts else x


@module
class Parameters(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(torch.randn(3)) for _ in range(2)])
        self.named = nn.ParameterDict({"scale": nn.Parameter(torch.randn(3))})

    def forward(self, x):
        for i, w in enumerate(self.weights):
            x = x * w + i
        return x * self.named["scale"] + self.weights[0]


@module
class Buffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("missing", None)
        self.register_parameter("none", None)
        self.register_buffer("passing", torch.ones(3), persistent=False)
        self.register_buffer("steps", torch.tensor(0))

    def forward(self, x):
        if self.missing is None and self.none is None:
            x = x + self.passing
        self.steps += 1
        self.passing.mul_(0.5)
        return x * self.steps


@module
class Nested(nn.Module):
    def forward(self, x):
        scale = 2

        def inner(y, offset=1.0):
            nonlocal scale
            scale = scale + 1
            return y * scale + offset

        return inner(inner(x), offset=0.5) + scale


@module
class Lambdas(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = lambda x: F.leaky_relu(x, 0.1)
        self.pool = functools.partial(torch.mean, dim=-1, keepdim=True)
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        return self.pool(self.act(self.linear(x)))


@module
class Training(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.a, self.b = nn.BatchNorm1d(3), nn.Linear(3, 3), nn.Linear(3, 3)

    def forward(self, x):
        x = self.norm(x)
        return self.a(x) if self.training else self.b(x)


@module
class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.linear.register_forward_hook(lambda mod, args, out: out * 2 + args[0])
        self.seen = None
        self.linear.register_forward_hook(self.keep)

    def keep(self, mod, args, out):
        self.seen = out.detach()

    def forward(self, x):
        return self.linear(x) + self.seen


@module
class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(3, 3)
        self.other = nn.Sequential(self.one, nn.Tanh(), self.one)

    def forward(self, x):
        return self.other(x) + self.one(x)


class Pair(NamedTuple):
    first: torch.Tensor
    second: object = None


@dataclasses.dataclass
class Output:
    logits: torch.Tensor
    hidden: list
    loss: torch.Tensor | None = None


@module
class Outputs(nn.Module):
    def forward(self, x):
        found = OrderedDict(a=x + 1)
        found["b"] = [x * 2, (x, None)]
        return found, Pair(x.sum()), Output(x - 1, [x, x * 3]), "text", 3


@module
class Arguments(nn.Module):
    def forward(self, x, *rest, mask=None, scale=1.0, **more):
        for other in rest:
            x = x + other
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        for name in sorted(more):
            x = x * more[name]
        return x * scale

    calls = [
        lambda x: ((x,), {}),
        lambda x: ((x, x, x * 2), {"scale": 3}),
        lambda x: ((x,), {"mask": x > 0, "b": x, "a": torch.tensor(2.0)}),
        lambda x: ((), {"x": x, "mask": None}),
    ]


@module
class Early(nn.Module):
    def forward(self, x):
        if x.shape[0] > 100:
            return None
        if x.sum() > 1e6:
            return x
        for row in x:
            if row[0] > 5:
                return row.expand(x.shape)
        return x * 2


@module
class Counting(nn.Module):
    def forward(self, x):
        n, total = 0, torch.zeros(())
        while total < 10 and n < 50:
            total = total + x.abs().mean()
            n += 1
        return total, n, x / n


@torch.jit.script
def scripted(x, scale: float):
    if x.dim() > 1:
        x = x * scale
    return x


@module
class Scripted(nn.Module):
    def forward(self, x):
        return scripted(x, 2.0) + scripted(x[0], 3.0)


@module
class NoGrad(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    @torch.no_grad()
    def forward(self, x):
        return self.linear(x)


@module
class Einsum(nn.Module):
    def forward(self, x):
        y = torch.einsum("bi,bj->bij", x, x)
        return torch.einsum("...ij,jk->...ik", y, x.T @ x)


@module
class Interpolated(nn.Module):
    def forward(self, x):
        image = x[None, None]
        up = F.interpolate(image, scale_factor=2, mode="bilinear", align_corners=False)
        return F.interpolate(up, size=x.shape, mode="nearest")[0, 0]


@module
class Masked(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[y < 0] = 0
        y[:, 0] += 1
        y[y > 1] *= 2
        y[torch.arange(2), 1] = x[0, :2]
        return y


@module
class Cached(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = None
        self.kv = nn.Linear(3, 3)

    def forward(self, x):
        k = self.kv(x).detach()
        self.k = k if self.k is None else torch.cat([self.k, k])
        return x @ self.k.T


@module
class Properties(nn.Module):
    SCALE = 3

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))
        self.config = dict(eps=1e-3, names=["a", "b"])

    @property
    def device(self):
        return next(self.parameters()).device

    @property
    def scaled(self):
        return self.w * self.SCALE

    @staticmethod
    def shift(x):
        return x + 1

    @classmethod
    def times(cls, x):
        return x * cls.SCALE

    def forward(self, x):
        x = x.to(self.device) + self.scaled
        assert x.shape[-1] == 3, f"{x.shape}"
        return self.shift(self.times(x)) / (x.norm() + self.config["eps"]) + len(self.config["names"])


@module
class Raising(nn.Module):
    def forward(self, x):
        try:
            return x + self.table["missing"]
        except AttributeError:
            return x * 3


@module
class Child(Shared):
    def forward(self, x):
        return super().forward(x) * 2


@module
class Dropped(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.0)
        self.rnn = nn.GRU(3, 4, batch_first=True, bidirectional=True)

    def forward(self, x):
        out, h = self.rnn(self.drop(x[None]))
        return out[0], h.transpose(0, 1).flatten(1)


@module
class Several(nn.Module):
    def forward(self, x):
        y = x * 2
        return y, y, x, [y, x]


def flat(result):
    return tensors_in(result, torch.Tensor)


def structure(result):
    """What a result is made of, without its numbers."""
    if isinstance(result, torch.Tensor):
        return result.dtype, result.shape, result.requires_grad
    if dataclasses.is_dataclass(result):
        return type(result), structure(vars(result))
    if isinstance(result, dict):
        return type(result), [(key, structure(x)) for key, x in result.items()]
    return (type(result), [structure(x) for x in result]) if isinstance(result, list | tuple) else result


def compared(mine, theirs, call, x):
    """Results, gradients and state of one call are the same."""
    given = [call(x.clone().requires_grad_()) for _ in range(2)]
    found, right = (net(*args, **kwargs) for net, (args, kwargs) in zip((mine, theirs), given))
    assert structure(found) == structure(right)
    ours, expected = flat(found), flat(right)
    torch.testing.assert_close(ours, expected)
    assert [[a is b for b in ours] for a in ours] == [[a is b for b in expected] for a in expected]
    for results in (ours, expected):
        loss = sum((y.square().sum() for y in results if y.requires_grad), torch.zeros(()))
        if loss.requires_grad:
            loss.backward()
    for (name, p), (_, q) in zip(mine.module.named_parameters(), theirs.named_parameters()):
        assert (p.grad is None) == (q.grad is None), name
        torch.testing.assert_close(p.grad, q.grad)
    torch.testing.assert_close(dict(mine.module.named_buffers()), dict(theirs.named_buffers()))
    for a, b in zip(flat(given[0]), flat(given[1])):
        if a.is_leaf:
            torch.testing.assert_close(a.grad, b.grad)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_does_what_it_does_in_torch(name):
    torch.manual_seed(0)
    theirs = MODULES[name]()
    mine = to_static(copy.deepcopy(theirs))
    for mode in (True, False, False):
        mine.module.train(mode), theirs.train(mode)
        for call in getattr(MODULES[name], "calls", [lambda x: ((x,), {})]):
            compared(mine, theirs, call, torch.randn(2, 3))


@pytest.mark.parametrize("name", ["Shared", "Training", "Parameters", "Buffers"])
def test_copies_are_their_own(name):
    net = to_static(MODULES[name]())
    x = torch.randn(2, 3)
    net(x)
    twin = copy.deepcopy(net)
    theirs = copy.deepcopy(net.module)
    with torch.no_grad():
        for p in net.parameters():
            p.zero_()
    torch.testing.assert_close(twin(x), theirs(x))


def test_a_static_module_is_pickled_as_its_module():
    import io

    net, x = to_static(Shared()), torch.randn(2, 3)
    file = io.BytesIO()
    torch.save(net, file)
    file.seek(0)
    torch.testing.assert_close(torch.load(file, weights_only=False)(x), net(x))


@pytest.mark.parametrize("change", ["to", "half", "double", "bfloat16"])
def test_another_dtype_is_seen(change):
    module = Training()
    net, x = to_static(module), torch.randn(4, 3)
    net(x)
    changed = net.to(torch.float64) if change == "to" else getattr(net, change)()
    assert changed is net and module.a.weight.dtype != torch.float32
    x = x.to(module.a.weight.dtype)
    torch.testing.assert_close(net(x), copy.deepcopy(module)(x), rtol=1e-2, atol=1e-2)


def test_the_state_dict_is_torchs():
    net, other = to_static(Training()), Training()
    assert net.state_dict().keys() == other.state_dict().keys()
    assert all(type(x) is torch.Tensor for x in net.state_dict().values())
    assert net.state_dict()["a.weight"].data_ptr() == net.module.a.weight.data_ptr()
    other.load_state_dict(net.state_dict())
    x = torch.randn(4, 3)
    torch.testing.assert_close(net(x), other(x))
    assert net.load_state_dict(Training().state_dict()).missing_keys == []
    torch.testing.assert_close(net.eval()(x), copy.deepcopy(net.module).eval()(x))


def test_the_wrapper_is_the_module_in_all_but_its_static_methods():
    module = Shared()
    net, x = to_static(module), torch.randn(2, 3)
    assert isinstance(net, Shared) and net.one is module.one and list(net.parameters()) == list(module.parameters())
    net.eval()
    assert not module.training
    handle = net.register_forward_hook(lambda mod, args, out: out + 1)
    torch.testing.assert_close(net(x), module(x))
    handle.remove()
    parent = nn.Sequential(net, nn.ReLU())
    torch.testing.assert_close(to_static(parent)(x), nn.Sequential(module, nn.ReLU())(x))
    torch.testing.assert_close(parent(x), torch.relu(module(x)))
    net.one.weight.data.zero_()
    torch.testing.assert_close(net(x), module(x))
    net.extra = nn.Linear(1, 1)
    assert module.extra is net.extra

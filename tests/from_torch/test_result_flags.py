"""Every tensor in a result has torch's `requires_grad`, wherever it lies, and leads back to the same parameters (S-10)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st import jit  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


@dataclass
class Output:
    frozen: torch.Tensor
    out: torch.Tensor


class Net(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        torch.manual_seed(0)
        self.kind = kind
        self.first, self.second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)

    def forward(self, x):
        return KINDS[self.kind](self, x)


def in_a_dict(net, x):
    y = net.first(x)
    return {"frozen": y.detach(), "out": y, "other": net.second(x)}


def in_a_list(net, x):
    return [net.first(x), net.second(x).detach(), [net.second(x)], x * 2]


def in_a_dataclass(net, x):
    y = net.first(x)
    return Output(y.detach(), y)


def appended(net, x):
    outs, h = [], torch.zeros_like(x)
    for i in range(x.shape[0]):
        outs.append(h if i == 1 else h.detach())
        h = net.first(h) + x[i]
    return outs, h


def by_the_path(net, x):
    with torch.no_grad():
        aside = net.second(x)
    if x.sum() > 0:
        return {"a": net.first(x), "b": aside}
    return {"a": aside, "b": net.second(x)}


def from_nothing(net, x):
    h = torch.zeros(2)
    for row in x:
        if row.sum() > 5:
            h = net.first(row)
    return h, torch.stack([h, h.detach()]), [h.detach()]


def two_heads(net, x):
    return net.first(x), net.second(x)


KINDS = {f.__name__: f for f in (in_a_dict, in_a_list, in_a_dataclass, appended, by_the_path, from_nothing, two_heads)}


def tensors(value):
    if isinstance(value, torch.Tensor | dy2st.Tensor):
        return [value]
    value = vars(value) if isinstance(value, Output) else value
    return [t for part in (value.values() if isinstance(value, dict) else value) for t in tensors(part)]


def outcome(call, net, x):
    """The flags of the result's tensors, and which parameters have gradients of each."""
    found, reached = tensors(call(x)), []
    for t in found:
        if t.requires_grad:
            net.zero_grad()
            t.sum().backward(retain_graph=True)
            reached.append({name for name, p in net.named_parameters() if p.grad is not None})
    return [(t.requires_grad, t.is_leaf) for t in found], reached


def outcome_loaded(loaded, x):
    """The same of a file, which has tensors of its own names."""
    found, reached = tensors(loaded(dy2st.to_tensor(x.numpy()))), []
    for t in found:
        if not t.stop_gradient:
            for p in loaded.parameters():
                p.clear_grad(False)
            t.sum().backward(retain_graph=True)
            reached.append({name for name, p in loaded.named_parameters() if p.grad is not None})
    return [(not t.stop_gradient, t.is_leaf) for t in found], reached


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sign", [1, -1, 9])
def test_s_10_flags_and_gradients_are_those_of_torch(kind, sign, tmp_path):
    plain, static = Net(kind), Net(kind)
    x = sign * torch.ones(3, 2)
    converted = dy2st.torch.to_static(static, [InputSpec([None, 2])])
    for _ in range(2):
        assert outcome(converted, static, x) == outcome(plain, plain, x)
    if kind != "in_a_dataclass":  # a file holds no class of the user's
        jit.save(converted, str(tmp_path / "net"))
        loaded = jit.load(str(tmp_path / "net"))
        assert outcome_loaded(loaded, x) == outcome(plain, plain, x)


def test_s_10_weight_decay_leaves_a_head_that_has_no_loss():
    plain, static = Net("two_heads"), Net("two_heads")
    converted = dy2st.torch.to_static(static)
    for net, call in ((plain, plain), (static, converted)):
        optimizer = torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.5)
        for _ in range(3):
            optimizer.zero_grad()
            call(torch.ones(3, 2))[0].sum().backward()
            optimizer.step()
    torch.testing.assert_close(static.state_dict(), plain.state_dict())
    torch.testing.assert_close(static.second.weight, Net("two_heads").second.weight)

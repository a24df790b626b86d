"""`x.requires_grad` asked in the function, of tensors that it writes: plain torch's answer, or a refusal at the line."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402


def after(x, u):
    before = u.requires_grad
    u.add_(x)
    return u * 1, before, u.requires_grad


def through_a_part(x, u):
    u[0].add_(x[0])
    return u * 1, u.requires_grad


def of_a_part(x, u):
    part = u[1:]
    u[0].add_(x[0])
    return u * 1, part.requires_grad


def on_a_path(x, u):
    if x.sum() > 0:
        u.add_(x)
    return u * 1, u.requires_grad


def after_a_loop(x, u):
    k = 0
    while k < x.sum():
        k += 1
        u.add_(x)
    return u * 1, u.requires_grad


def in_an_earlier_turn(x, u):
    k, count = 0, 0
    while k < x.sum():
        if u.requires_grad:
            count = count + 1
        k += 1
        u[:2].add_(x[:2])
    return u * 1, count


def of_a_tensor_made_here(x, u):
    made, k = torch.zeros(3), 0
    while k < x.sum():
        k += 1
        made[0] = x[0]
    return made, made.requires_grad


def through_another(x, u):
    made = torch.zeros(3)
    made[0] = x[0]
    u.add_(made)
    return u * 1, u.requires_grad


def in_a_list(x, u):
    held, k = [u], 0
    while k < x.sum():
        k += 1
        held[0].add_(x)
    return u * 1, u.requires_grad


def with_a_number(x, u):
    made, k = torch.zeros(3), 0
    while k < x.sum():
        k += 1
        made[0] = 2.0
        if u.requires_grad:
            k += 1
    return made, made.requires_grad


def without_gradients(x, u):
    k = 0
    with torch.no_grad():
        while k < x.sum():
            k += 1
            u.add_(x)
    return u * 1, u.requires_grad


def in_a_copy(x, u):
    copy = u.clone()
    copy.add_(x)
    return copy, u.requires_grad


def outcome(function, sign):
    x = (torch.tensor([1.0, 0.5, 2.0]) * sign).requires_grad_()
    tensor, *answers = function(x, torch.ones(3))
    return tensor.detach().tolist(), tensor.requires_grad, *answers


REFUSED = [
    after, through_a_part, of_a_part, on_a_path, after_a_loop, in_an_earlier_turn, of_a_tensor_made_here, through_another,
    in_a_list,
]  # fmt: skip


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("function", REFUSED)
def test_a_flag_that_a_write_may_have_changed_is_refused(function, sign):
    with pytest.raises(ConversionError, match=r"after_writes\.py:\d+: requires_grad of a tensor isn.t known .* a write in place"):
        outcome(dy2st.torch.to_static(function), sign)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("function", [with_a_number, without_gradients, in_a_copy])
def test_other_writes_change_no_flag(function, sign):
    assert outcome(dy2st.torch.to_static(function), sign) == outcome(function, sign)


class Written(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.u = torch.nn.Parameter(torch.ones(3), requires_grad=False)
        self.w = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        self.u.add_(x * self.w)
        return self.u * 1, self.u.requires_grad


def test_the_flag_of_a_parameter_that_was_written_is_refused():
    with pytest.raises(ConversionError, match="requires_grad of a tensor isn.t known"):
        dy2st.torch.to_static(Written())(torch.ones(3))


class Statistics(torch.nn.Module):
    """Its buffer and its frozen parameter are written with gradients."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.ones(3))
        self.w = torch.nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
        self.frozen = torch.nn.Parameter(torch.ones(3), requires_grad=False)

    def forward(self, x):
        self.mean.mul_(0.5).add_(x * self.w)
        self.frozen[0] = x[1]
        return (self.mean * x).sum() + self.frozen.sum()


def history(net, module):
    """Flags, gradients and exceptions of three calls; after the second, the state is detached."""
    found = []
    for turn in range(3):
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=turn != 1)
        loss = net(x)
        found.append((loss.item(), [(t.requires_grad, t.is_leaf) for t in (module.mean, module.frozen)]))
        try:
            loss.backward()
            found.append((x.grad.tolist(), module.w.grad.tolist()))
        except RuntimeError as error:
            found.append(str(error)[:60])
        if turn == 1:
            module.mean, module.frozen = module.mean.detach(), torch.nn.Parameter(module.frozen.detach(), requires_grad=False)
    return found


def test_written_parameters_and_buffers_have_torchs_history():
    plain, module = Statistics(), Statistics()
    assert history(dy2st.torch.to_static(module), module) == history(plain, plain)

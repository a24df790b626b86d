"""Gradients of a call that are the incoming one, or equal each other, share no memory: torch adds to them in place."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402


class Shifted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.b, self.c = (torch.nn.Parameter(torch.zeros(3)) for _ in range(2))

    def forward(self, x):
        return x * 2 + self.b + self.c.view(1, 3)[0]


WEIGHT = torch.tensor([1.0, 2.0, 3.0])


def test_two_calls_whose_gradients_meet():
    net = dy2st.torch.to_static(Shifted())
    t = torch.zeros(3, requires_grad=True)
    loss = ((net(torch.ones(3)) + t * 1) * WEIGHT).sum() + (net(torch.zeros(3)) * WEIGHT).sum()
    loss.backward()
    assert torch.equal(t.grad, WEIGHT)
    assert torch.equal(net.b.grad, 2 * WEIGHT)
    assert torch.equal(net.c.grad, 2 * WEIGHT)


def test_a_gradient_that_is_written_leaves_the_others_alone():
    net = dy2st.torch.to_static(Shifted())
    x = torch.ones(3, requires_grad=True)
    y = net(x)
    (y * WEIGHT).sum().backward()
    net.b.grad.zero_()
    assert torch.equal(net.c.grad, WEIGHT)
    assert torch.equal(x.grad, 2 * WEIGHT)

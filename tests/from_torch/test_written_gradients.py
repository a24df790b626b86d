"""Gradients through what PyTorch code writes in place, into tensors and through views, against torch's autograd."""

from __future__ import annotations

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402


def a_row(w):
    x = torch.zeros(3, 4)
    x[0] = w[0] * 2
    return x


def a_view_of_a_view(w):
    x = torch.zeros(3, 4)
    x.view(-1)[:4].copy_(w[1])
    return x


def a_transpose(w):
    x = torch.zeros(3, 4)
    x.t().add_(w.t())
    return x


def a_diagonal(w):
    x = torch.cat([w, w[:1]])
    x.diagonal().mul_(2)
    return x


def a_mask(w):
    x = w.clone()
    x[x > 2] = 0
    return x


def in_a_loop(w):
    x = torch.zeros(3, 4)
    for i in range(3):
        x[i] = w[2 - i] * i
    return x


def index_add(w):
    return (w * 1).index_add_(0, torch.tensor([0, 0]), w[:2])


def index_put(w):
    return torch.zeros(3, 4).index_put((torch.tensor([0, 1]),), w[:2])


def scatter(w):
    x = torch.zeros(3, 4)
    x.scatter_(1, torch.tensor([[1], [2], [0]]), w[:, :1])
    return x


def masked_scatter(w):
    return torch.zeros(3, 4).masked_scatter(w > 1, w * 3)


def detached(w):
    return w.detach().clone().mul_(w)


def ordered(w):
    return w.sort(1).values * torch.arange(4.0) + w.topk(4).values


def windows(w):
    return w.unfold(1, 2, 1) ** 2


def factors(w):
    return torch.linalg.solve(w[:, :3] @ w[:, :3].T + torch.eye(3), w) + torch.linalg.svdvals(w).sum()


FUNCTIONS = [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == __name__]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients(function: Callable) -> None:
    found = []
    for call in (function, dy2st.torch.to_static(function)):
        w = torch.tensor([[1.0, 3.0, 2.0, 0.5], [0.25, 4.0, 1.5, 2.5], [3.5, 0.75, 2.25, 1.25]], requires_grad=True)
        result = call(w)
        (result * result).sum().backward()
        found.append((result.detach(), w.grad))
    for wanted, made in zip(*found):
        torch.testing.assert_close(made, wanted, rtol=1e-3, atol=1e-3)

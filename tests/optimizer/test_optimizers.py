"""Optimizers against torch, step by step; their state, clipping, groups and errors."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import nn, optimizer

START = [np.random.default_rng(i).standard_normal((3, 2)).astype("float64") for i in range(2)]


def parameters():
    return [nn.Parameter(a.copy(), name=f"p{i}") for i, a in enumerate(START)]


def loss_of(p):
    return ((p[0] * p[1]) ** 2).sum() + (p[0] - 1.0).abs().sum()


def run(make, steps=5):
    p = parameters()
    opt = make(p)
    for _ in range(steps):
        loss_of(p).backward()
        opt.step()
        opt.clear_grad()
    return [x.numpy() for x in p], opt, p


CASES = {
    "sgd": (lambda p: optimizer.SGD(0.1, p), lambda t, p: t.SGD(p, 0.1)),
    "sgd decay": (lambda p: optimizer.SGD(0.1, p, weight_decay=0.2), lambda t, p: t.SGD(p, 0.1, weight_decay=0.2)),
    "momentum": (lambda p: optimizer.Momentum(0.05, 0.8, p), lambda t, p: t.SGD(p, 0.05, momentum=0.8)),
    "nesterov": (
        lambda p: optimizer.Momentum(0.05, 0.8, p, use_nesterov=True),
        lambda t, p: t.SGD(p, 0.05, momentum=0.8, nesterov=True),
    ),
    "adam": (lambda p: optimizer.Adam(0.1, parameters=p), lambda t, p: t.Adam(p, 0.1)),
    "adam decay": (
        lambda p: optimizer.Adam(0.1, 0.8, 0.9, 1e-3, p, weight_decay=0.1),
        lambda t, p: t.Adam(p, 0.1, (0.8, 0.9), 1e-3, weight_decay=0.1),
    ),
    "adamw": (lambda p: optimizer.AdamW(0.1, parameters=p), lambda t, p: t.AdamW(p, 0.1, weight_decay=0.01)),
}


@pytest.mark.parametrize(("make", "theirs"), CASES.values(), ids=CASES)
def test_steps_against_torch(make, theirs):
    torch = pytest.importorskip("torch")
    other = [torch.tensor(a, requires_grad=True) for a in START]
    opt = theirs(torch.optim, other)
    for _ in range(5):
        opt.zero_grad()
        loss_of(other).backward()
        opt.step()
    for given, expected in zip(run(make)[0], other):
        np.testing.assert_allclose(given, expected.detach().numpy(), rtol=1e-9)


@pytest.mark.parametrize("make", [c[0] for c in CASES.values()], ids=CASES)
def test_state_continues_where_it_stopped(make):
    whole, _, _ = run(make, 6)
    _, first, half = run(make, 3)
    second = make(half)
    second.set_state_dict(first.state_dict())
    for _ in range(3):
        loss_of(half).backward()
        second.step()
        second.clear_grad()
    for given, expected in zip(half, whole):
        np.testing.assert_array_equal(given.numpy(), expected)


def test_updates_keep_storage_and_count_as_writes():
    p = parameters()
    arrays = [x.numpy() for x in p]
    opt = optimizer.Adam(0.1, parameters=p)
    loss = loss_of(p)
    loss.backward()
    opt.minimize(loss)
    assert all(np.shares_memory(a, x.numpy()) and (a != s).all() for a, x, s in zip(arrays, p, START))
    assert p[0].inplace_version == 1


def test_read_only_weights_are_copied_before_the_first_write():
    p = parameters()
    before = p[0]._data
    before.flags.writeable = False
    loss = loss_of(p)
    loss.backward()
    optimizer.SGD(0.1, p).minimize(loss)
    np.testing.assert_array_equal(before, START[0])
    assert (p[0].numpy() != START[0]).all()


@pytest.mark.parametrize("clip", [nn.ClipGradByGlobalNorm(0.5), nn.ClipGradByNorm(0.5), nn.ClipGradByValue(0.1)])
def test_clipping(clip):
    p = parameters()
    p[1].need_clip = False
    loss_of(p).backward()
    grads = [x.grad.numpy().copy() for x in p]
    optimizer.SGD(1.0, p, grad_clip=clip).step()
    if isinstance(clip, nn.ClipGradByValue):
        expected = np.clip(grads[0], -0.1, 0.1)
    else:
        expected = grads[0] * min(1.0, 0.5 / np.linalg.norm(grads[0]))
    np.testing.assert_allclose(START[0] - p[0].numpy(), expected, rtol=1e-12)
    np.testing.assert_allclose(START[1] - p[1].numpy(), grads[1], rtol=1e-12)
    np.testing.assert_array_equal(p[0].grad.numpy(), grads[0])


def test_the_global_norm_is_of_all_gradients():
    p = parameters()
    loss_of(p).backward()
    total = np.sqrt(sum((x.grad.numpy() ** 2).sum() for x in p))
    optimizer.SGD(1.0, p, grad_clip=nn.ClipGradByGlobalNorm(1.0)).step()
    for x, start in zip(p, START):
        np.testing.assert_allclose(start - x.numpy(), x.grad.numpy() / total, rtol=1e-12)


def test_learning_rates_by_scheduler_group_and_parameter():
    class Halving:
        rate = 0.8

        def get_lr(self):
            self.rate /= 2
            return self.rate

    p = parameters()
    p[1].optimize_attr = {"learning_rate": 0.0}
    opt = optimizer.SGD(Halving(), [{"params": p, "learning_rate": 0.5}])
    loss_of(p).backward()
    gradient = p[0].grad.numpy().copy()
    opt.step()
    np.testing.assert_allclose(START[0] - p[0].numpy(), 0.1 * gradient, rtol=1e-12)
    np.testing.assert_array_equal(p[1].numpy(), START[1])
    with pytest.raises(RuntimeError, match="follows a scheduler"):
        opt.set_lr(0.1)
    plain = optimizer.SGD(0.1, p)
    plain.set_lr(0.7)
    assert plain.get_lr() == 0.7


def test_only_parameters_with_gradients_change():
    p = parameters()
    p[1].stop_gradient = True
    (p[0] * p[1]).sum().backward()
    optimizer.Adam(0.1, parameters=p).step()
    np.testing.assert_array_equal(p[1].numpy(), START[1])


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: optimizer.SGD(0.1), ValueError, "needs parameters"),
        (lambda: optimizer.SGD(0.1, dy2st.ones([1])), TypeError, "a list of Tensors, not one Tensor"),
        (lambda: optimizer.SGD(0.1, [1]), TypeError, "must be Tensors, not int"),
        (lambda: optimizer.SGD("fast", parameters()), TypeError, "a number or a scheduler, not str"),
        (lambda: optimizer.SGD(0.1, parameters(), weight_decay="l2"), TypeError, "weight_decay must be a number"),
        (lambda: optimizer.SGD(0.1, parameters(), grad_clip=1.0), TypeError, "nn.ClipGradBy"),
        (lambda: optimizer.Adam(0.1, beta1=1.0, parameters=parameters()), ValueError, r"beta1 must be in \[0, 1\)"),
        (
            lambda: optimizer.Adam(0.1, parameters=parameters()).set_state_dict({"p0_moment1": np.zeros(9)}),
            ValueError,
            r"p0_moment1 has shape \[9\]",
        ),
    ],
)
def test_errors_say_what_is_wrong(make, error, words):
    with pytest.raises(error, match=words):
        make()

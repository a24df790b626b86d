"""`recompute`: the gradients of plain code, from a forward that keeps the tensors between two checkpoints no more."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.distributed.fleet.utils import recompute
from dy2st.func import grad
from dy2st.passes import backward
from dy2st.static import InputSpec

X = np.linspace(-1, 1, 24, dtype=np.float32).reshape(4, 6)
W = np.linspace(-0.5, 0.6, 36, dtype=np.float32).reshape(6, 6)


def block(x, w):
    y = paddle.tanh(x @ w)
    for _ in range(3):
        y = paddle.tanh(y @ w) * 1.5
    return y


def chain(x, w):
    for _ in range(2):
        x = recompute(block, x, w)
    return (x * x).sum()


def several(x, w):
    def both(x, w):
        y = paddle.exp(x @ w)
        return paddle.sin(y), (y * y, paddle.cos(y))

    a, (b, c) = recompute(both, x, w=w)
    return (a * b * c).sum()


def turns(x, w):
    h = x[0]
    for t in range(x.shape[0]):
        h = paddle.tanh(h @ w + x[t])
    return h


def loop_inside(x, w):
    return (recompute(turns, x, recompute(paddle.tanh, w)) ** 2).sum()


def collected(x, w):
    """A list is filled between the checkpoints."""

    def inner(x, w):
        found = []
        for t in range(x.shape[0]):
            found.append(paddle.tanh(x[t] @ w))
        return paddle.exp(paddle.stack(found))

    return recompute(inner, x, w).sum()


def inside_a_loop(x, w):
    h, total = x[0], x.sum()
    for t in range(x.shape[0]):
        h = recompute(lambda h, row: paddle.tanh(paddle.tanh(h @ w) @ w + row), h, x[t])
        total = total + (h * h).sum()
    return total


def inside_a_branch(x, w):
    if x.sum() > -10:
        x = recompute(block, x, w)
    else:
        x = x @ w
    return x.sum()


def branch_inside(x, w):
    def inner(x, w):
        y = paddle.tanh(x @ w)
        if y.sum() > 0:
            y = paddle.tanh(y) * y
        else:
            y = paddle.sin(y) * y
        return paddle.exp(y)

    return recompute(inner, x, w).sum()


def nested(x, w):
    return recompute(lambda x, w: paddle.tanh(recompute(block, paddle.sin(x), w)), x, w).sum()


def written(x, w):
    """A tensor that is written afterwards is kept, since a second read would see the write."""
    mask = paddle.ones([4, 6])
    y = recompute(lambda x: paddle.tanh(paddle.exp(x) + mask), x)
    total = (y @ w).sum()
    mask[0] = 5.0
    return total + mask.sum()


FUNCTIONS = [chain, several, loop_inside, collected, inside_a_loop, inside_a_branch, branch_inside, nested, written]


def slopes_of(function):
    x, w = (paddle.to_tensor(array, stop_gradient=False) for array in (X, W))
    function(x, w).backward()
    return [x.grad.numpy(), w.grad.numpy()]


@pytest.mark.parametrize("rows", [4, None])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradients_are_those_of_plain_code(function, rows):
    static = paddle.jit.to_static(function, input_spec=[InputSpec([rows, 6], "float32", "x"), InputSpec([6, 6], "float32", "w")])
    for _ in range(2):
        for found, expected in zip(slopes_of(static), slopes_of(function)):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def kept_by(function, rows=4):
    """The types of what forward keeps, without the inputs and the result."""
    static = paddle.jit.to_static(function, input_spec=[InputSpec([rows, 6], "float32", "x"), InputSpec([6, 6], "float32", "w")])
    split = backward.split(static.concrete_program.program, [0, 1])
    return [str(v.type) for v in split.program.functions[split.forward].block.ops[-2].operands]


def test_forward_keeps_what_goes_in_and_comes_out():
    def plain(x, w):
        for _ in range(2):
            x = block(x, w)
        return (x * x).sum()

    assert len(kept_by(chain)) == 5  # the result, the end, the tensor in the middle, w and x
    assert len(kept_by(plain)) > 10


def test_turns_of_a_loop_between_checkpoints_are_not_kept():
    assert any(text.startswith("list") for text in kept_by(lambda x, w: turns(x, w).sum(), None))
    assert not any(text.startswith("list") for text in kept_by(loop_inside, None))


def test_masks_of_dropout_are_those_of_the_forward():
    net = paddle.jit.to_static(lambda x: recompute(lambda x: paddle.tanh(nn.functional.dropout(paddle.exp(x), 0.5)), x))
    x = paddle.to_tensor(X, stop_gradient=False)
    for _ in range(2):
        x.clear_grad()
        y = net(x)
        y.sum().backward()
        np.testing.assert_array_equal(x.grad.numpy() == 0, y.numpy() == 0)
        slope = (1 - y.numpy() ** 2) * 2 * np.exp(X) * (y.numpy() != 0)
        np.testing.assert_allclose(x.grad.numpy(), slope, rtol=1e-4, atol=1e-6)


def test_gradients_in_the_function_itself():
    function = grad(lambda x: chain(x, paddle.to_tensor(W)))
    x = paddle.to_tensor(X, stop_gradient=False)
    chain(x, paddle.to_tensor(W)).backward()
    np.testing.assert_allclose(function(paddle.to_tensor(X)).numpy(), x.grad.numpy(), rtol=1e-5, atol=1e-6)


def test_a_step_in_the_function():
    class Step(nn.Layer):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 6), nn.BatchNorm1D(6), nn.Tanh())
            self.optimizer = paddle.optimizer.SGD(0.1, self.net.parameters())

        def forward(self, x):
            loss = (recompute(self.net, x) ** 2).mean()
            loss.backward()
            self.optimizer.step()
            self.optimizer.clear_grad()
            return loss

    losses = []
    for make in (lambda net: net, paddle.jit.to_static):
        paddle.seed(0)
        step = make(Step())
        losses.append([float(step(paddle.to_tensor(X))) for _ in range(4)])
    np.testing.assert_allclose(*losses, rtol=1e-5)


def test_a_loaded_model_computes_again(tmp_path):
    net = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 6))

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self, x):
            return recompute(self.net, x)

    static = paddle.jit.to_static(Net(), input_spec=[InputSpec([None, 6], "float32", "x")])
    paddle.jit.save(static, str(tmp_path / "net"))
    loaded = paddle.jit.load(str(tmp_path / "net"))
    x = [paddle.to_tensor(X, stop_gradient=False) for _ in range(2)]
    for one, given in zip((net, loaded), x):
        one(given).sum().backward()
    np.testing.assert_allclose(x[1].grad.numpy(), x[0].grad.numpy(), rtol=1e-5)

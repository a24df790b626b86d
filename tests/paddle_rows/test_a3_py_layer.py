"""a.3, the last two rows: layers whose backward the user writes, and recomputation."""

from __future__ import annotations

import io

import numpy as np
import pytest
from limits.agree import UP, VECTOR, plain

import dy2st as paddle
import dy2st.nn as nn
from dy2st.autograd import PyLayer

to_static = paddle.jit.to_static
SIGNS = (1, -1)


class Cubed(PyLayer):
    """A gradient that is not that of its forward: ten times as much."""

    @staticmethod
    def forward(ctx, x, k=1):
        y = x**3 if x.sum() > 0 else x * 2
        ctx.save_for_backward(x)
        ctx.k = k
        return y * k

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * x * x * 30 * ctx.k


class Decides(PyLayer):
    """A backward that asks for the values of a tensor, and leaves a trace."""

    seen = []

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, dy):
        Decides.seen.append(plain(dy))
        return dy * 7 if dy.sum() > 3 else dy * 5


class Two(PyLayer):
    """Two results and nested inputs; one result is no number that anybody differentiates."""

    @staticmethod
    def forward(ctx, pair, table):
        a, b = pair[0], table["b"]
        ctx.save_for_backward(a, b)
        ctx.rest = {"shape": a.shape, "items": [a + 1, 2]}
        sign = a > 0
        ctx.mark_non_differentiable(sign)
        return a * b, [a + b, sign], "text"

    @staticmethod
    def backward(ctx, d_product, d_sum, d_sign):
        a, b = ctx.saved_tensor()
        length = ctx.rest["shape"][0]
        return d_product * b + d_sum * ctx.rest["items"][1], d_product * ctx.rest["items"][0] + d_sum * length


def cubes(x):
    return Cubed.apply(x, k=2) + Cubed.apply(x * 0.5)


def decides(x):
    return Decides.apply(x * 3)


def two(x):
    product, (total, sign), text = Two.apply([x], {"b": x * 2})
    return product.sum() + (total * sign.astype("float32")).sum() if text == "text" else x


def under_no_grad(x):
    with paddle.no_grad():
        y = Cubed.apply(x)
    return y * x


def in_a_branch(x):
    if x.sum() > 0:
        return Cubed.apply(x) * 2
    return Decides.apply(x)


class Outer(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return Cubed.apply(x) + 1

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.x


def nested(x):
    return Outer.apply(x)


class Scaled(PyLayer):
    """What it keeps is known only when the Program runs: a number of a loop, and one of a branch."""

    @staticmethod
    def forward(ctx, x, i):
        ctx.i, ctx.up = i, 2
        if x.sum() > 0:
            ctx.up = 3
        return x * i

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.i * ctx.up


def in_a_loop(x):
    for i in range(x.argmax() + 1):
        x = Scaled.apply(x, i + 1)
    return x


def gradient_of(function, sign):
    x = paddle.to_tensor(UP * sign, stop_gradient=False)
    y = function(x)
    y.sum().backward()
    return plain(y), plain(x.grad)


@pytest.mark.parametrize("function", [cubes, decides, two, under_no_grad, in_a_branch, nested, in_a_loop])
def test_a3_15_layers_with_a_backward_of_their_own(function):
    static = to_static(function)
    file = io.BytesIO()
    paddle.jit.save(to_static(function, input_spec=[VECTOR]), file)
    file.seek(0)
    loaded = paddle.jit.load(file)
    for sign in (*SIGNS, 1):
        assert gradient_of(static, sign) == gradient_of(function, sign)
        assert plain(loaded(paddle.to_tensor(UP * sign))) == plain(function(paddle.to_tensor(UP * sign)))


def test_a3_15_the_gradient_is_the_users():
    assert gradient_of(Cubed.apply, 1)[1] == ("float32", [30.0, 120.0, 270.0])
    stopped = to_static(cubes)(paddle.to_tensor(UP))
    assert stopped.stop_gradient and cubes(paddle.to_tensor(UP)).stop_gradient


def test_a3_15_the_backward_runs_as_it_is_each_time():
    Decides.seen.clear()
    static = to_static(decides)
    gradient_of(static, 1), gradient_of(static, -1)
    assert Decides.seen == [("float32", [1.0, 1.0, 1.0])] * 2


def test_a3_15_a_loaded_model_holds_the_forward_only():
    class Net(nn.Layer):
        def forward(self, x):
            return Local.apply(x)

    class Local(Cubed):
        pass

    file = io.BytesIO()
    paddle.jit.save(Net(), file, input_spec=[VECTOR])
    from dy2st.ops.custom_gradient import GRADIENTS

    names = [name for name in GRADIENTS if "Local" in name]
    gone = {name: GRADIENTS.pop(name) for name in names}  # as in another process
    file.seek(0)
    x = paddle.to_tensor(UP, stop_gradient=False)
    y = paddle.jit.load(file)(x)
    assert names and gone and plain(y) == plain(Cubed.apply(paddle.to_tensor(UP)))
    with pytest.raises(paddle.errors.Dy2stError, match="Local is Python code, which a saved model doesn't hold"):
        y.sum().backward()


class Wrong(PyLayer):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, dy):
        return dy


def test_a3_15_a_backward_that_gives_too_few():
    x = paddle.to_tensor(UP, stop_gradient=False)
    for function in (Wrong.apply, to_static(lambda x, y: Wrong.apply(x, y))):
        with pytest.raises(ValueError, match="gives 1 gradients, its forward takes 2"):
            function(x, x).sum().backward()


def test_a3_15_gradients_of_gradients():
    found = []
    for function in (lambda x: Cubed.apply(x), to_static(lambda x: Cubed.apply(x))):
        x = paddle.to_tensor(UP, stop_gradient=False)
        (once,) = paddle.grad(function(x).sum(), x, create_graph=True)
        (twice,) = paddle.grad(once.sum(), x)
        found.append(plain(twice))
    assert found[0] == found[1] == ("float32", [60.0, 120.0, 180.0])


class Block(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear, self.drop = nn.Linear(3, 3), nn.Dropout(0.5)
        self.linear.weight.set_value(np.eye(3, dtype=np.float32))

    def body(self, x, k):
        return self.drop(self.linear(x)) * k if x.sum() > 0 else self.linear(x)

    def forward(self, x):
        return paddle.distributed.fleet.utils.recompute(self.body, x, k=3, use_reentrant=False) + x


def test_a3_16_recomputation():
    """The values, gradients and random numbers of a plain call, as in eager Paddle; nothing is computed twice."""
    found = []
    for wrap in (lambda net: net, to_static):
        net = wrap(Block())
        for sign in SIGNS:
            paddle.seed(3)
            found.append((*gradient_of(net, sign), plain(net.linear.weight.grad)))
    assert found[:2] == found[2:]


def test_a3_16_function_is_another_name():
    assert paddle.autograd.Function is PyLayer
    x = paddle.to_tensor(UP, stop_gradient=False)
    paddle.autograd.backward([(x * 2).sum(), (x * 3).sum()], [None, paddle.to_tensor(10.0)])
    assert plain(x.grad) == ("float32", [32.0, 32.0, 32.0])
    assert np.isfinite(x.grad.numpy()).all()

"""`t.stop_gradient = ...` of what lies outside, of inputs and of results: as in plain Python after each call, or refused."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([2], default_initializer=paddle.nn.initializer.Constant(2.0))
        self.scale = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
        self.plain = paddle.to_tensor([5.0, 6.0])
        self.parts = [paddle.to_tensor([7.0, 8.0])]

    def product(self, x):
        return (x * self.weight * self.scale * self.plain * self.parts[0]).sum()


def frozen_on_a_path(net, x):
    if x.sum() > 0:
        net.weight.stop_gradient = True
    return net.product(x)


def let_free_on_a_path(net, x):
    if x.sum() > 0:
        net.plain.stop_gradient = False
    return net.product(x)


def an_item_on_a_path(net, x):
    if x.sum() > 0:
        net.parts[0].stop_gradient = False
    return net.product(x)


def by_setattr(net, x):
    setattr(net.weight, "stop_gradient", True) if x.sum() > 0 else setattr(net.weight, "stop_gradient", False)
    return net.product(x)


def in_a_loop(net, x):
    i = 0
    while i < x.sum():
        net.weight.trainable = False
        i += 1
    return net.product(x)


def after_a_raise(net, x):
    if x.sum() > 0:
        raise ValueError
    net.weight.stop_gradient = True
    return net.product(x)


def by_a_staged_bool(net, x):
    net.weight.stop_gradient = bool(x.sum() > 0)
    return net.product(x)


def by_a_tensor(net, x):
    net.weight.stop_gradient = x.sum() > 0
    return net.product(x)


def an_input(net, x):
    x.stop_gradient = False
    return net.product(x)


def an_input_used_before(net, x):
    y = net.product(x)
    x.stop_gradient = False
    return net.product(x) + y


def an_input_on_a_path(net, x):
    if x.sum() > 0:
        x.stop_gradient = False
    return net.product(x)


def a_result_on_a_path(net, x):
    y = x * net.weight
    if x.sum() > 0:
        y.stop_gradient = True
    return net.product(y)


def a_result_let_free_on_a_path(net, x):
    with paddle.no_grad():
        y = x * net.weight
        if x.sum() > 0:
            y.stop_gradient = False
    return net.product(y)


def detached_in_place(net, x):
    y = x * net.weight
    y.detach_()
    return net.product(y)


def detached_in_place_on_a_path(net, x):
    y = x * net.weight
    if x.sum() > 0:
        y.detach_()
    return net.product(y)


def a_parameter_detached(net, x):
    net.weight.detach_()
    return net.product(x)


def detached_on_a_path(net, x):
    y = x * net.weight
    if x.sum() > 0:
        y = y.detach()
    return net.product(y)


def frozen(net, x):
    net.weight.stop_gradient = True
    return net.product(x)


def toggled(net, x):
    net.weight.stop_gradient = not net.weight.stop_gradient
    return net.product(x)


def toggled_while_staging_begins_again(net, x):
    net.weight.trainable = not net.weight.trainable
    net.count = getattr(net, "count", 0) + 1
    return net.product(x) * net.count


def other_attributes(net, x):
    if x.sum() > 0:
        net.weight.kind = 1
    else:
        net.weight.kind = 2
    net.weight.kind += 1
    net.plain.persistable = True
    return net.product(x) * net.weight.kind


REFUSED = [
    frozen_on_a_path, let_free_on_a_path, an_item_on_a_path, by_setattr, in_a_loop, after_a_raise, by_a_staged_bool, by_a_tensor,
    an_input_used_before, an_input_on_a_path, a_result_on_a_path, a_result_let_free_on_a_path, detached_in_place_on_a_path,
]  # fmt: skip
RIGHT = [
    an_input, detached_in_place, a_parameter_detached, detached_on_a_path, frozen, toggled, toggled_while_staging_begins_again,
    other_attributes,
]  # fmt: skip


@pytest.mark.parametrize("function", REFUSED)
def test_what_the_path_would_decide_is_refused_and_nothing_is_changed(function):
    net = Net()
    x = paddle.to_tensor([-1.0, -2.0])
    with pytest.raises(ConversionError, match="stop_gradient = "):
        paddle.jit.to_static(function)(net, x)
    assert [t.stop_gradient for t in (net.weight, net.plain, net.parts[0], x)] == [False, True, True, True]


@pytest.mark.parametrize("function", RIGHT)
def test_results_flags_and_gradients_are_those_of_plain_python(function):
    def seen(call):
        net = Net()
        for sign in (1.0, -1.0, 1.0):
            x = paddle.to_tensor([1.0 * sign, 2.0 * sign], stop_gradient=False)
            held = [net.weight, net.scale, net.plain, *net.parts, x]
            for tensor in held:
                tensor.clear_grad()
            loss = call(net, x)
            loss.backward()
            yield loss.item(), [(t.stop_gradient, t.grad is not None and t.grad.tolist()) for t in held]
            yield net.plain.persistable, vars(net.weight).get("kind")

    assert list(seen(paddle.jit.to_static(function))) == list(seen(function))

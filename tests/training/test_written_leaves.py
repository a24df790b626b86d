"""A static function that writes a leaf of which gradients are asked raises what plain Python raises, whatever it returns."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.static import InputSpec


class Net(paddle.nn.Layer):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        self.weight = self.create_parameter([2])

    def forward(self, x):
        return WRITES[self.kind](self, x)


def beside_the_result(net, x):
    net.weight.add_(x)
    return x * 2


def on_a_path(net, x):
    if x.sum() > 0:
        net.weight[0] = x[0]
    return x * 2


def through_a_view(net, x):
    net.weight[:1].multiply_(x[:1])
    return x * 2


def without_gradients(net, x):
    with paddle.no_grad():
        net.weight.add_(x)
    return x * 2


WRITES = {f.__name__: f for f in (beside_the_result, on_a_path, through_a_view, without_gradients)}


def outcome(net, call, sign):
    net.weight.set_value([1.0, 2.0])
    try:
        call(paddle.to_tensor([sign * 1.0, sign * 2.0]))
    except RuntimeError as error:
        return type(error), "leaf tensor" in str(error), net.weight.tolist()
    return net.weight.tolist(), net.weight.stop_gradient, net.weight.is_leaf


@pytest.mark.parametrize("kind", WRITES)
@pytest.mark.parametrize("frozen", [False, True])
def test_a_leaf_is_written_as_in_plain_python(kind, frozen):
    plain, static = Net(kind), Net(kind)
    converted = jit.to_static(static, input_spec=[InputSpec([2])])
    plain.weight.stop_gradient = static.weight.stop_gradient = frozen
    for sign in (1, -1, 1):
        assert outcome(static, converted, sign) == outcome(plain, plain, sign)

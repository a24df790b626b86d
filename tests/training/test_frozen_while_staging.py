"""A weight that a static function freezes is frozen by its calls, as in plain Python, and not by staging (S-13)."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.errors import ConversionError
from dy2st.static import InputSpec


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(2, 2)


class Freezing(Net):
    def forward(self, x):
        self.linear.weight.stop_gradient = True
        return self.linear(x)


class Failing(Net):
    def forward(self, x):
        self.linear.weight.stop_gradient = True
        return self.linear(x) + undefined  # noqa: F821


class Refused(Net):
    def forward(self, x):
        self.linear.weight.stop_gradient = True
        y = self.linear(x)
        self.linear.bias.stop_gradient = y.sum() > 0
        return y


def static_form(net):
    return jit.to_static(net, input_spec=[InputSpec([None, 2], "float32")])


def test_s_13_staging_alone_freezes_nothing(tmp_path):
    net = static_form(Freezing())
    assert net.forward.concrete_program is not None
    assert not net.linear.weight.stop_gradient
    jit.save(net, str(tmp_path / "net"))
    assert not net.linear.weight.stop_gradient


def test_s_13_a_call_freezes_as_in_plain_python():
    plain, static = Freezing(), static_form(Freezing())
    assert static.forward.concrete_program is not None
    for net in (plain, static):
        for _ in range(3):
            net(paddle.ones([1, 2])).sum().backward()
            assert net.linear.weight.stop_gradient and net.linear.weight.grad is None
            assert net.linear.bias.grad is not None
        net.linear.weight.stop_gradient = False
        net(paddle.ones([1, 2])).sum().backward()
        assert net.linear.weight.grad is None and net.linear.weight.stop_gradient


@pytest.mark.parametrize("cls", [Failing, Refused])
def test_s_13_staging_that_fails_freezes_nothing(cls):
    net = static_form(cls())
    with pytest.raises((NameError, ConversionError)):
        _ = net.forward.concrete_program
    assert not net.linear.weight.stop_gradient


def test_s_13_a_call_that_raises_has_frozen_what_it_has_come_to():
    for net in (Failing(), static_form(Failing())):
        with pytest.raises(NameError):
            net(paddle.ones([1, 2]))
        assert net.linear.weight.stop_gradient


def test_s_13_a_call_that_is_refused_has_frozen_nothing():
    net = static_form(Refused())
    with pytest.raises(ConversionError):
        net(paddle.ones([1, 2]))
    assert not net.linear.weight.stop_gradient

"""P-05: how Paddle's users write conversion and training."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.static import InputSpec

X = paddle.to_tensor([[1.0, 2.0]])


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear, self.seen = nn.Linear(2, 2), []

    def helper(self, x):
        self.seen.append(type(x).__name__)
        return x * 2

    def forward(self, x):
        return self.helper(self.linear(x))

    @paddle.jit.to_static
    def twice(self, x):
        return x * 2

    @classmethod
    @paddle.jit.to_static
    def of_the_class(cls, x):
        return x * len(cls.__name__)


def test_p_05_not_to_static_takes_a_bound_method():
    net = Net()
    assert paddle.jit.not_to_static(net.helper) == net.helper
    static = paddle.jit.to_static(net)
    static(X)
    assert "seen" in static.helper.__func__.__code__.co_names and getattr(Net.helper, "__dy2st_skip__", False)


def added(alpha, beta):
    return alpha + beta


def test_p_05_unnamed_specs_take_the_names_of_the_parameters():
    static = paddle.jit.to_static(added, input_spec=[InputSpec([None, 2]), InputSpec([None, 2], name="gamma")])
    assert [spec.name for spec in static.inputs] == ["alpha", "gamma"]
    assert "main(%alpha: float32[?,2], %gamma: float32[?,2])" in str(static.concrete_program.program)


class Step(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 1)
        self.optimizer = paddle.optimizer.SGD(0.1, parameters=self.linear.parameters())

    def forward(self, x):
        loss = self.linear(x).sum()
        loss.backward()
        self.optimizer.minimize(loss)
        self.optimizer.clear_grad()
        return loss


def test_p_05_minimize_steps_after_backward_also_in_a_static_function():
    plain = Step()
    static = Step()
    static.set_state_dict(plain.state_dict())
    paddle.jit.to_static(static)
    for _ in range(3):
        assert float(static(X)) == float(plain(X))
    assert static.linear.weight.tolist() == plain.linear.weight.tolist()


def test_p_05_minimize_without_gradients_changes_nothing_and_refuses_others_parameters():
    net, other = nn.Linear(2, 1), nn.Linear(2, 1)
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    before = net.weight.tolist()
    assert optimizer.minimize(net(X).sum()) == ([], []) and net.weight.tolist() == before
    with pytest.raises(ValueError, match="parameters of this optimizer"):
        optimizer.minimize(net(X).sum(), parameters=other.parameters())


def test_p_05_rollback_gives_an_object_its_decorated_method_back():
    net, other = Net(), Net()
    assert net.twice(X).tolist() == [[2, 4]] and not isinstance(net.twice, type(Net.helper))
    net.twice.rollback()
    assert net.twice.__func__ is Net.twice.dygraph_function and net.twice(X).tolist() == [[2, 4]]
    assert other.twice(X).tolist() == [[2, 4]] and hasattr(other.twice, "rollback")


def test_p_05_a_class_method_may_be_static():
    assert Net.of_the_class(X).tolist() == Net().of_the_class(X).tolist() == [[3, 6]]
    assert len(type("Longer", (Net,), {}).of_the_class(X).tolist()[0]) == 2


class Super:
    def super(self, x):
        return x + 2


def test_p_05_a_function_may_be_called_super():
    def super(x):
        return x + 1

    def calls_it(x):
        return super(x) * Super().super(x)

    assert paddle.jit.to_static(calls_it)(X).tolist() == calls_it(X).tolist() == [[6, 12]]
    assert paddle.jit.to_static(super)(X).tolist() == paddle.jit.to_static(Super().super)(X - 1).tolist() == [[2, 3]]


def test_p_05_build_strategy_may_be_false():
    assert paddle.jit.to_static(added, build_strategy=False)(X, X).tolist() == [[2, 4]]
    with pytest.raises(TypeError, match="build_strategy"):
        paddle.jit.to_static(added, build_strategy=True)

"""The guide, sections 6 and 7: default arguments, train and infer branches, exporting other functions than forward."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.jit import to_static
from dy2st.static import InputSpec

X = np.random.default_rng(6).standard_normal((4, 10), dtype=np.float32)
Y = np.array([1.0, -2.0, 0.5], np.float32)
SPECS = [InputSpec([None, 10], "float32", "x"), InputSpec([3], "float32", "y")]


class DefaultsNet(paddle.nn.Layer):
    def __init__(self, mask):
        super().__init__()
        self.linear = paddle.nn.Linear(10, 3)
        self.mask = paddle.to_tensor(mask)

    def forward(self, x, y, cmd="bn", rate=0.1, flag=False):
        out = self.linear(x)
        out = out + y
        if cmd == "bn":
            out = out * rate
        if flag:
            out = -out
        out = out * self.mask
        return out


def by_hand(net, rate=0.1, sign=1):
    return sign * rate * (X @ net.linear.weight.numpy() + net.linear.bias.numpy() + Y) * net.mask.numpy()


def test_section_6_1_default_arguments_are_what_is_exported(tmp_path, fresh, same):
    """6.1 Default parameters: str, float and bool defaults are constants of the saved Program."""
    net = DefaultsNet([0.0, 1.0, 1.0])
    to_static(net, input_spec=SPECS)
    same(by_hand(net), net(paddle.to_tensor(X), paddle.to_tensor(Y)))
    paddle.jit.save(net, str(tmp_path / "net"))
    same([by_hand(net)], fresh(str(tmp_path / "net"), [X, Y]))


def test_section_6_1_other_values_give_other_programs(same):
    """6.1 A call with other non-tensor values follows them."""
    net = to_static(DefaultsNet([1.0, 1.0, 1.0]))
    x, y = paddle.to_tensor(X), paddle.to_tensor(Y)
    same(by_hand(net), net(x, y))
    same(by_hand(net, rate=2.0), net(x, y, rate=2.0))
    same(by_hand(net, rate=1.0, sign=-1), net(x, y, cmd="none", flag=True))


class TrainingNet(paddle.nn.Layer):
    def forward(self, x):
        if self.training:
            out = paddle.mean(x)
        else:
            out = paddle.sum(x)
        return out


def test_section_6_2_eval_exports_the_eval_branch_only(tmp_path, fresh, same):
    """6.2 Train and infer branches: model.eval() switches, and only that branch is exported."""
    model = TrainingNet()
    model.eval()
    path = str(tmp_path / "model")
    jit.save(model, path, input_spec=[InputSpec([None, 10], "float32", "x")])
    loaded = jit.load(path)
    assert "mean" not in str(loaded.program())
    same([X.sum()], fresh(path, [X]))


def test_section_6_2_train_and_eval_switch_the_staged_model(same):
    """6.2 The same model follows train() and eval() between calls."""
    model = to_static(TrainingNet(), input_spec=[InputSpec([None, 10], "float32", "x")])
    x = paddle.to_tensor(X)
    same(X.mean(), model(x))
    model.eval()
    same(X.sum(), model(x))
    model.train()
    same(X.mean(), model(x))


class TwoFunctions(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(10, 3)

    def forward(self, x, y):
        out = self.linear(x)
        out = out + y
        return out

    def another_func(self, x):
        out = self.linear(x)
        out = out * 2
        return out


def test_section_7_a_function_other_than_forward_is_exported(tmp_path, fresh, same, monkeypatch):
    """7. Exporting a non-forward function: to_static(net.another_func), then jit.save(static_func)."""
    monkeypatch.chdir(tmp_path)
    net = TwoFunctions()
    net.eval()
    x_spec = InputSpec(shape=[None, 10], dtype="float32", name="x")
    static_func = to_static(net.another_func, input_spec=[x_spec])
    paddle.jit.save(static_func, path="another_func")
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "another_func.info.json",
        "another_func.model.json",
        "another_func.params.safetensors",
    ]
    expected = (X @ net.linear.weight.numpy() + net.linear.bias.numpy()) * 2
    same(expected, static_func(paddle.to_tensor(X)))
    same([expected], fresh(tmp_path / "another_func", [X]))


def test_section_7_a_spec_that_does_not_fit_the_layer_is_an_error_at_the_users_line():
    """7. The guide's snippet says shape=[None, 3] for a Linear(10, 3): that is refused, with both numbers."""
    static_func = to_static(TwoFunctions().another_func, input_spec=[InputSpec([None, 3], "float32", "x")])
    with pytest.raises(ValueError, match=r"(?s)10.*3|3.*10"):
        static_func.concrete_program  # noqa: B018

"""Fifty steps of training: plain, static and loaded models have the same losses, parameters and buffers."""

import copy

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit

from . import models

STEPS = 50


def train(net, model, steps=STEPS):
    """The losses; the labels follow the inputs."""
    paddle.seed(7)
    optimizer = paddle.optimizer.Momentum(0.01, parameters=net.parameters())
    losses = []
    for step in range(steps):
        batch = model.batch(step).astype("float32")
        label = paddle.to_tensor((batch.reshape(len(batch), -1).sum(axis=1) > 0).astype("int64"))
        loss = paddle.nn.functional.cross_entropy(net(paddle.to_tensor(batch)), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return losses


def held(net):
    return {name: tensor.numpy() for name, tensor in net.state_dict().items()}


@pytest.mark.parametrize("model", [models.Perceptron, models.Recurrent, models.EarlyExit])
def test_the_same_losses(model, tmp_path):
    paddle.seed(1)
    plain = model()
    static = jit.to_static(copy.deepcopy(plain), input_spec=[model.spec])
    jit.save(static, str(tmp_path / "net"))
    loaded = jit.load(str(tmp_path / "net"))
    expected = train(plain, model)
    assert np.mean(expected[-10:]) < np.mean(expected[:10])
    for net in (static, loaded):
        np.testing.assert_allclose(train(net, model), expected, rtol=1e-4)
        for name, array in held(plain).items():
            np.testing.assert_allclose(held(net)[name], array, rtol=1e-3, atol=1e-5)
    programs = static.forward.concrete_program.gradients
    assert programs.reason is None  # it trained through a backward Program


def test_several_forwards_before_one_backward():
    paddle.seed(1)
    plain = models.Perceptron()
    static = jit.to_static(copy.deepcopy(plain), input_spec=[models.Perceptron.spec])
    for net in (plain, static):
        paddle.seed(3)
        outs = [net(paddle.to_tensor(models.Perceptron.batch(k).astype("float32"))) for k in range(3)]
        (outs[0] * outs[1] + outs[2]).sum().backward()
    for one, other in zip(plain.parameters(), static.parameters()):
        np.testing.assert_allclose(other.grad.numpy(), one.grad.numpy(), rtol=1e-4, atol=1e-5)
    for name, array in held(plain).items():  # the statistics were updated once per call
        np.testing.assert_allclose(held(static)[name], array, rtol=1e-5)


def test_inference_keeps_nothing():
    net = models.Perceptron()
    net.eval()
    static = jit.to_static(net, input_spec=[models.Perceptron.spec])
    x = paddle.to_tensor(models.Perceptron.batch(0).astype("float32"))
    with paddle.no_grad():
        assert static(x).stop_gradient
    assert not static(x).stop_gradient
    assert not static.forward.concrete_program.gradients.at_once
    static(x).sum().backward()
    assert static.forward.concrete_program.gradients.at_once


def test_what_is_changed_before_backward_is_noticed():
    def f(x):
        return x.exp()

    for function in (f, jit.to_static(f)):
        x = paddle.ones([3])
        x.stop_gradient = False
        function(x).sum().backward()  # from now on, the static function keeps what its backward needs
        y = function(x)
        y.add_(paddle.ones([3]))
        with pytest.raises(RuntimeError, match="changed in place"):
            y.sum().backward()


def test_parameters_changed_before_backward_are_noticed():
    plain = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 1))
    static = jit.to_static(copy.deepcopy(plain))
    for net in (plain, static):
        x = paddle.ones([1, 2])
        net(x).sum().backward()
        loss = net(x).sum()
        paddle.optimizer.SGD(0.1, parameters=net.parameters()).step()
        with pytest.raises(RuntimeError, match="changed in place"):
            loss.backward()


def test_arrays_may_be_used_again(tmp_path):
    net = jit.to_static(paddle.nn.Linear(2, 1), input_spec=[models.InputSpec([None, 2], "float32")])
    jit.save(net, str(tmp_path / "net"))
    for form in (net, jit.load(str(tmp_path / "net"))):
        for _ in range(2):
            batch = np.array([[1.0, 2.0]], "float32")
            loss = form(batch).sum()
            batch[:] = 100.0
            loss.backward()
        weight = next(p for p in form.parameters() if p.shape == [2, 1])
        np.testing.assert_array_equal(weight.grad.numpy(), [[2.0], [4.0]])


def test_a_cache_between_calls_keeps_its_history(tmp_path):
    class Memory(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.weight, self.last = paddle.nn.Linear(3, 3), None

        def forward(self, x):
            y = self.weight(x)
            if self.last is not None:
                y = y + self.last * 0.5
            self.last = y
            return y

    paddle.seed(0)
    plain = Memory()
    static = jit.to_static(copy.deepcopy(plain), input_spec=[paddle.static.InputSpec([2, 3])])
    jit.save(static, str(tmp_path / "net"))
    loaded = jit.load(str(tmp_path / "net"))
    for net in (plain, static, loaded):
        for k in range(3):
            y = net(paddle.full([2, 3], float(k + 1)))
        y.sum().backward()
        with paddle.no_grad():
            net(paddle.ones([2, 3]))
        net(paddle.ones([2, 3])).sum().backward()  # the call before has left a tensor without history
    for form in (static, loaded):
        for one, other in zip(plain.parameters(), form.parameters()):
            np.testing.assert_allclose(other.grad.numpy(), one.grad.numpy(), rtol=1e-5)


def test_a_gradient_of_a_gradient_runs_from_where_the_call_started(tmp_path, capsys):
    class Counting(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.calls, self.scales = 0, [1.0, paddle.ones([2])]

        def forward(self, x):
            self.calls += 1
            self.scales[1] = self.scales[1] * 2
            print("called")
            return x**3 * self.calls * self.scales[1]

    static = jit.to_static(Counting(), input_spec=[paddle.static.InputSpec([2])])
    jit.save(static, str(tmp_path / "net"))
    for net in (static, jit.load(str(tmp_path / "net"))):
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        for calls in (1, 2, 3):
            y = net(x).sum()
            for _ in range(2):
                (first,) = paddle.grad(y, [x], create_graph=True)
                (second,) = paddle.grad(first.sum(), [x])
                np.testing.assert_allclose(first.numpy(), 3 * x.numpy() ** 2 * calls * 2**calls)
                np.testing.assert_allclose(second.numpy(), 6 * x.numpy() * calls * 2**calls)
    assert static.calls == 3
    assert capsys.readouterr().out == "called\n" * 6


def test_a_gradient_of_a_gradient_where_tensors_share_memory_that_is_written():
    class Shared(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("whole", paddle.ones([2]))
            self.register_buffer("part", self.whole[:1])

        def forward(self, x):
            y = x**3 + self.part
            self.whole.add_(paddle.ones([2]))
            return y

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = jit.to_static(Shared())(x).sum()
    (slope,) = paddle.grad(y, [x], create_graph=True)
    (second,) = paddle.grad(slope.sum(), [x])
    np.testing.assert_allclose(second.numpy(), [6.0, 12.0])


def hooked(x):
    x.register_hook(lambda g: g * 2)
    y = x * x
    if x.sum() > 0:
        y.register_hook(lambda g: g + 1)
    y.register_hook(print)
    return y * x


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_hooks_on_an_input_and_inside(sign, capsys):
    seen = []
    for form in (hooked, jit.to_static(hooked)):
        x = paddle.to_tensor([sign, 2 * sign], stop_gradient=False)
        form(x).sum().backward()
        seen.append((x.grad.numpy().tolist(), capsys.readouterr().out))
    assert seen[0] == seen[1] and "Tensor" in seen[0][1]


def an_item(x):
    rows = []
    for i in range(x.shape[0]):
        rows.append(x * i)
    rows[0].stop_gradient = True
    return rows[0] * x


def in_a_branch(x):
    y = x * 2
    if x.sum() > 0:
        y.stop_gradient = True
    return y * x


def stopped_and_wanted_again(x):
    y = x * 2
    y.stop_gradient = True
    y.stop_gradient = False
    return y * x


@pytest.mark.parametrize(
    ("function", "words"),
    [(an_item, "detach"), (in_a_branch, "detach"), (stopped_and_wanted_again, "detach")],
)
def test_what_a_program_would_not_follow_is_refused(function, words):
    with pytest.raises(paddle.errors.Dy2stError, match=words) as caught:
        jit.to_static(function, input_spec=[paddle.static.InputSpec([None])])(paddle.ones([2]))
    assert f"{__file__}:{function.__code__.co_firstlineno}"[:-2] in str(caught.value) or "test_models.py" in str(caught.value)


def written_without_gradient(x):
    y = x * 2
    with paddle.no_grad():
        y.add_(x)
        z = y * 3
    return y * z


def test_writes_without_a_gradient():
    grads = []
    for function in (written_without_gradient, jit.to_static(written_without_gradient)):
        for _ in range(2):
            x = paddle.to_tensor(np.array([1.0, 2.0], "float32"), stop_gradient=False)
            function(x).sum().backward()
            grads.append(x.grad.numpy())
    assert all(np.array_equal(grads[0], g) for g in grads)


class Exponential(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensor()
        return gradient * y


def test_a_gradient_of_a_gradient_goes_through_a_result_that_a_py_layer_keeps():
    def exponential(x):
        return Exponential.apply(x * 2).sum()

    for form in (exponential, jit.to_static(exponential)):
        x = paddle.to_tensor([0.5, 1.0], stop_gradient=False)
        (first,) = paddle.grad(form(x), [x], create_graph=True)
        np.testing.assert_allclose(first.numpy(), 2 * np.exp(2 * x.numpy()), rtol=1e-6)
        np.testing.assert_allclose(paddle.grad(first.sum(), [x])[0].numpy(), 4 * np.exp(2 * x.numpy()), rtol=1e-6)

"""What a static function may give, and what may be done with it, while gradients flow."""

import copy

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit

from . import models

WEIGHT = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)


def the_input(x):
    return x


def a_captured_tensor(x):
    return WEIGHT, x * WEIGHT


def one_tensor_in_several_places(x):
    y = x * 2
    return {"first": y, "second": [y, y]}


def one_list_twice(x):
    rows = [x * 2]
    for i in range(x.shape[0]):
        rows.append(x[i] * 3)
    return rows, rows


def a_view_and_its_base(x):
    y = x * 2
    return y[:2], y


def a_base_written_through_views(x):
    base = paddle.zeros([2, 3])
    base.t()[1:, 0].add_(x[1:])
    aside = paddle.zeros([2, 3])
    aside.detach()[0].add_(x)
    return base * 2, aside * 2


def a_number_beside(x):
    n = 0
    while x.sum() > 1:
        x = x / 2
        n += 1
    return x, n


def only_integers(x):
    return x.argmax(), (x > 0).sum()


FUNCTIONS = [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == __name__]


def tensors(value):
    if isinstance(value, paddle.Tensor):
        return [] if value.stop_gradient else [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [t for item in items for t in tensors(item)]


def gradients(function, at_once):
    """Of all results together, or one after the other."""
    x = paddle.to_tensor([1.0, -2.0, 3.0], stop_gradient=False)
    WEIGHT.clear_grad(False)
    found = tensors(function(x))
    if at_once and found:
        sum((t * (k + 1)).sum() for k, t in enumerate(found)).backward()
    elif found:
        for t in found:
            t.sum().backward(retain_graph=True)
    return [None if t.grad is None else t.grad.numpy().tolist() for t in (x, WEIGHT)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("at_once", [True, False])
def test_results(function, at_once):
    static = jit.to_static(function)
    for _ in range(2):
        assert gradients(static, at_once) == gradients(function, at_once)


def a_step(x, state):
    y = (x * WEIGHT).tanh() + state
    matches = (y > 0).astype("float32").mean()
    return y, y.detach() * 2, (matches, paddle.zeros([1]), x), {"y": y}


def test_results_without_a_gradient_say_so():
    static = jit.to_static(a_step)
    for stopped in (True, False):
        for _ in range(2):
            found = []
            for function in (a_step, static):
                x, state = paddle.to_tensor([1.0, -2.0, 3.0], stop_gradient=stopped), paddle.zeros([3])
                for _ in range(2):  # the state leads back to nothing that backward() has freed
                    y, state, more, named = function(x, state)
                    y.sum().backward()
                found.append([t.stop_gradient for t in (y, state, *more, named["y"])])
            assert found[0] == found[1] == [False, True, True, True, stopped, False]


def test_a_penalty_on_the_gradient_by_the_input(tmp_path):
    plain = paddle.nn.Linear(3, 2)
    static = jit.to_static(copy.deepcopy(plain), input_spec=[paddle.static.InputSpec([None, 3])])
    jit.save(static, str(tmp_path / "net"))
    found = []
    for net in (plain, static, jit.load(str(tmp_path / "net"))):
        for _ in range(2):
            x = paddle.to_tensor([[1.0, -2.0, 3.0]], stop_gradient=False)
            (slope,) = paddle.grad((net(x) ** 2).sum(), [x], create_graph=True)
            net.clear_gradients()
            ((slope**2).sum() - 1).backward()
            found.append(next(p for p in net.parameters() if p.shape == [3, 2]).grad.numpy())
            assert not any(p.stop_gradient for p in net.parameters())
    for gradient in found[1:]:
        np.testing.assert_allclose(gradient, found[0], rtol=1e-4)


def test_backward_twice():
    static = jit.to_static(the_input)
    y = static(paddle.to_tensor([1.0], stop_gradient=False)).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="retain_graph"):
        y.backward()


def test_a_gradient_of_a_gradient_draws_the_same_numbers_and_writes_statistics_once():
    paddle.seed(1)
    plain = models.Perceptron()
    static = jit.to_static(copy.deepcopy(plain))
    found = []
    for net in (plain, static):
        paddle.seed(5)
        x = paddle.to_tensor(models.Perceptron.batch(0).astype("float32"), stop_gradient=False)
        (slope,) = paddle.grad(net(x).sum(), [x], create_graph=True)
        (slope * slope).sum().backward()
        found.append([x.grad.numpy(), *(t.numpy() for t in net.buffers()), paddle.rand([2]).numpy()])
    for one, other in zip(*found):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)

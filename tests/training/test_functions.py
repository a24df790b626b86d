"""Gradients through static functions, staged and loaded, are those of plain Python."""


import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.static import InputSpec

from . import trained

SPECS = [InputSpec([None, 3], "float32"), InputSpec([3, 3], "float32")]
rng = np.random.RandomState(3)
ROWS = [rng.randn(4, 3), rng.randn(1, 3), -np.abs(rng.randn(3, 3)), np.abs(rng.randn(5, 3)) * 0.5]
WEIGHT = rng.randn(3, 3) * 0.7


def leaf(array):
    return paddle.to_tensor(array.astype("float32"), stop_gradient=False)


def total(value):
    """One number that every tensor of a result takes part in."""
    if isinstance(value, paddle.Tensor):
        return (value * value.cos()).sum() if value.dtype == paddle.float32 else 0.0
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return sum((total(item) for item in items), paddle.zeros([]))


def gradients(function, rows):
    """The result, and the gradients of both inputs by `backward()`."""
    x, w = leaf(rows), leaf(WEIGHT)
    result = total(function(x, w))
    result.backward()
    return [float(result), *(None if t.grad is None else t.grad.numpy() for t in (x, w))]


def assert_same(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert (one is None) == (other is None)
        if other is not None:
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("function", trained.ALL, ids=lambda f: f.__name__)
def test_as_plain_python(function, tmp_path):
    static = jit.to_static(function, input_spec=SPECS)
    jit.save(static, str(tmp_path / "f"))
    loaded = jit.load(str(tmp_path / "f"))
    for rows in ROWS:
        expected = gradients(function, rows)
        for form in (static, loaded):
            assert_same(gradients(form, rows), expected)
            assert_same(gradients(form, rows), expected)  # once more, now that gradients are known to be asked for


@pytest.mark.parametrize("function", trained.ALL, ids=lambda f: f.__name__)
def test_higher_order(function):
    static = jit.to_static(function, input_spec=SPECS)

    def second(f, rows):
        x, w = leaf(rows), leaf(WEIGHT)
        first = paddle.grad(total(f(x, w)), [x, w], create_graph=True, allow_unused=True)
        square = sum(((g * g).sum() for g in first if g is not None and not g.stop_gradient), x.sum() * 0)
        found = paddle.grad(square, [x, w], allow_unused=True)
        return [float(square), *(None if g is None else g.numpy() for g in found)]

    for rows in ROWS[:2]:
        assert_same(second(static, rows), second(function, rows))


class Repeated(nn.Layer):
    """A layer that a recursive method uses."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def times(self, x, n):
        return x.detach() if n <= 0 else self.layer(self.times(x, n - 1)).tanh()

    def forward(self, x):
        return self.times(x, x.argmax() % 3).sum()


class Filling(Repeated):
    """The method gives nothing: it fills a list."""

    def fill(self, outs, x, n):
        if n >= 0:
            outs.append(self.layer(x.detach()).tanh())
            self.fill(outs, x * 0.5, n - 1)

    def forward(self, x):
        outs = []
        self.fill(outs, x, x.argmax() % 3)
        return paddle.stack(outs).mean(axis=0).sum()


class Folding(Repeated):
    """The method gets an object, or None."""

    def fold(self, link):
        return self.fold(link.rest) * 0.5 + link.value.tanh() if link is not None else paddle.zeros([3])

    def forward(self, x):
        last = None
        for row in x:
            last = trained.Link(self.layer(row), last)
        return self.fold(last).sum()


@pytest.mark.parametrize("model", [Repeated, Filling, Folding])
def test_layers_and_recursive_methods(model):
    paddle.seed(0)
    plain = model()
    static = jit.to_static(model(), input_spec=SPECS[:1])
    static.set_state_dict(plain.state_dict())
    for rows in ROWS:
        found = []
        for net in (plain, static):
            result = net(leaf(rows).detach())
            if not result.stop_gradient:
                result.backward()
            found.append([float(result), *(None if p.grad is None else p.grad.numpy() for p in net.parameters())])
            net.clear_gradients()
        assert_same(found[1], found[0])
    assert static.forward.concrete_program.gradients.reason is None

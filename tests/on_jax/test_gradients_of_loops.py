"""`jax.grad` goes back through loops that data ends: the gradients are those of eager code, whatever the number of turns."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

from jax.sharding import Mesh  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

SPECS = [InputSpec([2, 3], "float32", "x"), InputSpec([3, 3], "float32", "w")]


def until_small(x, w):
    while x.abs().max() > 0.01:
        x = paddle.tanh(x @ w)
    return (x + 1).pow(2).sum()


def left_by_a_break(x, w):
    for i in range(200):
        x = paddle.sin(x @ w)
        if x.abs().max() < 0.1:
            break
    return (x * (i + 1)).sum()


def one_in_another(x, w):
    n = 0
    while x.abs().max() > 0.05 and n < 60:
        k = 0
        while k < 3 and x.sum() > -50:
            x = paddle.tanh(x @ w)
            k += 1
        n += 1
    return (x * x).sum() + x.sum()


def rows(x, w):
    outs = []
    while x.abs().max() > 0.05 and len(outs) < 50:
        x = paddle.sin(x @ w)
        outs.append(x * 2)
    found = paddle.stack(outs)
    return (found**2).sum() + paddle.log(found.abs() * w[0].abs() + 1).sum() + x.sum()


def branches(x, w):
    total = paddle.zeros([])
    i = 0
    while x.abs().max() > 0.02:
        x = paddle.sin(x @ w)
        total = total + x.abs().sum() if x.mean() > 0 else total + (x * w[i % 3]).sum()
        i += 1
    return total


def no_turn(x, w):
    while x.sum() > 1e9:
        x = x * 2
    return (x @ w).sum()


FUNCTIONS = [until_small, left_by_a_break, one_in_another, rows, branches, no_turn]


def some(seed: int) -> tuple:
    """Inputs for which each loop has some turns, each row of a batch as many as it has."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(3, 2, 3))
    turned = np.linalg.qr(rng.normal(size=(3, 3, 3)))[0] * np.asarray([0.5, 0.8, 0.93])[:, None, None]
    return x.astype("float32"), turned.astype("float32")


def of_eager(function, x, w):
    given = [paddle.to_tensor(v, stop_gradient=False) for v in (x, w)]
    function(*given).backward()
    return [v.grad.numpy() for v in given]


def by_jax(function, **options):
    f, params = dy2st.jax.function(function, SPECS, **options)
    return lambda x, w: f(params, x, w)[0]


def close(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize(
    ("function", "capacity"),
    [*((function, None) for function in FUNCTIONS), *((function, 3) for function in FUNCTIONS if function is not rows)],
)
def test_gradients_are_those_of_eager_code(function, capacity):
    grad = jax.jit(jax.grad(by_jax(function, list_capacity=capacity), (0, 1)))
    for x, w in zip(*some(0)):
        close(grad(x, w), of_eager(function, x, w))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_batch_whose_rows_have_their_own_number_of_turns(function):
    loss, (xs, ws) = by_jax(function), some(1)
    wanted = [np.stack(parts) for parts in zip(*(of_eager(function, x, w) for x, w in zip(xs, ws)))]
    close(jax.jit(jax.vmap(jax.grad(loss, (0, 1))))(xs, ws), wanted)
    close(jax.jit(jax.grad(lambda xs, ws: jax.vmap(jax.checkpoint(loss))(xs, ws).sum(), (0, 1)))(xs, ws), wanted)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradients_inside_a_mesh(function):
    loss, (xs, ws) = by_jax(function), some(2)
    mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
    summed = jax.shard_map(
        lambda x, w: jax.lax.psum(loss(x[0], w), "data"), mesh=mesh, in_specs=(P("data"), P()), out_specs=P()
    )  # fmt: skip
    found = jax.jit(jax.grad(summed, (0, 1)))(xs[:1], ws[0])
    close((found[0][0], found[1]), of_eager(function, xs[0], ws[0]))


def told(x, w):
    i = 0
    while x.abs().max() > 0.3:
        x = paddle.sin(x @ w)
        print("turn", i)
        i += 1
    return x.sum()


def test_a_turn_that_is_computed_again_prints_no_more(capsys):
    (x, *_), (w, *_) = some(3)
    of_eager(told, x, w)
    once = capsys.readouterr().out
    jax.block_until_ready(jax.grad(by_jax(told))(x, w))
    jax.effects_barrier()
    assert once.count("turn") > 1 and sorted(capsys.readouterr().out.split("\n")) == sorted(once.split("\n"))


def drawn(x, w):
    total = paddle.zeros([])
    while x.abs().max() > 0.3:
        x = paddle.sin(x @ w)
        total = total + (x * paddle.rand([2, 3])).sum()
    return total


def test_a_turn_that_is_computed_again_draws_the_same():
    (x, *_), (w, *_) = some(4)
    f, params = dy2st.jax.function(drawn, SPECS)

    def loss(x, w):
        return f(params, x, w)[0]

    step, direction = 1e-3, np.random.default_rng(5).normal(size=x.shape).astype("float32")
    slope = (loss(x + step * direction, w) - loss(x - step * direction, w)) / (2 * step)
    np.testing.assert_allclose((jax.grad(loss)(x, w) * direction).sum(), slope, rtol=2e-2)


def checked(x, w):
    n = 0
    while x.abs().max() > 0.01:
        x = paddle.tanh(x @ w)
        n += 1
        if n > 4:
            raise ValueError("too many turns")
    return x.sum()


def test_an_exception_ends_the_loop_and_is_told():
    (x, *_), (w, *_) = some(0)
    f, params = dy2st.jax.function(checked, SPECS)

    def loss(x):
        found, _, status = f(params, x, w)
        return found, status

    gradient, status = jax.grad(loss, has_aux=True)(x)
    assert np.isfinite(gradient).all()
    with pytest.raises(ValueError, match="too many turns"):
        status.throw()


def smooth(x, w):
    outs = []
    while (x * x).sum() > 0.01:
        x = paddle.sin(x @ w)
        outs.append(x)
    return (paddle.stack(outs) ** 3).sum() + (x * w).sum()


def test_second_derivatives_are_those_of_turns_written_out():
    (x, *_), (w, *_) = some(6)
    x = x[:1]
    direction = np.random.default_rng(7).normal(size=w.shape).astype("float32")
    f, params = dy2st.jax.function(smooth, [InputSpec([1, 3], "float32", "x"), InputSpec([3, 3], "float32", "w")])

    def product(loss):
        return jax.grad(lambda w: (jax.grad(loss, 1)(x, w) * direction).sum())(w)

    np.testing.assert_allclose(product(lambda x, w: f(params, x, w)[0]), product(_unrolled(x, w)), rtol=1e-4, atol=1e-5)


def _unrolled(x, w):
    """`smooth` in JAX, with as many turns as these inputs need."""
    turns, y = 0, x
    while (y * y).sum() > 0.01:
        y, turns = np.sin(y @ w), turns + 1

    def loss(x, w):
        total = 0.0
        for _ in range(turns):
            x = jax.numpy.sin(x @ w)
            total = total + (x**3).sum()
        return total + (x * w).sum()

    assert turns > 3
    return loss

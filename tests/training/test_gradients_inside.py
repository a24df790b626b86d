"""Gradients that code asks for itself are plain Python's, static and loaded: values, flags, further gradients (R-02, R-04)."""

from __future__ import annotations

import numpy as np
import pytest
from programs.models_that_differentiate import PROGRAMS

import dy2st as paddle
from dy2st import jit
from dy2st.errors import Dy2stError
from dy2st.static import InputSpec


def arguments_of(program, seed):
    return [paddle.to_tensor(np.random.RandomState(seed).rand(*shape).astype("float32")) for shape in program.arguments]


def seen(net, arguments):
    """The results, the flags of results and arguments, and the gradients of parameters and arguments."""
    for p in net.parameters():
        p.clear_grad(False)
    result = net(*arguments)
    results = result if isinstance(result, tuple) else (result,)
    sum((x * x).sum() for x in results if not x.stop_gradient).backward()
    flags = [(x.stop_gradient, x.is_leaf) for x in (*results, *arguments)]
    gradients = [x.grad for _, x in sorted(net.named_parameters())] + [x.grad for x in arguments]
    return [x.numpy() for x in results], flags, [None if g is None else g.numpy() for g in gradients]


def assert_same(found, wanted):
    for kind in (0, 2):
        for one, other in zip(found[kind], wanted[kind], strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)
    assert found[1] == wanted[1]


@pytest.mark.parametrize("program", PROGRAMS)
def test_r_02_programs_that_differentiate_themselves(program, tmp_path):
    paddle.seed(0)
    plain, static = program(), program()
    static.set_state_dict(plain.state_dict())
    jit.to_static(static, input_spec=[InputSpec([None, *shape[1:]]) for shape in program.arguments])
    jit.save(static, str(tmp_path / "net"))
    loaded = jit.load(str(tmp_path / "net"))
    for seed in (0, 1):
        wanted = seen(plain, arguments_of(program, seed))
        assert_same(seen(static, arguments_of(program, seed)), wanted)
        assert_same(seen(loaded, arguments_of(program, seed)), wanted)


# --- one call ------------------------------------------------------------------------------------------------------------


def in_between(x, n):
    h = x * 2
    of_h, of_x = paddle.grad((h**3).sum(), [h, x], create_graph=True)
    return (of_h * of_x).sum()


def several_outputs(x, n):
    return paddle.grad([(x * n).sum(), x**2 * n], [x, n], [None, paddle.ones([2])], create_graph=True, allow_unused=True)[0]


def on_a_path(x, n):
    u = (x**3).sum()
    if n > 0:
        return paddle.grad(u, x, create_graph=True)[0]
    return x * 2


def through_a_loop(x, n):
    h = x * 1.0
    while n > 0:
        h = h * x
        n = n - 1
    first = paddle.grad(h.sum(), x, create_graph=True)[0]
    return paddle.grad(first.sum(), x, create_graph=True)[0]


def in_a_loop(x, n):
    y = x * 1.0
    while n > 0:
        slope = paddle.grad((y**3 - 2).sum(), y, create_graph=True)[0]
        y = y - (y**3 - 2) / slope
        n = n - 1
    return y


def in_a_branch_of_a_loop(x, n):
    y = x * 1.0
    while n > 0:
        value = (y**2).sum()
        if n > 1:
            y = y - 0.1 * paddle.grad(value, y, create_graph=True)[0]
        n = n - 1
    return y


def without_a_graph(x, n):
    return x * paddle.grad((x**3).sum(), x, retain_graph=True)[0]


def a_new_leaf(x, n):
    made = paddle.to_tensor(paddle.zeros([2]), stop_gradient=False)
    return (x + made).sum() * n


def a_new_leaf_in_the_result(x, n):
    made = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    return made, made * x


def a_leaf_on_a_path(x, n):
    made = x.detach()
    made.stop_gradient = False
    return made if n > 1 else made * 2


ONE_CALL = [
    in_between, several_outputs, on_a_path, through_a_loop, in_a_loop, in_a_branch_of_a_loop, without_a_graph, a_new_leaf,
    a_new_leaf_in_the_result, a_leaf_on_a_path,
]  # fmt: skip


def outcome(call, turns):
    x = paddle.to_tensor([1.5, 2.0], stop_gradient=False)
    result = call(x, paddle.to_tensor(turns))
    results = result if isinstance(result, tuple) else (result,)
    flags = [(r.stop_gradient, r.is_leaf) for r in results]
    if not results[-1].stop_gradient:
        (results[-1] * results[-1]).sum().backward()
    gradients = [None if t.grad is None else t.grad.numpy() for t in (x, *results)]
    return [r.numpy() for r in results], flags, gradients


@pytest.mark.parametrize("function", ONE_CALL)
def test_one_call(function):
    static = jit.to_static(function)
    for turns in (3.0, 2.0):
        assert_same(outcome(static, turns), outcome(function, turns))


def test_the_second_derivative_of_a_loop_on_the_tape():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    static = jit.to_static(through_a_loop)
    for _ in range(2):  # the first call keeps nothing, and its backward runs on the tape
        result = static(x, paddle.to_tensor(3.0))
        np.testing.assert_allclose(result.numpy(), 12 * x.numpy() ** 2)  # of x ** 4
        (third,) = paddle.grad(result.sum(), x, create_graph=True)
        np.testing.assert_allclose(third.numpy(), 24 * x.numpy())
        (fourth,) = paddle.grad(third.sum(), x)
        np.testing.assert_allclose(fourth.numpy(), [24.0, 24.0])


def test_zeros_like_a_tensor_have_no_gradient():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    for call in (paddle.zeros_like, jit.to_static(lambda x: paddle.zeros_like(x)), lambda x: paddle.full_like(x, 2.0)):
        assert call(x).stop_gradient


# --- refused -------------------------------------------------------------------------------------------------------------


def in_an_earlier_turn(x, n):
    h = x * 0
    while n > 0:
        h = h + x**2
        h = h + paddle.grad(h.sum(), x, retain_graph=True)[0]
        n = n - 1
    return h


def after_its_use(x, n):
    y = x * n
    x.stop_gradient = False
    return paddle.grad((x * y).sum(), x)[0]


def past_a_tensor(x, n):
    h = x * 2
    return paddle.grad((x * h).sum(), x, no_grad_vars=[h])[0]


REFUSED = [
    (in_an_earlier_turn, False, "begins in an earlier turn of the loop"),
    (after_its_use, True, "of an input that was used before: set it before"),
    (past_a_tensor, False, r"takes no no_grad_vars; write y = x.detach\(\)"),
]


@pytest.mark.parametrize(("function", "stops", "words"), REFUSED, ids=[f.__name__ for f, _, _ in REFUSED])
def test_refused_at_the_line(function, stops, words):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=stops)
    with pytest.raises(Dy2stError, match=words) as caught:
        jit.to_static(function)(x, paddle.to_tensor(2.0))
    assert "test_gradients_inside.py" in str(caught.value)

"""Writes to memory that a gradient still needs: every form raises where the tape does, and only there."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.func import grad
from dy2st.passes.backward import NotDifferentiableError
from dy2st.runtime.tensors.tape import OverwrittenError
from dy2st.static import InputSpec

from . import late_writes

SPEC = [InputSpec([None], "float32", "x")]
OPEN = [InputSpec([None], "float32", "x"), InputSpec([3], "float32", "m")]


def gradient(function, values=(1.0, 2.0, 3.0)):
    x = paddle.to_tensor(list(values), stop_gradient=False)
    function(x).sum().backward()
    return x.grad.numpy()


def forms(function, folder):
    """The function, static and loaded."""
    static = jit.to_static(function, input_spec=SPEC)
    jit.save(static, str(folder / "saved"))
    return static, jit.load(str(folder / "saved"))


def using(name):
    """A function that writes an operand after its use."""
    values, use = late_writes.OPERANDS[name]

    def function(x):
        m = paddle.to_tensor(values)
        y = use(x, m)
        m[0] = values[-1]
        return y.sum()

    return function


@pytest.mark.parametrize("function", late_writes.LATE, ids=lambda f: f.__name__)
def test_a_late_write_raises(function, tmp_path):
    for form in (function, *forms(function, tmp_path)):
        for _ in range(2):  # once more, after a gradient has been asked for
            with pytest.raises(OverwrittenError, match="changed in place"):
                gradient(form)


@pytest.mark.parametrize("function", [*late_writes.FINE, *late_writes.BY_PATH], ids=lambda f: f.__name__)
def test_other_writes_are_fine(function, tmp_path):
    expected = gradient(function)
    for form in forms(function, tmp_path):
        for _ in range(2):
            np.testing.assert_allclose(gradient(form), expected, rtol=1e-6)


@pytest.mark.parametrize("function", late_writes.FINE, ids=lambda f: f.__name__)
def test_other_writes_keep_the_backward_program(function):
    static = jit.to_static(function, input_spec=SPEC)
    gradient(static)
    assert static.concrete_program.gradients.reason is None


@pytest.mark.filterwarnings("ignore:to_tensor of a constant")
@pytest.mark.parametrize("name", late_writes.OPERANDS)
def test_masks_indices_and_labels(name, tmp_path):
    function = using(name)
    try:
        expected = gradient(function)
    except OverwrittenError:
        expected = None
    assert (expected is None) is (name not in ("one_hot", "mse_loss"))  # which keep a tensor computed of the operand
    for form in forms(function, tmp_path):
        if expected is None:
            with pytest.raises(OverwrittenError):
                gradient(form)
        else:
            np.testing.assert_allclose(gradient(form), expected, rtol=1e-6)


def test_the_reason_has_the_line_of_the_write():
    static = jit.to_static(late_writes.weight, input_spec=SPEC)
    with pytest.raises(OverwrittenError):
        gradient(static)
    reason = str(static.concrete_program.gradients.reason)
    line = late_writes.weight.__code__.co_firstlineno + 3
    assert f"late_writes.py:{line}: setitem changes in place what the gradient of multiply needs" in reason


def test_gradient_of_a_function():
    with pytest.raises(NotDifferentiableError, match="changes in place"):
        grad(late_writes.weight)(paddle.ones([3]))


def test_without_gradient_the_program_is_the_same():
    static = jit.to_static(late_writes.weight, input_spec=SPEC)
    with paddle.no_grad():
        static(paddle.ones([3]))
        static(paddle.ones([3]))
    assert static.concrete_program.gradients.reason is None and not static.concrete_program.gradients._pairs.values()


# --- between calls ---


def first_element(m):
    m[0] = 5.0
    return m.sum()


def first_of_list(ms):
    ms[0][0] = 5.0
    return ms[0].sum()


@pytest.mark.parametrize("call", [first_element, lambda m: first_of_list([m])], ids=["tensor", "list"])
@pytest.mark.parametrize("is_static", [False, True])
def test_a_static_function_writes_its_input(call, is_static):
    function = jit.to_static(call) if is_static else call
    for _ in range(3):  # also by way of the written call
        m, x = paddle.ones([3]), paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
        y = (m * x).sum()
        with paddle.no_grad():
            function(m)
        with pytest.raises(OverwrittenError):
            y.backward()


def test_what_a_list_of_an_input_holds_is_no_write_to_it():
    def stacked(x):
        items = [x]
        t = x * 2
        items.append(t)
        t[0] = 1.0
        return paddle.stack(items).sum()

    static = jit.to_static(stacked)
    m, x = paddle.ones([3]), paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    y = (m * x).sum()
    static(m)
    y.backward()
    np.testing.assert_array_equal(x.grad.numpy(), [1, 1, 1])


def masked(x):
    m = x > 1.5
    return paddle.where(m, x * 2, x).sum(), m


def weighted(x):
    m = paddle.ones([3])
    return (m * x).sum(), m


def exponential(x):
    y = paddle.exp(x)
    return y.sum() * 2, y


@pytest.mark.parametrize("function", [masked, weighted, exponential], ids=lambda f: f.__name__)
def test_results_are_written(function):
    static = jit.to_static(function)
    for form in (function, static, static):
        x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
        y, m = form(x)
        m[0] = 1
        with pytest.raises(OverwrittenError):
            y.backward()
        y, m = form(x)
        y.backward()
        m[0] = 1  # nothing needs it any more


def two_inputs(x, a, b):
    y = a * x
    b[0] = 5.0
    return y.sum()


@pytest.mark.parametrize("views", [lambda m: (m[0], m[0]), lambda m: (m[0], m[0, :]), lambda m: (m[0], m[1])])
def test_inputs_that_share_memory(views):
    for form in (two_inputs, jit.to_static(two_inputs)):
        x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
        with pytest.raises(OverwrittenError):
            form(x, *views(paddle.ones([2, 3]))).backward()

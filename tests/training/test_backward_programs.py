"""The backward of a Program is a Program: its gradients are those of the tape and of finite differences; it has one, too."""

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.ir.core import Program
from dy2st.ir.verify import verify
from dy2st.jit.interface.result_flags import EVERYWHERE
from dy2st.jit.interface.result_leaves import floating, gradient_of_result
from dy2st.ops.registry import OPERATORS
from dy2st.passes import backward
from dy2st.runtime.engine import compile_program
from dy2st.static import InputSpec

from . import trained

rng = np.random.RandomState(3)
ROWS = [rng.randn(4, 3), rng.randn(1, 3), -np.abs(rng.randn(3, 3)), np.abs(rng.randn(5, 3)) * 0.5]
WEIGHT = rng.randn(3, 3) * 0.7
FIRST_ONLY = ("in_place_in_a_loop", "popped", "pairs", "nested_loops", "replaced_items", "structure", "returned_list", "optional")
KERNEL = paddle.ones([2, 3, 1, 1])
SCALARS = [f for f in trained.PURE if f.__name__ not in ("arithmetic", "structure", "returned_list")]


def staged(function, dtype="float32") -> Program:
    specs = [InputSpec([None, 3], dtype), InputSpec([3, 3], dtype)]
    return jit.to_static(function, input_spec=specs).concrete_program.program


def leaf(array, stop_gradient=False):
    return paddle.to_tensor(np.asarray(array, "float32"), stop_gradient=stop_gradient)


def tensors(value):
    if isinstance(value, paddle.Tensor):
        return [value] if value.dtype == paddle.float32 else []
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [t for item in items for t in tensors(item)]


@pytest.mark.parametrize("function", trained.PURE, ids=lambda f: f.__name__)
def test_against_the_tape(function):
    program = staged(function)
    whole = compile_program(backward.gradient(program, [0, 1]))
    parts = backward.split(program, [0, 1])
    apart = compile_program(parts.program)
    for rows in ROWS:
        x, w = leaf(rows), leaf(WEIGHT)
        results = tensors(function(x, w))
        weights = [leaf(np.random.RandomState(k).uniform(-1, 1, t.shape), True) for k, t in enumerate(results)]
        known = [(t, g) for t, g in zip(results, weights) if not t.stop_gradient]
        found = paddle.grad([t for t, _ in known], [x, w], [g for _, g in known], allow_unused=True)
        expected = [None if g is None else g.numpy() for g in found]

        inputs = x.numpy(), w.numpy()
        result, *kept = apart.run("forward", *inputs)
        assert len(floating(result, EVERYWHERE, EVERYWHERE)) == len(results)
        given = gradient_of_result(result, EVERYWHERE, EVERYWHERE, iter([g.numpy() for g in weights]))
        for _ in range(2):  # what forward keeps can be read again
            gradients = dict(zip(parts.given, apart.run("backward", *kept, given)))
            for key, gradient in enumerate(expected):
                assert (gradients.get(key) is None) == (gradient is None)
                if gradient is not None:
                    np.testing.assert_allclose(gradients[key], gradient, rtol=1e-4, atol=1e-5)
        for one, gradient in zip(whole(*inputs, given), expected):
            np.testing.assert_allclose(one, 0 * one if gradient is None else gradient, rtol=1e-4, atol=1e-5)


def finite_differences(run, inputs, number):
    """The slopes of the one number that `run` gives, by each element of input `number`."""
    slopes = np.zeros(inputs[number].shape)
    for at in np.ndindex(slopes.shape):
        sides = []
        for step in (1e-5, -1e-5):
            moved = [np.array(a) for a in inputs]
            moved[number][at] += step
            sides.append(float(run(*moved)))
        slopes[at] = (sides[0] - sides[1]) / 2e-5
    return slopes


@pytest.mark.parametrize("function", SCALARS, ids=lambda f: f.__name__)
def test_against_finite_differences(function):
    program = staged(function, "float64")
    run, slopes = compile_program(program), compile_program(backward.gradient(program, [0, 1]))
    inputs = ROWS[0], WEIGHT
    for number, gradient in enumerate(slopes(*inputs, np.ones(()))):
        if function not in trained.STOPPING:  # where finite differences see more
            np.testing.assert_allclose(gradient, finite_differences(run, inputs, number), rtol=1e-5, atol=1e-6)


TWICE = [f for f in SCALARS if f.__name__ not in FIRST_ONLY and f not in trained.CONTAINERS]


@pytest.mark.parametrize("function", TWICE, ids=lambda f: f.__name__)
def test_a_gradient_of_a_gradient(function):
    first = backward.gradient(staged(function, "float64"), [0])
    run, second = compile_program(first), compile_program(backward.gradient(first, [0]))
    inputs = (ROWS[0], WEIGHT, np.ones(()))
    (gradient,) = second(*inputs, (np.ones(ROWS[0].shape),))
    if function not in trained.STOPPING:
        np.testing.assert_allclose(gradient, finite_differences(lambda *a: run(*a)[0].sum(), inputs, 0), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("function", trained.BY_TAPE, ids=lambda f: f.__name__)
def test_what_has_no_backward_program_says_why_at_the_line(function):
    with pytest.raises(backward.NotDifferentiableError) as caught:
        backward.split(staged(function), [0, 1])
    file, line, _ = str(caught.value).split(":", 2)
    first = function.__code__.co_firstlineno
    assert file == trained.__file__ and first < int(line) < first + 12


def test_a_second_gradient_through_containers_is_refused():
    first = backward.gradient(staged(trained.objects), [0])
    with pytest.raises(backward.NotDifferentiableError, match="a gradient of a gradient through containers"):
        backward.gradient(first, [0])


def test_a_gradient_that_knows_more_of_the_shape_than_the_loop_it_enters():
    def grown(x, w):
        h = x
        while h.sum() < 10:
            h = paddle.reshape(h * w, [x.shape[0], -1, x.shape[2], x.shape[3]])
        return paddle.nn.functional.conv2d(h, KERNEL).sum()

    program = jit.to_static(grown, input_spec=[InputSpec([None] * 4), InputSpec([])]).concrete_program.program
    verify(backward.split(program, [0, 1]).program, OPERATORS)

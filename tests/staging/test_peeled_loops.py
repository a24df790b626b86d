"""Loops whose first turn is unlike the later ones are right, and don't grow with the number of turns."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from property.compare import saved_and_loaded
from property.modules import forget, module_of
from support.sampling import sampled

import dy2st as paddle
from dy2st import jit
from dy2st.config import limits
from dy2st.static import InputSpec
from staging.first_turns import CACHES, LOOPS, written

GRID = [(cache, loop) for cache in CACHES for loop in LOOPS]
STARTS = ((2, 0.1), (1, 3.0), (3, -0.01), (4, 0.0))


@pytest.fixture(autouse=True)
def few_operations(monkeypatch):
    monkeypatch.setattr(limits, "unroll_operations", 400)


def outcome(function, rows, scale):
    """Arrays of the result, or the class of the exception."""
    x = np.random.RandomState(rows).randn(rows, 3) * scale
    try:
        return [None if part is None else np.asarray(part) for part in function(paddle.to_tensor(x))]
    except (TypeError, AttributeError, IndexError, KeyError) as error:  # no turn has filled the cache
        return type(error).__name__


def agree(plain, other):
    for start in STARTS:
        expected, found = outcome(plain, *start), outcome(other, *start)
        if isinstance(expected, str) or isinstance(found, str):
            assert found == expected, start
        else:
            for a, b in zip(expected, found, strict=True):
                assert (a is None) == (b is None)
                if a is None:
                    continue
                np.testing.assert_allclose(b, a, rtol=1e-12, err_msg=str(start))


def staged(text):
    module = module_of(text)
    static = jit.to_static(module.f, input_spec=[InputSpec([None, 3], "float64", "h")])
    return module, static, len(list(static.concrete_program.program.walk()))


@pytest.mark.long
@pytest.mark.parametrize(("cache", "loop"), sampled(GRID, 24))
def test_the_grid(cache, loop):
    plain = module_of(written(cache, loop, 24))
    module, static, operations = staged(written(cache, loop, 24))
    agree(plain.f, static)
    agree(plain.f, saved_and_loaded(static))
    longer, _, more = staged(written(cache, loop, 40))
    assert more == operations
    for one in (plain, module, longer):
        forget(one)


def test_a_peeled_loop_is_told():
    def decoded(h):
        past = None
        for _ in range(100):
            past = h if past is None else past + h * 0.5
            h = paddle.tanh(past)
            if (h.abs() > 0.99).all():
                break
        return h, past

    def line_of(text):
        lines, start = inspect.getsourcelines(decoded)
        return start + next(k for k, line in enumerate(lines) if text in line)

    static = jit.to_static(decoded, input_spec=[InputSpec([None, 3], "float64", "h")])
    why = "this loop is peeled: its first iteration leaves values of other kinds than it starts with"
    assert static.concrete_program.unrolled == [f"{__file__}:{line_of('for _ in')}: {why}"]
    assert sum(op.name == "tanh" for op in static.concrete_program.program.walk()) == 2


def test_state_that_the_first_turn_makes():
    class Cell(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.past = None

        def step(self, h):
            self.past = h if self.past is None else 0.5 * self.past + h
            return paddle.tanh(self.past)

        def forward(self, h):
            self.past = None
            for _ in range(60):
                h = self.step(h)
                if (h.abs() > 0.9).all():
                    break
            return h, self.past

    agree(Cell(), jit.to_static(Cell(), input_spec=[InputSpec([None, 3], "float64", "h")]))


def test_a_second_turn_that_differs_too():
    def two(h):
        first = second = None
        for _ in range(60):
            if first is None:
                first = h * 2.0
            elif second is None:
                second = first + h
            else:
                first, second = second, 0.5 * first + paddle.tanh(second)
            h = h * 1.1 + 0.001
            if (h.abs() > 0.9).all():
                break
        return h, first

    static = jit.to_static(two, input_spec=[InputSpec([None, 3], "float64", "h")])
    agree(two, static)
    assert "its first two iterations leave" in static.concrete_program.unrolled[0]


def test_a_loop_over_layers_stays_unrolled():
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            paddle.seed(0)
            self.parts = paddle.nn.LayerList([paddle.nn.Linear(3, 3).to(dtype="float64") for _ in range(40)])

        def forward(self, h):
            kept = None
            for k in range(40):
                h = paddle.tanh(self.parts[k](h))
                kept = h if kept is None else kept + h
            return h, kept

    net = Net()
    agree(net, jit.to_static(net, input_spec=[InputSpec([None, 3], "float64", "h")]))

"""Optimizers, schedulers and regularizers step by step as Paddle 3.3; their state goes on where it stopped."""

from __future__ import annotations

import importlib.util
import json

import numpy as np
import pytest
from optimizer import cases

import dy2st
from dy2st import jit, nn, optimizer
from dy2st.static import InputSpec

EXPECTED = json.loads(cases.RECORDED.read_text())


@pytest.mark.parametrize("name", cases.OPTIMIZERS)
def test_steps_as_paddle(name):
    np.testing.assert_allclose(cases.train(dy2st, *cases.OPTIMIZERS[name]), EXPECTED[name], rtol=2e-4, atol=2e-6)


@pytest.mark.parametrize("name", cases.SCHEDULERS)
def test_rates_as_paddle(name):
    np.testing.assert_allclose(cases.rates(dy2st, name), EXPECTED[name], rtol=1e-9, atol=1e-12)


def test_the_rate_is_reduced_on_a_plateau_as_in_paddle():
    np.testing.assert_allclose(cases.plateau(dy2st), EXPECTED["ReduceOnPlateau"], rtol=1e-12)


def test_l1_decay_and_a_clipped_norm_as_in_paddle():
    np.testing.assert_allclose(cases.regularized(dy2st), EXPECTED["L1Decay"], rtol=2e-4, atol=2e-6)


@pytest.mark.parametrize("name", cases.SCHEDULERS)
def test_a_scheduler_goes_on_where_it_stopped(name):
    args, options = cases.SCHEDULERS[name]
    make = lambda: getattr(optimizer.lr, name.split()[0])(*args, **options)
    whole, first, second = make(), make(), make()
    for _ in range(5):
        whole.step()
        first.step()
    second.set_state_dict(first.state_dict())
    assert second() == first()
    whole.step()
    second.step()
    assert second() == whole()


@pytest.mark.parametrize("name", cases.OPTIMIZERS)
def test_an_optimizer_goes_on_where_it_stopped(name):
    path, options = cases.OPTIMIZERS[name]
    start = [a.copy() for a in cases.START]

    def run(tensors, opt, steps):
        for _ in range(steps):
            ((tensors[0] * tensors[1]) ** 2).sum().backward()
            opt.step()
            opt.clear_grad()

    def make(arrays):
        tensors = [nn.Parameter(a.copy(), name=f"p{i}") for i, a in enumerate(arrays)]
        return tensors, getattr(optimizer, path)(parameters=tensors, **options)

    whole, half = make(start), make(start)
    run(*whole, 6)
    run(*half, 3)
    again = make([t.numpy() for t in half[0]])
    again[1].set_state_dict(half[1].state_dict())
    run(*again, 3)
    for a, b in zip(again[0], whole[0]):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


class Step(nn.Layer):
    """A model that trains itself when it is called."""

    def __init__(self, path, options):
        super().__init__()
        dy2st.seed(0)
        self.model = nn.Linear(3, 2)
        self.optimizer = getattr(optimizer, path)(parameters=self.model.parameters(), **options)

    def forward(self, x):
        loss = (self.model(x) ** 2).mean()
        loss.backward()
        self.optimizer.step()
        self.optimizer.clear_grad()
        return loss


DECAYED = {"L1Decay": ("SGD", {"learning_rate": 0.1, "weight_decay": dy2st.regularizer.L1Decay(0.1)})}


@pytest.mark.parametrize("name", cases.OPTIMIZERS | DECAYED)
def test_a_step_inside_a_static_function(name):
    case = (cases.OPTIMIZERS | DECAYED)[name]
    plain, static = Step(*case), jit.to_static(Step(*case), input_spec=[InputSpec([None, 3], "float32", "x")])
    for k in range(4):
        x = dy2st.to_tensor(np.random.default_rng(k).standard_normal((4, 3)).astype("float32"))
        np.testing.assert_allclose(float(static(x)), float(plain(x)), rtol=1e-5)


def test_an_optimizer_follows_its_scheduler():
    p = nn.Parameter(np.ones(1, "float32"))
    scheduler = optimizer.lr.StepDecay(1.0, 1, 0.5)
    opt = optimizer.SGD(scheduler, [p])
    for _ in range(3):
        p.sum().backward()
        opt.step()
        opt.clear_grad()
        scheduler.step()
    assert p.item() == 1 - (1 + 0.5 + 0.25) and opt.get_lr() == 0.125


def test_a_parameters_own_regularizer_comes_first():
    attr = nn.ParamAttr(initializer=nn.initializer.Constant(1.0), regularizer=dy2st.regularizer.L2Decay(0.5))
    p = nn.Layer().create_parameter([1], attr)
    opt = optimizer.SGD(1.0, [p], weight_decay=7.0)
    (p * 0).sum().backward()
    opt.step()
    assert p.item() == 0.5


def test_errors_say_what_is_wrong():
    with pytest.raises(TypeError, match="or a regularizer"):
        optimizer.SGD(0.1, [], weight_decay="much")
    with pytest.raises(ValueError, match="one value more"):
        optimizer.lr.PiecewiseDecay([1], [0.1])
    with pytest.raises(TypeError, match="takes one number"):
        optimizer.lr.ReduceOnPlateau(0.1).step([1.0, 2.0])


@pytest.mark.skipif(importlib.util.find_spec("paddle") is None, reason="Paddle isn't installed")
def test_the_record_is_what_paddle_gives():
    found = cases.everything(importlib.import_module("paddle"))
    assert found.keys() == EXPECTED.keys()
    for name, values in found.items():
        np.testing.assert_allclose(values, EXPECTED[name], rtol=1e-4, atol=1e-6, err_msg=name)

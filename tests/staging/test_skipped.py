"""`not_to_static` and `ignore_module`: functions that run as they are while staging, and what they do to tensors is recorded."""

from __future__ import annotations

import sys
import types
import warnings

import numpy as np
import pytest

import dy2st
from dy2st import jit
from dy2st.errors import ConversionError, Dy2stWarning
from dy2st.runtime.convert.calls import skipped

X, Y = dy2st.to_tensor([1.0, 2.0]), dy2st.to_tensor([-3.0, 1.0])


@jit.not_to_static
def less_one(x):
    return x - 1.0 if isinstance(x, dy2st.Tensor) else None


class Net(dy2st.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = dy2st.nn.Linear(2, 2)
        self.calls = 0

    @jit.not_to_static
    def body(self, x):
        return self.linear(x) + less_one(x)

    @jit.not_to_static()
    def counted(self, x):
        self.calls += 1
        return x * 2.0

    def forward(self, x):
        if x.sum() > 0:
            return self.body(x)
        return less_one(x)


def staged(function, *args):
    """The results of a function as a Program, which is staged without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", Dy2stWarning)
        return [jit.to_static(function)(x).numpy() for x in args]


def test_what_they_do_to_tensors_is_recorded_also_inside_staged_control_flow():
    net = Net()
    expected = [net(x).numpy() for x in (X, Y)]
    for found, wanted in zip(staged(net.forward, X, Y), expected):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_a_tensor_that_decides_in_one_of_them_is_refused_at_its_line():
    @jit.not_to_static
    def decides(x):
        return x if x.sum() > 0 else -x  # HERE

    with pytest.raises(TypeError, match="test_skipped.py:") as caught:
        jit.to_static(lambda x: decides(x) * 2.0)(X)
    assert str(decides.__code__.co_firstlineno + 2) in str(caught.value)


def test_one_that_stores_is_told_of_and_refused_where_it_could_not_be_taken_back():
    net = Net()
    with pytest.warns(Dy2stWarning, match="called once, while staging"):
        found = jit.to_static(lambda x: net.counted(x))(X)
    np.testing.assert_array_equal(found.numpy(), X.numpy() * 2)
    assert net.calls == 1

    def under_a_condition(x):
        return net.counted(x) if x.sum() > 0 else x

    with pytest.raises(ConversionError, match="counted runs as it is.*test_skipped|test_skipped.*counted runs as it is"):
        jit.to_static(under_a_condition)(X)


@pytest.fixture
def library(monkeypatch):
    """A module whose source would be converted, with a loop that only conversion could stage."""
    module = types.ModuleType("helpers_of_mine")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(skipped, "_modules", set())

    def decides(x):
        return x * 2.0 if x.sum() > 0 else x

    def doubles(x):
        return x * 2.0

    for function in (decides, doubles):
        function.__module__ = module.__name__
        setattr(module, function.__name__, function)
    return module


def test_functions_of_an_ignored_module_run_as_they_are(library):
    decided = lambda x: library.decides(x) + 1.0
    expected = (X * 2.0 + 1.0).numpy()
    np.testing.assert_array_equal(staged(decided, X)[0], expected)  # converted: the condition is part of the Program
    jit.ignore_module([library])
    with pytest.raises(TypeError, match="bool"):
        staged(lambda x: library.decides(x) + 1.0, X)
    np.testing.assert_array_equal(staged(lambda x: library.doubles(x) + 1.0, X)[0], expected)
    with pytest.raises(TypeError, match="list of modules"):
        jit.ignore_module(["helpers_of_mine"])


def test_axes_that_are_marked_are_open():
    @jit.to_static
    def f(x):
        return x * x.shape[0] + x.sum()

    def given(*shape, mark=None):
        x = dy2st.ones(shape)
        if mark is not None:
            jit.marker.dynamic_dims(x, mark)
        return x

    for x in (given(2, 3, mark=0), given(5, 3), given(4, 3, mark=[-2]), given(7, 3)):
        np.testing.assert_array_equal(f(x).numpy(), x.numpy() * x.shape[0] + x.numpy().sum())
    assert len(f.program_cache) == 1 and f.concrete_program.inputs[0].shape == (-1, 3)
    for wrong, error in (([1.0], TypeError), (2, ValueError)):
        with pytest.raises(error):
            jit.marker.dynamic_dims(given(2, 3), wrong)


def test_enable_to_static_is_a_switch():
    ran = []

    def f(x):
        ran.append(type(x._data))
        return x + 1.0

    static = jit.to_static(f)
    jit.enable_to_static(False)
    try:
        static(X)
        assert ran == [np.ndarray]
        with pytest.raises(RuntimeError, match="enable_to_static"):
            jit.save(static, "never/written")
    finally:
        jit.enable_to_static(True)
    with pytest.raises(TypeError):
        jit.enable_to_static(1)

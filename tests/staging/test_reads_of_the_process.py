"""Code that reads the environment or a logger's level, or holds a lock, is staged anew where the answer changes, and not else."""

from __future__ import annotations

import logging
import os
import threading
import warnings

import numpy as np
import pytest

import dy2st as paddle

NAME = "DY2ST_NO_SUCH_SETTING"
LOG = logging.getLogger("dy2st.tests.reads")
LOCK, REENTRANT = threading.Lock(), threading.RLock()


def by_get(x):
    return x * float(os.environ.get(NAME, "2"))


def by_getenv(x):
    return x * float(os.getenv(NAME, "2"))


def by_contains(x):
    return x * (2 if NAME in os.environ else 3)


def by_item(x):
    try:
        return x * float(os.environ[NAME])
    except KeyError:
        return x


def by_iteration(x):
    return x * len([name for name in os.environ if name == NAME])


def by_items(x):
    return x * sum(name == NAME and value == "5" for name, value in os.environ.items())


def by_copy(x):
    return x * float(dict(os.environ).get(NAME, 7))


def by_level(x):
    return x * LOG.getEffectiveLevel() + LOG.isEnabledFor(logging.INFO) + logging.getLogger("dy2st.tests").getEffectiveLevel()


def in_a_loop(x):
    while x.sum() < 10:
        x = x * float(os.environ.get(NAME, "2")) + LOG.getEffectiveLevel()
    return x


FUNCTIONS = [by_get, by_getenv, by_contains, by_item, by_iteration, by_items, by_copy, by_level, in_a_loop]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_function_that_reads_is_staged_once_for_each_answer(function, monkeypatch):
    monkeypatch.delenv(NAME, raising=False)
    static, x = paddle.jit.to_static(function), paddle.ones([3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for value, level in ((None, 30), ("5", 20), ("6", 20), (None, 30)):
            if value is None:
                monkeypatch.delenv(NAME, raising=False)
            else:
                monkeypatch.setenv(NAME, value)
            LOG.setLevel(level)
            for _ in range(2):
                assert static(x).tolist() == function(x).tolist(), value
    assert 2 <= len(static.program_cache) <= 3


def in_control_flow(x):
    count = 0
    for i in range(x.shape[0]):
        with LOCK:
            if x[i] > 0:
                count = count + 1
    while x.sum() < 100:
        with REENTRANT, LOCK:
            x = x * 2
            if x[0] > 7:
                return x
    return x + count


def test_a_lock_is_held_around_staged_control_flow_and_free_afterwards():
    static = paddle.jit.to_static(in_control_flow, input_spec=[paddle.static.InputSpec([None], "float32")])
    for values in ([1.0, 1.0], [90.0, 40.0, -1.0], [-1.0, 120.0], [0.5, 0.1, 0.2]):
        x = paddle.to_tensor(np.array(values, np.float32))
        assert static(x).tolist() == in_control_flow(x).tolist()
        assert not LOCK.locked()


def raising_inside(x):
    for i in range(x.shape[0]):
        with LOCK:
            raise ValueError("inside")
    return x


def test_a_lock_is_free_where_its_body_raises():
    with pytest.raises(ValueError, match="inside"):
        paddle.jit.to_static(raising_inside)(paddle.ones([3]))
    assert not LOCK.locked()

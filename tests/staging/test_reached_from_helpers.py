"""State and constants that only called functions reach: their defaults and globals, class attributes, methods of containers."""

from __future__ import annotations

import copy
import io

import numpy as np
import pytest

import dy2st as paddle

from .agreement import VECTOR, plain

LOG: list = []
COUNTS = {"calls": 0}
CONFIG = {"scale": 2}


def appends_to_its_default(x, seen=[]):  # noqa: B006
    seen.append(x.sum())
    return seen[-1] + len(seen)


def counts_in_its_default(x, *, counts={}):  # noqa: B006
    counts["n"] = counts.get("n", 0) + 1
    return x * counts["n"]


def appends_to_a_global(x):
    LOG.append(x.sum())
    return len(LOG)


def counts_in_a_global(x):
    COUNTS["calls"] += 1
    return x + COUNTS["calls"]


class Logger:
    shared: list = []

    def run(self, x):
        self.shared.append(x.sum())
        return sum(self.shared)


logger = Logger()


def default_of_a_helper(x):
    return appends_to_its_default(x)


def keyword_default_of_a_helper(x):
    return counts_in_its_default(x)


def global_of_a_helper(x):
    return appends_to_a_global(x) if x.sum() > 0 else 0


def dict_of_a_helper(x):
    return counts_in_a_global(x)


def attribute_of_a_class(x):
    return logger.run(x)


HOLDERS = (appends_to_its_default.__defaults__[0], counts_in_its_default.__kwdefaults__["counts"], LOG, COUNTS, Logger.shared)
FUNCTIONS = [default_of_a_helper, keyword_default_of_a_helper, global_of_a_helper, dict_of_a_helper, attribute_of_a_class]


@pytest.fixture
def rewind():
    """A function that puts the state of this module back to what it is at first."""
    at_first = [copy.copy(holder) for holder in HOLDERS]

    def put_back():
        for holder, contents in zip(HOLDERS, at_first):
            holder.clear()
            holder.extend(contents) if isinstance(holder, list) else holder.update(contents)

    yield put_back
    put_back()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_a_helper_changes_is_state(function, rewind):
    inputs = [paddle.to_tensor(np.array(values, np.float32)) for values in ([1, 2], [-1, -2], [4], [1, 2])]
    expected = [plain(function(x)) for x in inputs]
    rewind()
    static = paddle.jit.to_static(function, input_spec=[VECTOR])
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    assert [plain(static(x)) for x in inputs] == expected
    assert len(static.program_cache) == 1
    assert [plain(paddle.jit.load(file)(x)) for x in inputs[:1]] == expected[:1]
    file.seek(0)
    loaded = paddle.jit.load(file)
    assert [plain(loaded(x)) for x in inputs] == expected


def scaled(x):
    return x * CONFIG.get("scale", 1)


def test_a_method_of_a_dict_is_guarded_by_what_the_dict_holds(monkeypatch):
    static = paddle.jit.to_static(scaled, input_spec=[VECTOR])
    x = paddle.to_tensor(np.array([1.0, 2.0], np.float32))
    assert [plain(static(x)) for _ in range(3)] == [plain(x * 2)] * 3
    assert len(static.program_cache) == 1
    monkeypatch.setitem(CONFIG, "scale", 5)
    assert plain(static(x)) == plain(x * 5)
    assert len(static.program_cache) == 2

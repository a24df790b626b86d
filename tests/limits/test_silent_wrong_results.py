"""Limits b.1 to b.11: where Paddle gives a wrong result and says nothing."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

import dy2st as paddle
import dy2st.nn as nn
from dy2st.static import InputSpec

from .agree import UP, VECTOR, as_programs, on_x, on_xn, plain

# --- b.1 ---------------------------------------------------------------------------------------------------------------


def added(x):
    y = x * 3
    y.add_(paddle.ones([3]))
    return y


def subtracted(x):
    y = x * 3
    y.subtract_(paddle.ones([3]))
    return y


def raised_to_e(x):
    y = x * 3
    y.exp_()
    return y


def scattered(x):
    y = paddle.zeros([2, 3])
    y.scatter_add_(1, paddle.to_tensor([[1, 2, 0], [2, 0, 1]]), x.reshape([1, 3]).expand([2, 3]))
    return y


def in_a_branch(x):
    y = x * 3
    if x.sum() > 0:
        y.add_(x)
    return y


def through_another_name(x):
    y = x * 3
    z = y
    z.scale_(2.0)
    y.clip_(-6.0, 6.0)
    return y


@pytest.mark.parametrize("function", [added, subtracted, raised_to_e, scattered, in_a_branch, through_another_name])
@pytest.mark.filterwarnings("ignore:to_tensor of a constant")
def test_b01_in_place_results_that_nobody_takes(function):
    on_x(function)


NAMES = (
    "abs_ ceil_ cos_ erf_ exp_ expm1_ floor_ neg_ reciprocal_ round_ sigmoid_ sin_ sinh_ square_ tan_ tanh_ trunc_ zero_ frac_"
)


def test_b01_every_method_of_one_tensor():
    """All in one function: one after the other, none of them taken."""

    def all_of_them(x):
        found = []
        for name in NAMES.split():
            y = x * 0.5
            getattr(y, name)()
            found.append(y)
        return found

    on_x(all_of_them)


# --- b.2 ---------------------------------------------------------------------------------------------------------------


def python_for(x):
    for i in range(3):
        x = x + i
    else:
        x = x + 1000
    return x


def python_while(x):
    i = 0
    while i < 3:
        x, i = x + i, i + 1
    else:
        x = x + 1000
    return x


def tensor_while(x, n):
    while n > 0:
        x, n = x + n, n - 1
    else:
        x = x + 1000
    return x


def tensor_break(x, n):
    for i in range(5):
        x = x + 1
        if x.sum() > n * 10:
            break
    else:
        x = x + 1000
    return x


@pytest.mark.parametrize("function", [python_for, python_while])
def test_b02_else_of_python_loops(function):
    on_x(function)


@pytest.mark.parametrize("function", [tensor_while, tensor_break])
def test_b02_else_of_staged_loops(function):
    on_xn(function)


# --- b.3 ---------------------------------------------------------------------------------------------------------------


def extended(x, n):
    items = []
    while n > 0:
        items.extend([x * n])
        n = n - 1
    return items


def inserted(x, n):
    items = []
    while n > 0:
        items.insert(0, x * n)
        n = n - 1
    return items


def extended_in_branches(x, n):
    items = [x]
    if x.sum() > 0:
        items.extend([x + 1])
    else:
        items.extend([x - 1])
    return items


def added_in_place(x, n):
    items = []
    while n > 0:
        items += [x * n]
        n = n - 1
    return items


def added_anew(x, n):
    items = []
    while n > 0:
        items = items + [x * n]
        n = n - 1
    return items


@pytest.mark.parametrize("function", [extended, inserted, extended_in_branches, added_in_place, added_anew])
def test_b03_lists_that_grow_by_other_ways_than_append(function):
    on_xn(function)


# --- b.4 ---------------------------------------------------------------------------------------------------------------


def test_b04_none_in_one_branch():
    def maybe(x):
        y = None
        if x.sum() > 0:
            y = x + 1
        return y

    on_x(maybe)


def test_b04_none_that_is_asked_for_later():
    def asked(x):
        y = None
        if x.sum() > 0:
            y = x + 1
        return x if y is None else y

    on_x(asked)


# --- b.5 ---------------------------------------------------------------------------------------------------------------

FACTOR = 2


class Counts(nn.Layer):
    def __init__(self):
        super().__init__()
        self.k, self.n = 1, 0

    def forward(self, x):
        self.n += 1
        return x * self.k * FACTOR + self.n


def test_b05_changed_attributes_and_globals_count(monkeypatch):
    plain_net, net = Counts(), paddle.jit.to_static(Counts(), input_spec=[VECTOR])
    x = paddle.to_tensor(UP)
    for change in (lambda n: None, lambda n: setattr(n, "k", 10), lambda n: monkeypatch.setitem(globals(), "FACTOR", 5)):
        change(plain_net), change(net)
        for _ in range(2):
            assert plain(net(x)) == plain(plain_net(x))
        assert net.n == plain_net.n


def test_b05_a_loaded_counter_counts():
    _, loaded = as_programs(paddle.jit.to_static(Counts(), input_spec=[VECTOR]).forward, (VECTOR,))
    x, plain_net = paddle.to_tensor(UP), Counts()
    for _ in range(3):
        assert plain(loaded(x)) == plain(plain_net(x))


# --- b.6 ---------------------------------------------------------------------------------------------------------------


def of_tensor(x):
    return x + 1 if isinstance(x, paddle.Tensor) else x - 1


def of_type(x):
    if type(x) is paddle.Tensor:
        return x + 1
    return x - 1


def of_results(x):
    return [isinstance(v, paddle.Tensor) for v in (x, x + 1, x.sum() > 0, x.shape, [x], 1)], isinstance(
        x.sum(), (int, paddle.Tensor)
    )


@pytest.mark.parametrize("function", [of_tensor, of_type, of_results])
def test_b06_a_tensor_is_a_tensor_while_staging(function):
    on_x(function)


# --- b.7 ---------------------------------------------------------------------------------------------------------------


def the_operand(x, n):
    m = x.sum() * n
    return m or x, m and x, (n and 0) or 7


def the_write_of_the_right_side(x, n):
    seen = []

    def check(v):
        seen.append(v)
        return v.sum() > 0

    return (x.sum() > 100 and check(x), n > 0 or check(x + 1)), seen


def the_index_that_is_not_there(x, n):
    return n < x.shape[0] and x[n] > 1


@pytest.mark.parametrize("function", [the_operand, the_write_of_the_right_side, the_index_that_is_not_there])
@pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")
def test_b07_and_or_stop_early_and_give_operands(function):
    on_xn(function)


# --- b.8 to b.11: what a file keeps ------------------------------------------------------------------------------------

Pair = namedtuple("Pair", "left right")


def one_more(x):
    return x + 1


def one_less(x):
    return x - 1


def one_and_a_half_more(x):
    return x + 1.5


def among_others(x):
    return x * 2, x + 1, x


def nested(x):
    return ([(x, x + 1), {"k": x * 2}], 7)


def single(x):
    return [x]


def keys_in_their_order(x):
    return {"z": x, "a": x + 1, "m": "text", "none": None}


def named(x):
    return Pair(x, x + 1)


def of_a_pair(pair):
    return pair.left * 2 + pair.right


FRESH = """
import sys, numpy as np, dy2st as paddle

def plain(v):
    if isinstance(v, paddle.Tensor):
        return v.numpy().tolist()
    if hasattr(v, "_fields"):
        return type(v).__name__, v._fields, tuple(map(plain, v))
    if isinstance(v, dict):
        return {k: plain(i) for k, i in v.items()}
    return type(v)(map(plain, v)) if isinstance(v, (list, tuple)) else v

x = paddle.to_tensor(np.array([1, 2, 3], np.float32))
print({name: plain(paddle.jit.load(name)(x)) for name in sys.argv[1:]})
"""
CASES = [one_more, one_less, one_and_a_half_more, among_others, nested, single, keys_in_their_order, named]


@pytest.fixture(scope="module")
def reloaded(tmp_path_factory):
    """What a process that knows none of the functions gives for each of CASES."""
    folder = tmp_path_factory.mktemp("limits")
    for function in CASES:
        paddle.jit.save(function, str(folder / function.__name__), input_spec=[VECTOR])
    environment = {**os.environ, "PYTHONPATH": str(Path(paddle.__file__).resolve().parents[1])}
    run = subprocess.run(
        [sys.executable, "-c", FRESH, *[f.__name__ for f in CASES]], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return eval(run.stdout)


@pytest.mark.parametrize("function", [one_more, one_less, one_and_a_half_more, among_others])
def test_b08_an_input_plus_a_constant_is_saved(function, reloaded):
    on_x(function)
    found = function(UP)
    expected = [v.tolist() for v in found] if isinstance(found, tuple) else found.tolist()
    given = reloaded[function.__name__]
    assert (list(given) if isinstance(found, tuple) else given) == expected


def test_b09_a_loaded_result_has_its_structure(reloaded):
    for function in (nested, single, keys_in_their_order):
        on_x(function)
    up = UP.tolist()
    assert reloaded["nested"] == ([(up, [2, 3, 4]), {"k": [2, 4, 6]}], 7)
    assert reloaded["single"] == [up]
    assert list(reloaded["keys_in_their_order"].items()) == [("z", up), ("a", [2, 3, 4]), ("m", "text"), ("none", None)]


class Modes(nn.Layer):
    """A batch normalisation, a dropout, and a branch of its own: three ways to follow the mode."""

    def __init__(self):
        super().__init__()
        self.norm, self.drop = nn.BatchNorm1D(3), nn.Dropout(0.5)

    def forward(self, x):
        return self.norm(x), self.drop(x + 100), x * 2 if self.training else x


@pytest.mark.parametrize("saved_in", ["train", "eval"])
def test_b10_a_loaded_model_follows_train_and_eval(saved_in, tmp_path):
    paddle.seed(3)
    eager, net, batch = Modes(), Modes(), InputSpec([None, 3], "float32", "x")
    getattr(eager, saved_in)(), getattr(net, saved_in)()
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=[batch])
    assert net.training == net.drop.training == (saved_in == "train")
    loaded = paddle.jit.load(str(tmp_path / "net"))
    x = paddle.to_tensor(np.arange(12, dtype=np.float32).reshape([4, 3]))
    for mode in (saved_in, "train", "eval", "train"):
        getattr(eager, mode)(), getattr(loaded, mode)()
        found = []
        for model in (eager, loaded):
            paddle.seed(7)
            found.append(plain(model(x)))
        assert found[0] == found[1]
    assert plain(loaded.norm._mean) == plain(eager.norm._mean)


class OnlyInEvaluation(nn.Layer):
    def forward(self, x):
        return x * float(np.sum(x.numpy())) if self.training else x + 1


def test_b10_a_mode_that_cannot_be_saved_is_refused_when_it_is_used(tmp_path):
    net = OnlyInEvaluation()
    net.eval()
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=[VECTOR])
    loaded = paddle.jit.load(str(tmp_path / "net"))
    assert plain(loaded(paddle.to_tensor(UP))) == plain(net(paddle.to_tensor(UP)))
    loaded.train()
    with pytest.raises(RuntimeError, match="saved in evaluation mode.*numpy"):
        loaded(paddle.to_tensor(UP))


def test_b11_named_tuples_stay_what_they_are(reloaded):
    on_x(named)
    assert reloaded["named"] == ("Pair", ("left", "right"), (UP.tolist(), [2, 3, 4]))
    static = paddle.jit.to_static(
        of_a_pair, input_spec=[Pair(InputSpec([None], "float32", "l"), InputSpec([None], "float32", "r"))]
    )
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    pair = Pair(paddle.to_tensor(UP), paddle.to_tensor(-UP))
    for program in (static, paddle.jit.to_static(of_a_pair), paddle.jit.load(file)):
        assert plain(program(pair)) == plain(of_a_pair(pair))


@pytest.mark.parametrize("array, words", [(UP.astype(np.float64), "float64"), (np.ones([2, 2], np.float32), r"\[2, 2\]")])
def test_b11_a_tensor_that_contradicts_its_spec_is_refused(array, words):
    static, loaded = as_programs(one_more, (VECTOR,))
    for program in (static, loaded):
        with pytest.raises((ValueError, TypeError), match=words):
            program(paddle.to_tensor(array))

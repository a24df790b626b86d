"""Dicts whose items are attributes, by `dict.__getitem__` or own methods; classes with a `__delattr__`; `repeat` by name.

Static functions read and change them in three calls that take both paths; between the calls they are changed from outside.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dy2st as paddle


class Slots(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


class WithDefault(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


class Methods(dict):
    def __getattr__(self, name):
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        del self[name]


class Checked(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        super().__setitem__(name, value)

    def __delattr__(self, name):
        self.pop(name)


def adds_and_keeps(x, cfg):
    cfg.n = cfg.n + 1
    cfg.last = x * cfg.scale
    return x * cfg.n


def changes_on_a_path(x, cfg):
    if x.sum() > 0:
        cfg.n += 1
    else:
        cfg["scale"] = cfg.scale * 2
    return x * cfg.scale + cfg.n


def changes_inside(x, cfg):
    if x.sum() > 0:
        cfg.inner.v = cfg.inner.v + 1
    return x * cfg.inner.v


def makes_one(x, cfg):
    made = type(cfg)(a=x)
    if x.sum() > 0:
        made.b = x * 2
    else:
        made.b = x - 1
    return made.a + made.b, len(made)


def gives_one(x, cfg):
    made = type(cfg)(a=1)
    made.y = x * 2
    return made


def deletes(x, cfg):
    try:
        del cfg.n
    except (KeyError, AttributeError):
        return x * 5
    return x * len(cfg)


def in_a_loop(x, cfg):
    for i in range(3):
        cfg.n += 1
        if x[0] > i:
            cfg.scale = cfg.scale + 1.0
    return x * cfg.scale + cfg.n


def by_name(x, cfg):
    setattr(cfg, "n", getattr(cfg, "n") + 1)
    cfg.update(other=2)
    return x * cfg.other, cfg.n


FUNCTIONS = [adds_and_keeps, changes_on_a_path, changes_inside, makes_one, gives_one, deletes, in_a_loop, by_name]


def shown(value):
    if isinstance(value, paddle.Tensor):
        return value.numpy().tolist()
    if isinstance(value, dict):
        return type(value).__name__, [(key, shown(item)) for key, item in value.items()]
    return [shown(item) for item in value] if isinstance(value, (list, tuple)) else value


class Net(paddle.nn.Layer):
    def __init__(self, function, cfg):
        super().__init__()
        self.function, self.cfg = function, cfg

    def forward(self, x):
        return self.function(x, self.cfg)


def calls(function, cls, held, is_static):
    cfg = cls(scale=2.0, n=3, inner=cls(v=1.0))
    called = {"a variable": lambda x: function(x, cfg), "an attribute": Net(function, cfg), "an argument": function}[held]
    called = paddle.jit.to_static(called) if is_static else called
    found = []
    for sign in (1, -1, 1):
        x = paddle.to_tensor(np.array([sign, 2.0 * sign], "float32"))
        found.append((shown(called(x, cfg) if held == "an argument" else called(x)), shown(cfg)))
        cfg.scale = cfg.scale + 1  # from outside, between the calls
    return found


@pytest.mark.parametrize("held", ["a variable", "an attribute", "an argument"])
@pytest.mark.parametrize("cls", [Slots, WithDefault, Methods, Checked])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_items_as_attributes(function, cls, held):
    assert calls(function, cls, held, True) == calls(function, cls, held, False)


class Counting:
    def __init__(self):
        self.deleted, self.a, self.b = 0, 1, 2

    def __delattr__(self, name):
        self.deleted = self.deleted + 1
        super().__delattr__(name)


def test_a_delattr_of_the_users_runs():
    def steps(is_static):
        obj = Counting()

        def step(x):
            if hasattr(obj, "a"):
                del obj.a
            elif hasattr(obj, "b"):
                delattr(obj, "b")
            return x * obj.deleted

        called = paddle.jit.to_static(step) if is_static else step
        return [(called(paddle.ones([1])).item(), sorted(vars(obj))) for _ in range(3)]

    assert steps(True) == steps(False)


def test_a_delattr_of_the_users_on_one_path():
    def step(x):
        obj = Counting()
        if x.sum() > 0:
            del obj.a
        return x * obj.deleted, hasattr(obj, "a")

    static = paddle.jit.to_static(step)
    for sign in (1, -1, 1):
        x = paddle.to_tensor([1.0 * sign])
        assert [shown(static(x)[0]), bool(static(x)[1])] == [shown(step(x)[0]), step(x)[1]]


def times_by_name(x):
    for item in itertools.repeat(x, times=2):
        x = x + item
    return x


def both_by_name(x):
    return sum(itertools.repeat(object=x, times=3))


def times_of_the_path(x):
    n = 2 if x.sum() > 0 else 3
    y = x
    for item in itertools.repeat(x, times=n):
        y = y + item
    return y


@pytest.mark.parametrize("function", [times_by_name, both_by_name, times_of_the_path])
def test_repeat_takes_its_arguments_by_name(function):
    static = paddle.jit.to_static(function)
    for sign in (1, -1, 1):
        x = paddle.to_tensor([1.0 * sign, 2.0 * sign])
        assert static(x).numpy().tolist() == function(x).numpy().tolist()


def test_repeat_of_other_names_is_pythons_error():
    with pytest.raises(TypeError, match="repeat"):
        paddle.jit.to_static(lambda x: sum(itertools.repeat(x, n=2)))(paddle.ones([1]))

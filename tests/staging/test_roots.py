"""What `to_static` takes: functions, methods of every kind, callable objects, decorated functions, partials."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import dy2st as paddle

from .agreement import VECTOR, assert_agrees


def scaled(x, k, bias=0, *, sign=1):
    if x.sum() > 0:
        return (x * k + bias) * sign
    return x - k


class Scale:
    def __init__(self):
        self.k = 2

    def __call__(self, x):
        if x.sum() > 0:
            return x * self.k
        return x

    def twice(self, x, plus=1):
        return self(self(x)) + plus

    @staticmethod
    def absolute(x):
        return x if x.sum() > 0 else -x

    @classmethod
    def negative(cls, x):
        return cls.absolute(x) * -1


def doubled(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args) * 2

    return inner


@doubled
def decorated(x):
    return x if x.sum() > 0 else -x


ROOTS = {
    "callable object": Scale(),
    "method": Scale().twice,
    "static method": Scale.absolute,
    "static method of an object": Scale().absolute,
    "class method": Scale.negative,
    "lambda": lambda x: x + 1 if x.sum() > 0 else x,
    "decorated": decorated,
    "partial": functools.partial(scaled, k=2),
    "partial with two": functools.partial(scaled, k=2, bias=3),
    "partial of a partial": functools.partial(functools.partial(scaled, k=2), sign=-1),
    "partial of a method": functools.partial(Scale().twice, plus=5),
}


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_agrees_with_plain_python(root):
    assert_agrees(root, [VECTOR], [(np.array(values, np.float32),) for values in ([1, 2], [-1, -2], [])])


@pytest.mark.parametrize("partial", [functools.partial(scaled, 1), functools.partial(scaled, x=1), functools.partial(max, 1)])
def test_a_partial_whose_arguments_have_no_names_is_refused(partial):
    with pytest.raises(TypeError, match=r"binds the last parameters by name, partial\(f, k=7\)"):
        paddle.jit.to_static(partial)


def collecting(k, kept=[]):  # noqa: B006
    kept.append(1)
    if k > 0:
        kept.append(k)
    return len(kept)


def test_a_default_that_is_changed_is_state_of_the_function():
    def plain(k, kept=[]):  # noqa: B006
        kept.append(1)
        if k > 0:
            kept.append(k)
        return len(kept)

    static = paddle.jit.to_static(collecting, input_spec=[paddle.static.InputSpec([], "int64")])
    for k in (0, 1, 1, 0):
        assert int(static(paddle.to_tensor(k))) == plain(paddle.to_tensor(k))
    assert len(collecting.__defaults__[0]) == len(plain.__defaults__[0])

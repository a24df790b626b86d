"""Containers of the user's classes that are made on two paths, with the same keys: one container stands for both afterwards."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import NUMBER, VECTOR, functions_of
from .paths import assert_agrees_on_all_paths


class Named(type):
    """A metaclass, so that staging keeps the user's class."""


class Output(OrderedDict, metaclass=Named):
    def __getitem__(self, key):
        return super().__getitem__(key) if isinstance(key, str) else list(self.values())[key]


class Row(list, metaclass=Named):
    pass


@dataclass
class Result(OrderedDict):
    """As the results of models: a dataclass whose fields are items, too."""

    best: object
    scores: object = None

    def __post_init__(self):
        for name in ("best", "scores"):
            if getattr(self, name) is not None:
                self[name] = getattr(self, name)


def an_ordered_dict(x, n):
    if n > 1:
        made = Output(a=x, b=x * 2)
    else:
        made = Output(a=x + 1, b=x)
    made["b"] = made["b"] + n
    return made["a"], made[1], list(made)


def one_with_attributes(x, n):
    if n > 1:
        made = Output(a=x)
        made.count, made.kind = n, "many"
    else:
        made = Output(a=x + 1)
        made.count, made.kind = n + 5, "few"
    made.count = made.count + 1
    return made["a"] * made.count, made.kind


def a_list(x, n):
    made = Row([x, n]) if n > 1 else Row([x * 2, n + 1])
    made.append(x)
    return made[0] + made[1], len(made), isinstance(made, Row)


def a_dataclass(x, n):
    made = Result(x, x * 2) if n > 1 else Result(x + 1, x * 3)
    return made.best + made["scores"], made["best"] * 2, list(made)


def items_that_grow(x, n):
    scores = ()
    for i in range(n):
        scores += (x + i,)
    made = Result(x, scores) if x.sum() > 1 else Result(x + 1, scores[1:])
    total = x * 0
    for score in made.scores:
        total = total + score
    return total, len(made["scores"])


def an_item_or_an_attribute(x, n):
    if n > 1:
        made = Output(a=x)
    else:
        made = Output()
        made.a = x
    return x


def two_names(x, n):
    if n > 1:
        made = Output(a=x)
        other = made
    else:
        made = Output(a=x * 2)
        other = made
    other["a"] = other["a"] + 1
    return made["a"], made is other


def in_a_loop(x, n):
    total = x
    for i in range(n):
        made = Output(a=total) if i > 1 else Output(a=total + 1)
        total = total + made["a"]
    return total


def keys_that_are_equal(x, n):
    made = {1: x} if n > 1 else {True: x + 1}
    return [key is True for key in made], list(made.values())


def keys_in_tuples_that_are_equal(x, n):
    made = {(0, 1): x} if n > 1 else {(0, True): x + 1}
    return [key[1] is True for key in made], made[0, 1]


@pytest.mark.parametrize("function", functions_of(globals()))
def test_agrees_with_plain_python(function):
    assert_agrees_on_all_paths(function, "float32")


def returned(x, n):
    if n > 1:
        return Result(x, (x, x * 2))
    return Result(x + 1, (x, x * 3))


def test_the_result_is_of_the_users_class():
    static = paddle.jit.to_static(returned, input_spec=[VECTOR, NUMBER])
    for n in (1, 2):
        given = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor(n)
        found, expected = static(*given), returned(*given)
        assert type(found) is Result and list(found) == ["best", "scores"]
        assert found["best"] is found.best
        for one, other in zip((found.best, *found.scores), (expected.best, *expected.scores), strict=True):
            np.testing.assert_array_equal(one.numpy(), other.numpy())


def of_other_keys(x, n):
    return Output(a=x) if n > 1 else Output(b=x)


def test_other_keys_on_the_other_path_are_refused():
    with pytest.raises(ConversionError, match="which Output this is"):
        paddle.jit.to_static(of_other_keys, input_spec=[VECTOR, NUMBER]).concrete_program  # noqa: B018

"""Classes that a function of the library makes in each call: what is stored in them ends with the call."""

from __future__ import annotations

import collections
import dataclasses
import enum
import types
import typing

import pytest

import dy2st as paddle

NAMESPACE: dict = {}
exec("def made_by_exec(n):\n    def inner():\n        return n\n    return inner\n", NAMESPACE)
exec("def fails(values):\n    first, second = values\n", NAMESPACE)
made_by_exec, fails = NAMESPACE["made_by_exec"], NAMESPACE["fails"]

MAKERS = {
    "new_class": lambda: types.new_class("C", (), {}),
    "namedtuple": lambda: collections.namedtuple("C", "a b"),
    "make_dataclass": lambda: dataclasses.make_dataclass("C", ["a"]),
    "NamedTuple": lambda: typing.NamedTuple("C", [("a", int)]),
    "Enum": lambda: enum.Enum("C", "A B"),
    "type": lambda: type("C", (), {}),
    "a function of exec": lambda: made_by_exec(1),
}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.filterwarnings("ignore")
def test_what_is_stored_in_a_new_class_ends_with_the_call(kind):
    make = MAKERS[kind]

    def function(x):
        made = make()
        made.total = getattr(made, "total", 0) + 1
        if x.sum() > 1:
            made.total = made.total + 1
        made.total += 1
        return x + made.total

    static = paddle.jit.to_static(function)
    for value in (1.0, 2.0, 1.0):
        x = paddle.to_tensor([value])
        assert static(x).tolist() == function(x).tolist()


class Registered:
    """A class that outlives the call: what is stored in it is there at the next one."""

    count = 0


def test_what_is_stored_in_a_class_from_outside_stays():
    local = type("local", (), {"count": 0})

    def function(x):
        Registered.count += 1
        local.count += 2
        return x + Registered.count + local.count

    static = paddle.jit.to_static(function)
    assert [static(paddle.to_tensor([0.0])).tolist() for _ in range(3)] == [[3.0], [6.0], [9.0]]
    assert (Registered.count, local.count) == (3, 6)


@pytest.mark.filterwarnings("ignore")
def test_what_an_unconverted_function_raises_is_the_users():
    def function(x, values):
        fails(values)
        return x

    with pytest.raises(ValueError, match="not enough values to unpack"):
        paddle.jit.to_static(function)(paddle.to_tensor([0.0]), (1,))

"""R-07: what holds values of a call and is no container: methods, classes and others are refused, as results and as state.

Partials and closures go out, and are kept, as they are.
"""

from __future__ import annotations

import functools
import operator
import types
from dataclasses import dataclass

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, StagedValueError

X = paddle.to_tensor([1.0, 2.0])


class Held:
    def __init__(self, value):
        self.value = value

    def times(self, x):
        return x * self.value


def local_class(x):
    class Local:
        value = x.sum()

    return Local


def cached(x):
    value = x.sum()
    return functools.lru_cache(lambda: value)


def closure(x):
    value = x.sum()
    return lambda z: z * value


CALLED = {
    "partial": lambda x: functools.partial(paddle.multiply, x.sum()),
    "partial of a number": lambda x: functools.partial(paddle.clip, max=int(x.sum())),
    "partial of a partial": lambda x: functools.partial(functools.partial(paddle.clip, min=x.sum()), max=5.0),
    "partial of a lambda": lambda x: functools.partial(lambda a, b: a * b, x.sum()),
    "closure": closure,
}
MADE = {
    "method": lambda x: Held(x.sum()).times,
    "method of a list": lambda x: [x.sum()].append,
    "methodcaller": lambda x: operator.methodcaller("__mul__", x.sum()),
    "mapping proxy": lambda x: types.MappingProxyType({"a": x.sum()}),
    "class": local_class,
    "cached function": cached,
}
PLACES = {
    "itself": lambda made: made,
    "in a tuple": lambda made: (1, made),
    "in a dict": lambda made: {"a": [made]},
    "in an object": Held,
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", MADE)
def test_r_07_a_result_that_holds_a_value_of_the_call_is_refused(name, place):
    make, put = MADE[name], PLACES[place]

    def model(x):
        return put(make(x))

    said = "keeps what only the Program knows|holds a function made inside it"
    with pytest.raises(ConversionError, match=rf"{__file__}:\d+: .*({said})"):
        paddle.jit.to_static(model)(X)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", CALLED)
def test_r_07_a_partial_or_closure_with_a_value_of_the_call_is_a_result(name, place):
    make, put = CALLED[name], PLACES[place]
    taken = {"in a tuple": lambda out: out[1], "in a dict": lambda out: out["a"][0], "in an object": lambda out: out.value}

    def model(x):
        return put(make(x))

    static = paddle.jit.to_static(model)
    for given in (X, X * 3):
        first, second = (taken.get(place, lambda found: found)(found) for found in (static(given), model(given)))
        assert type(first) is type(second) and first(X).tolist() == second(X).tolist()


def test_r_07_what_holds_no_value_of_the_call_is_a_result():
    double, kept = functools.partial(paddle.scale, scale=2.0), Held(3.0)

    def model(x):
        return x, double, functools.partial(paddle.scale, scale=4.0), kept.times, Held, Held(x.sum())

    _, first, second, method, cls, held = paddle.jit.to_static(model)(X)
    assert first is double and second(X).tolist() == [4.0, 8.0] and method(X).tolist() == [3.0, 6.0]
    assert cls is Held and held.value.item() == 3.0


class Keeps(paddle.nn.Layer):
    def __init__(self, make):
        super().__init__()
        self.make, self.made = make, None

    def forward(self, x):
        self.made = self.make(x)
        return x


@pytest.mark.parametrize("name", CALLED)
def test_r_07_a_partial_or_closure_with_a_value_of_the_call_is_kept(name):
    net, plain = Keeps(CALLED[name]), Keeps(CALLED[name])
    static = paddle.jit.to_static(net)
    for given in (X, X * 3):
        assert (static(given).tolist(), net.made(X).tolist()) == (plain(given).tolist(), plain.made(X).tolist())


@pytest.mark.parametrize("name", ["method", "methodcaller"])
def test_r_07_what_is_kept_with_a_value_of_the_call_is_refused(name):
    with pytest.raises(ConversionError, match="return what it holds, or make it outside|keep the values that go into it"):
        paddle.jit.to_static(Keeps(MADE[name]))(X)


@dataclass(frozen=True)
class Key:
    number: int


def test_r_07_an_object_with_a_value_of_the_call_is_no_key_but_a_tuple_of_its_fields_is():
    def by_object(x):
        return {Key(int(x.sum())): x}[Key(3)]

    def by_tuple(x):
        return {(int(x.sum()), "a"): x}[(3, "a")]

    with pytest.raises(StagedValueError, match="of an object, write a tuple of its fields"):
        paddle.jit.to_static(by_object)(X)
    assert paddle.jit.to_static(by_tuple)(X).tolist() == [1.0, 2.0]


def test_r_07_a_partial_of_a_path_holds_values_of_any_moment():
    def model(x):
        total = x.sum()
        f = functools.partial(paddle.multiply, total) if total > 2 else functools.partial(paddle.add, total)
        return f(x)

    def made_on_its_path(x):
        f = functools.partial(paddle.multiply, x.sum()) if x.sum() > 2 else functools.partial(paddle.add, x.mean())
        return f(x)

    for function in (model, made_on_its_path):
        static = paddle.jit.to_static(function)
        for given in (X, X / 4):
            assert static(given).tolist() == function(given).tolist()


def test_a_set_of_the_program_is_a_result_inside_of_others():
    def model(x):
        return {int(x.sum()), 2}, [{int(x.sum())}], {"a": {7, int(x.sum())}}

    assert paddle.jit.to_static(model)(X) == ({3, 2}, [{3}], {"a": {7, 3}})

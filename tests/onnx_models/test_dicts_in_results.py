"""Dicts wherever they lie in a result or in state: a Session gives what Python gives, or the export is refused in words."""

from __future__ import annotations

import itertools
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
from support.sampling import sampled

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")

import dy2st as paddle
import dy2st.onnx
from dy2st import jit, nn
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

Pair = namedtuple("Pair", "p q")


class Box:
    def __init__(self, v):
        self.v = v


class Other:
    def __init__(self, w):
        self.w = w


@dataclass
class Data:
    v: object


class Sub(dict):
    pass


DICTS = {
    "two keys": lambda x: {"a": x, "b": 7},
    "the same keys": lambda x: {"a": x * 2, "b": 9},
    "the other order": lambda x: {"b": 8, "a": x + 1},
    "swapped types": lambda x: {"a": 7, "b": x},
    "more keys": lambda x: {"a": x, "b": 9, "c": x},
    "other keys": lambda x: {"c": x, "d": 9},
    "none": lambda x: {},
    "a dict in it": lambda x: {"a": {"b": x, "c": 7}, "d": x},
    "lists in it": lambda x: {"a": [x, x + 1], "b": []},
    "an object in it": lambda x: {"a": Other(x)},
    "numbers as keys": lambda x: {1: x, 2.5: x + 1, float("inf"): 3, None: x, False: 1},
    "tuples as keys": lambda x: {(1, (2, "a")): x, "a": x + 1},
    "no dict": lambda x: None,
}
PLACES = {
    "alone": lambda d, x: (x, d),
    "in an object": lambda d, x: (x, Box(d)),
    "in a dataclass": lambda d, x: (x, Data(d)),
    "in an object of its class": lambda d, x: (x, Box(Box(d))),
    "in another object": lambda d, x: Other(Box((d, x))),
    "in a namedtuple": lambda d, x: Pair(d, x),
    "in a list": lambda d, x: (x, [d]),
    "in a list, twice": lambda d, x: (x, [d, d]),
    "in lists": lambda d, x: (x, [[d], [d, d], []]),
    "in objects of a list": lambda d, x: (x, [Box(d), Box(d)]),
    "in tuples of a list": lambda d, x: [(x, d)],
    "beside what isn't one": lambda d, x: (Box(d), Box(x)),
    "in a dict": lambda d, x: {"held": d, "x": x},
    "in a list of an object": lambda d, x: (x, Box([d])),
    "in a subclass of dict": lambda d, x: (x, Sub(d=d)),
    "in two places": lambda d, x: (x, d, Box(d)),
}
X = np.array([1.5, -2], "float32")
SPECS = [InputSpec([2], "float32"), InputSpec([], "bool")]
REFUSED = {"in an object of its class": {"no dict"}}  # an object that holds one of its class, and no dict


def differences(f, path):
    """How a Session differs from Python; None where the export is refused."""
    try:
        session = dy2st.onnx.Session(dy2st.onnx.export(jit.to_static(f, input_spec=SPECS), path / "model"))
    except ConversionError:
        assert not list(path.glob("*.onnx"))
        return None
    calls = [(paddle.to_tensor(X), paddle.to_tensor(flag)) for flag in (True, False)]
    found = [(shown(session(*call)), shown(f(*call))) for call in calls]
    (path / "model.onnx").unlink()
    return [(ours, pythons) for ours, pythons in found if ours != pythons]


def shown(value):
    """Values, the classes of containers, and keys with their classes; objects by their fields."""
    if isinstance(value, tuple | list):
        return type(value).__name__, *map(shown, value)
    if isinstance(value, dict):
        return "dict", *((repr(key), shown(part)) for key, part in value.items())
    if isinstance(value, paddle.Tensor):
        return value.tolist()
    return ("object", *((name, shown(part)) for name, part in vars(value).items())) if hasattr(value, "__dict__") else value


@pytest.mark.parametrize("place", PLACES)
def test_one_dict(place, tmp_path):
    refused = set()
    for name, make in DICTS.items():
        found = differences(lambda x, flag: PLACES[place](make(x), x), tmp_path)
        refused |= {name} if found is None else set()
        assert not found, name
    assert refused == REFUSED.get(place, set())


def by_if(one, other, place):
    def f(x, flag):
        return place(one(x) if flag else other(x), x)

    return f


def by_return(one, other, place):
    def f(x, flag):
        if flag:
            return place(one(x), x)
        return place(other(x), x)

    return f


def kept_as_well(one, other, place):
    def f(x, flag):
        a, b = one(x), other(x)
        return place(a if flag else b, x), a, b

    return f


PAIRS = [*itertools.combinations(DICTS, 2)]
GRID = [*itertools.product(PLACES, (by_if, by_return, kept_as_well), PAIRS)]


@pytest.mark.long
@pytest.mark.parametrize("place, way, pair", sampled(GRID, 60), ids=lambda x: getattr(x, "__name__", str(x)))
def test_one_dict_or_another(place, way, pair, tmp_path):
    assert not differences(way(*map(DICTS.get, pair), PLACES[place]), tmp_path)


@pytest.mark.parametrize("way", [by_if, by_return, kept_as_well])
@pytest.mark.parametrize("place", PLACES)
def test_the_same_keys_on_both_paths(place, way, tmp_path):
    """The keys are told, so the export isn't refused."""
    one, other = (lambda x: {"a": x, "b": {"c": 0.5}}), (lambda x: {"a": x * 2, "b": {"c": 1.5}})
    assert differences(way(one, other, PLACES[place]), tmp_path) == []


STATES = {
    "a dict": (lambda v: {"a": v, "b": 0}, lambda held: held),
    "a dict in a dict": (lambda v: {"d": {"a": v, "b": 0}}, lambda held: held["d"]),
    "a dict in an object": (lambda v: Box({"a": v, "b": 0}), lambda held: held.v),
    "an object in a dict": (lambda v: {"o": Box({"a": v, "b": 0})}, lambda held: held["o"].v),
    "an object in an object": (lambda v: Box(Other({"a": v, "b": 0})), lambda held: held.v.w),
    "a dict in a tuple": (lambda v: (1, {"a": v, "b": 0}), lambda held: held[1]),
    "a dict in a list": (lambda v: [{"a": v, "b": 0}], lambda held: held[0]),
    "a subclass": (lambda v: Sub(a=v, b=0), lambda held: held),
}


class Counting(nn.Layer):
    def __init__(self, make, where):
        super().__init__()
        self.held, self.where = make(paddle.zeros([2])), where

    def forward(self, x, flag):
        found = self.where(self.held)
        if flag:
            found["a"], found["b"] = found["a"] + x, found["b"] + 1
        return x + found["a"], found["b"]


@pytest.mark.parametrize("name", STATES)
def test_state(name, tmp_path):
    plain = Counting(*STATES[name])
    static = jit.to_static(Counting(*STATES[name]), input_spec=SPECS)
    session = dy2st.onnx.Session(dy2st.onnx.export(static, tmp_path / "net"))
    for flag in (True, False, True):
        call = paddle.to_tensor(X), paddle.to_tensor(flag)
        assert shown(session(*call)) == shown(plain(*call))
    ((_, held),) = session.state.items()
    assert shown(dict(held)) == shown(dict(plain.where(plain.held)))


def test_an_object_is_one_in_the_engine():
    for place in ("in an object", "in objects of a list", "in a dict"):

        def f(x):
            return PLACES[place]({"a": x, "b": 7}, x)

        found = jit.to_static(f, input_spec=SPECS[:1], backend="onnxruntime")(paddle.to_tensor(X))
        assert shown(found) == shown(f(paddle.to_tensor(X)))

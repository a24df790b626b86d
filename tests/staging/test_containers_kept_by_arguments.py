"""A grid: what a function keeps in a list, dict or object among its arguments is of the class that plain Python keeps there."""

from __future__ import annotations

import enum
import itertools
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from functools import partial

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError, Dy2stError


class Rows(list):
    pass


class Table(dict):
    pass


class Owner:
    def __init__(self):
        self.value, self.log = None, []


class Colour(enum.Enum):
    RED = 1


Pair = namedtuple("Pair", "a b")

MAKERS = {
    "deque": lambda x: deque([1, x], 3),
    "Counter": lambda x: Counter("aab"),
    "OrderedDict": lambda x: OrderedDict(a=x, b=2),
    "defaultdict": lambda x: defaultdict(list, {"a": [1]}),
    "a list's subclass": lambda x: Rows([1, x]),
    "a dict's subclass": lambda x: Table(a=1),
    "object": lambda x: Owner(),
    "member": lambda x: Colour.RED,
    "namedtuple": lambda x: Pair(1, [x]),
    "range": lambda x: range(3),
    "partial": lambda x: partial(max, 1),
    "view": lambda x: {"a": 1}.keys(),
}


def put(held, key, value):
    held[key] = value


PLACES = {
    "append": (list, lambda held, value: held.append(value)),
    "insert": (lambda: [0], lambda held, value: held.insert(0, value)),
    "extend": (list, lambda held, value: held.extend([value])),
    "item": (dict, lambda held, value: put(held, "k", value)),
    "update": (lambda: {"a": 1}, lambda held, value: held.update(k=value)),
    "setdefault": (dict, lambda held, value: held.setdefault("k", value)),
    "get": (lambda: [{}], lambda held, value: held.append(held[0].get("k", value))),
    "attribute": (Owner, lambda held, value: setattr(held, "value", value)),
    "log": (Owner, lambda held, value: held.log.append(value)),
    "nested": (lambda: {"a": []}, lambda held, value: held["a"].append([value])),
    "tuple": (lambda: ([], 1), lambda held, value: held[0].append(value)),
    "deque": (deque, lambda held, value: held.append(value)),
    "subclass": (Rows, lambda held, value: held.append(value)),
}


def told(value):
    if isinstance(value, paddle.Tensor):
        return value.numpy().tolist()
    name = type(value).__name__
    if isinstance(value, dict):
        return name, [(key, told(part)) for key, part in value.items()], getattr(value, "default_factory", None)
    if isinstance(value, list | tuple | deque):
        return name, list(map(told, value)), getattr(value, "maxlen", None)
    return (name, told(vars(value))) if isinstance(value, Owner) else repr(value)


def answers(function, make):
    first, second = make(), make()
    for held, sign in ((first, 1.0), (first, 1.0), (second, 1.0), (second, -1.0)):
        try:
            function(held, paddle.to_tensor([1.0, 2.0]) * sign)
        except Dy2stError as error:
            yield f"refused: {error}"
            return
        yield told(first), told(second)


def check(maker, place, on_a_path):
    made, (make, keep) = MAKERS[maker], PLACES[place]

    def always(held, x):
        keep(held, made(x))
        return x

    def on_one_path(held, x):
        if x.sum() > 0:
            keep(held, made(x))
        return x

    function = on_one_path if on_a_path else always
    expected, given = list(answers(function, make)), list(answers(paddle.jit.to_static(function), make))
    refused = isinstance(given[-1], str)
    assert refused or given == expected
    assert not refused or maker in ("range", "partial", "view") or "isn't converted" in given[-1]


@pytest.mark.long
@pytest.mark.parametrize("case", sampled(itertools.product(MAKERS, PLACES, [False, True]), 8))
def test_the_class_of_what_is_kept(case):
    check(*case)


def test_a_deque_stays_a_deque():
    for place in ("append", "update", "setdefault", "get", "subclass"):
        check("deque", place, on_a_path=False)


def test_a_view_is_refused():
    def function(held, x):
        held.append({1: x}.keys())
        return x

    with pytest.raises(ConversionError, match=r"a view of a dict.*keep list\(...\)"):
        paddle.jit.to_static(function)([], paddle.to_tensor([1.0]))

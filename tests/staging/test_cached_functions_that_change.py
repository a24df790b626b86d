"""A function that keeps its results (`functools.cache`) and changes something: as in plain Python at each call, or refused."""

import functools

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError

LOG: list = []
COUNT = 0


class Owner:
    def __init__(self):
        self.seen = []
        self.number = 0

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return self is other


OWNER = Owner()


def appends(k):
    LOG.append(k)
    return k * 2


def counts(k):
    global COUNT
    COUNT += 1
    return k + 1


def sets(k):
    OWNER.number = k
    return k


def by_helper(k):
    _note(k)
    return k + 3


def _note(k):
    OWNER.seen.append(k)


def pure(k):
    made = []
    for i in range(k):
        made.append(i * i)
    return sum(made)


def recursive(k):
    return k if k < 2 else CACHED["recursive"](k - 1) + CACHED["recursive"](k - 2)


def gives_a_list(k):
    return [k]


FUNCTIONS = {f.__name__: f for f in (appends, counts, sets, by_helper, pure, recursive, gives_a_list)}
CACHED = {name: functools.lru_cache(maxsize=None)(f) for name, f in FUNCTIONS.items()}
LOCAL = {
    "a list": lambda log, box: lambda k: (log.append(k), k)[1],
    "an attribute": lambda log, box: lambda k: setattr(box, "number", box.number + k) or k,
    "by a helper": lambda log, box: lambda k: _add(log, k),
    "nothing": lambda log, box: lambda k: k * k,
}


def _add(log, k):
    log.append(k)
    return k + 1


def total(value):
    return sum(value) if isinstance(value, list) else value


def straight(x, f):
    return x + total(f(3)) + total(f(3)) + total(f(4)), len(LOG), COUNT, OWNER.number


def on_a_path(x, f):
    if x > 1:
        x = x + total(f(3))
    return x + total(f(4))


def in_a_loop(x, f):
    while x < 4:
        x = x + total(f(3)) + 1
    return x


def over_a_range(x, f):
    for i in range(3):
        x = x + total(f(i % 2))
    return x


def with_info(x, f):
    f(1)
    return x, f.cache_info().misses


def cleared(x, f):
    f(1)
    f.cache_clear()
    return x + total(f(1)), len(LOG)


PLACES = [straight, on_a_path, in_a_loop, over_a_range, with_info, cleared]


def reset():
    global COUNT
    COUNT = 0
    LOG.clear()
    OWNER.__init__()
    for function in CACHED.values():
        function.cache_clear()


def answers(function):
    """Results of some calls in a row, and what they have left."""
    reset()
    found = [[float(part) for part in flat(function(paddle.to_tensor(x)))] for x in (0.0, 1.0, 2.0, 3.0, 2.0)]
    return found, list(LOG), COUNT, OWNER.number, list(OWNER.seen)


def flat(result):
    return [leaf for part in result for leaf in flat(part)] if isinstance(result, list | tuple) else [result]


def holds(function):
    expected = answers(function)
    try:
        got = answers(paddle.jit.to_static(function))
    except ConversionError as error:
        assert "functools.cache" in str(error) or "it isn't converted" in str(error), error
        return False
    assert got == expected
    return True


GRID = [(name, place) for name in FUNCTIONS for place in PLACES]


@pytest.mark.parametrize("name, place", GRID, ids=lambda part: getattr(part, "__name__", part))
def test_of_a_module(name, place):
    f = CACHED[name]

    def function(x):
        return place(x, f)

    changes_nothing = ("recursive", "gives_a_list") if place in (on_a_path, in_a_loop) else ("pure", "recursive", "gives_a_list")
    assert holds(function) is (place not in (with_info, cleared) and name in changes_nothing)


@pytest.mark.parametrize("kind", LOCAL)
@pytest.mark.parametrize("place", PLACES, ids=lambda part: part.__name__)
def test_made_in_the_call(kind, place):
    make = LOCAL[kind]

    def function(x):
        log, box = [], Owner()
        kept = functools.cache(make(log, box))
        return place(x, kept), len(log), box.number

    holds(function)


@pytest.mark.long
@pytest.mark.parametrize("seed", sampled(range(200), 4))
def test_several_in_a_row(seed):
    from random import Random

    draw = Random(seed)
    names = [draw.choice(list(CACHED)) for _ in range(3)]
    places = [draw.choice(PLACES[:4]) for _ in range(3)]

    def function(x):
        results = [place(x, CACHED[name]) for place, name in zip(places, names)]
        return results

    holds(function)

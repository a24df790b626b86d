"""State that no Program can hold: the function is staged at each call, and what staging has changed is changed."""

from __future__ import annotations

import heapq
import io
import random
import threading
import time
import warnings
from array import array
from collections import OrderedDict
from types import MappingProxyType, SimpleNamespace
from unittest.mock import MagicMock, Mock

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, Dy2stError, Dy2stWarning, EndlessTypeError

MANY = 40  # kinds of values, more than a type can be a sum of
X = paddle.to_tensor([1.0, 2.0])


class Entry:
    def __init__(self, number):
        self.number = number


class Table:
    """A plain object that keeps what no type fits."""

    def __init__(self):
        self.known, self.last, self.log, self.count, self.is_up = {}, None, [], 0, False

    def look_up(self, x, key):
        for number in range(MANY):
            if (key, number) not in self.known:
                self.known[key, number] = Entry(bytes([number]))
        self.last = self.known[key, 1]
        self.log.append(self.last)
        self.count += 1
        return x * len(self.known) + self.last.number[0]

    def look_up_and_fail(self, x, key):
        self.look_up(x, key)
        raise KeyError(key)

    def return_what_is_kept(self, x, key):
        self.look_up(x, key)
        return self.last, self.log

    def choose(self, x, key):
        self.look_up(x, key)
        if x.sum() > 0:
            self.is_up = True
        return x * 2


def held(table):
    return [[*table.known], table.last and table.last.number, [entry.number for entry in table.log], table.count, table.is_up]


def calls(method, *keys):
    """What plain Python and a static function give and leave, call after call."""
    plain, table = Table(), Table()
    static = paddle.jit.to_static(getattr(table, method))
    for key in keys:
        expected, found = getattr(plain, method)(X, key), static(X, key)
        assert found.numpy().tolist() == expected.numpy().tolist() and held(table) == held(plain)
    assert table.last is table.known[keys[-1], 1]
    return static


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
@pytest.mark.parametrize("method", ["look_up", "choose"])
def test_changes_are_those_of_plain_python(method):
    calls(method, "a", "b", "b", "a")


def test_it_is_told_once_with_what_was_refused():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        calls("look_up", "a", "b", "a")
    assert [w.category for w in told] == [Dy2stWarning] and told[0].filename == __file__
    assert "Table.look_up is staged anew at each call" in str(told[0].message)
    assert "more than 32 kinds" in str(told[0].message)


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_an_exception_leaves_what_had_changed_by_then():
    plain, table = Table(), Table()
    for function in (plain.look_up_and_fail, paddle.jit.to_static(table.look_up_and_fail)):
        with pytest.raises(KeyError, match="a"):
            function(X, "a")
    assert held(table) == held(plain)


def test_what_is_a_part_of_the_result_too_is_refused_and_nothing_changes():
    table = Table()
    with pytest.raises(EndlessTypeError):
        paddle.jit.to_static(table.return_what_is_kept)(X, "a")
    assert held(table) == held(Table())


def test_a_program_for_all_calls_is_refused_as_before(tmp_path):
    table = Table()
    static = paddle.jit.to_static(table.look_up, input_spec=[paddle.static.InputSpec([2]), "a"])
    with pytest.raises(EndlessTypeError):
        paddle.jit.save(static, str(tmp_path / "table"))
    assert held(table) == held(Table())


CACHE = {}


def cached(x, limit):
    for number in range(limit):
        if number not in CACHE:
            CACHE[number] = Entry(bytes([number]))
    return x + len(CACHE[limit - 1].number)


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_a_cache_that_is_full_is_a_constant_of_a_program():
    CACHE.clear()
    static = paddle.jit.to_static(cached)
    assert static(X, MANY).numpy().tolist() == [2, 3] and len(CACHE) == MANY and static.program_cache == []
    entries = list(CACHE.values())
    assert static(X, MANY).numpy().tolist() == [2, 3] and list(CACHE.values()) == entries
    assert len(static.program_cache) == 1 and static(X, MANY).numpy().tolist() == [2, 3] and len(static.program_cache) == 1
    CACHE[MANY - 1] = Entry(b"four")
    assert static(X, MANY).numpy().tolist() == [5, 6]


def test_what_may_raise_when_the_program_runs_is_refused():
    table = Table()

    def fails_late(x):
        table.look_up(x, "a")
        if x.sum() > 0:
            raise ValueError("positive")
        table.count += 1
        return x

    with pytest.raises(ConversionError):
        paddle.jit.to_static(fails_late)(X)
    assert held(table) == held(Table())


def test_what_may_raise_before_the_first_change_is_no_matter():
    table = Table()

    def fails_early(x, key):
        if x.sum() > 100:
            raise ValueError("large")
        return table.look_up(x, key)

    with pytest.warns(Dy2stWarning, match="staged anew"):
        static = paddle.jit.to_static(fails_early)
        assert static(X, "a").numpy().tolist() == [41, 81]
    left = held(table)
    with pytest.raises(ValueError, match="large"):
        static(X * 100, "b")
    assert held(table) == left


def draws(x, key):
    deck = list(range(5))
    random.shuffle(deck)
    while random.random() < 0.6:
        deck.append(random.randint(1, 9))
    own = random.Random(key)
    return x * random.random(), deck, random.choice(deck), own.sample(range(100), 3), random.Random("b").getrandbits(70)


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_numbers_of_pythons_generator_are_drawn_at_each_call():
    static, seen = paddle.jit.to_static(draws), []
    for function in (draws, static):
        random.seed(5)
        seen.append([function(X, key) for key in (1, 1, 2)] + [random.random()])
        seen[-1] = [(one[0].numpy().tolist(), *one[1:]) for one in seen[-1][:-1]] + seen[-1][-1:]
    assert seen[0] == seen[1] and static.program_cache == []


def test_numbers_of_pythons_generator_are_refused_where_a_tensor_decides_and_in_files(tmp_path):
    def chosen(x):
        if x.sum() > 0:
            x = x * random.random()
        return x

    random.seed(5)
    state = random.getstate()
    with pytest.raises(ConversionError, match="a call of random can't become part of a Program"):
        paddle.jit.to_static(chosen)(X)
    with pytest.raises(ConversionError, match="a call of random"):
        paddle.jit.save(paddle.jit.to_static(lambda x: x * random.random()), str(tmp_path / "drawn"), [X])
    assert random.getstate() == state


WAITING = [3, 1, 2]


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_s_12_a_heap_from_outside_is_changed_once():
    def pushes(x):
        heapq.heapify(WAITING)
        heapq.heappush(WAITING, 0)
        return x * heapq.heappop(WAITING) + len(WAITING)

    static, left = paddle.jit.to_static(pushes), []
    for function in (pushes, static, static):
        WAITING[:] = [3, 1, 2]
        assert function(X).numpy().tolist() == [3, 3]
        left.append(list(WAITING))
    assert left == [left[0]] * 3


class Recent(OrderedDict):
    def __init__(self):
        super().__init__()
        self.misses = 0


def adder(a):
    return lambda b: a + b


class Cached:
    def __init__(self):
        self.cache, self.faults = Recent(), []

    def forward(self, n):
        k = int(n)
        add = adder(1) if self.cache.misses > 2 else adder(k % 3)  # no Value: refused but for one call
        k = add(k)
        try:
            k = k + 0
        finally:
            self.faults.append(int(n))
        self.cache.misses += 1
        self.cache[1] = 2
        return k


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_attributes_of_a_changed_container_change_once():
    plain, live = Cached(), Cached()
    static = paddle.jit.to_static(live.forward)
    for n in (1, 2, 3, 4):
        assert static(paddle.to_tensor(n)).item() == plain.forward(paddle.to_tensor(n))
        assert (live.cache.misses, live.cache, live.faults) == (plain.cache.misses, plain.cache, plain.faults)


class Steps:
    """What decorators and tables of a module do to functions and classes of the module."""

    def step(self):
        return 1


def with_names(x, name):
    Steps.step.__name__ = name
    Steps.__doc__ = f"{Steps.step.__name__}, a step"
    Steps.named = Steps.step
    return x * Steps().named(), Steps.step.__name__, Steps.__doc__


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_functions_and_classes_from_outside_get_other_names():
    static = paddle.jit.to_static(with_names)
    for name in ("first", "second"):
        x, *names = static(X, name)
        assert x.tolist() == [1, 2] and names == [name, f"{name}, a step"] == [Steps.step.__name__, Steps.__doc__]
    with pytest.raises(ConversionError, match="changes a class or function from outside"):
        paddle.jit.to_static(with_names, input_spec=[paddle.static.InputSpec([2]), "third"]).concrete_program  # noqa: B018
    assert Steps.step.__name__ == "second"


HOLDERS = [
    lambda k: iter([k]),
    lambda k: zip([k], [1]),
    lambda k: slice(0, k),
    lambda k: [k].append,
    lambda k: SimpleNamespace(a=k),
    lambda k: MappingProxyType({"a": k}),
]


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_what_only_the_program_knows_never_stays_in_an_object_of_the_library(holder):
    kept = SimpleNamespace(one=None)

    def keep(x, n):
        kept.one = holder(int(n))
        return x

    with pytest.raises(Dy2stError):
        paddle.jit.to_static(keep)(X, paddle.to_tensor(3))
    assert kept.one is None


def drawn(x):
    return x + random.random()


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_saving_says_why_there_is_no_program_after_such_calls(tmp_path):
    static = paddle.jit.to_static(drawn)
    static(X)
    with pytest.raises(ConversionError, match="random"):
        paddle.jit.save(static, tmp_path / "drawn")


def asked_of_a_mock(x, console):
    console.ask.side_effect = ["a", "b"]
    console.prompt = ">"
    return x * 2, [console.ask(), console.ask()], console.ask.call_count, console.prompt


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
@pytest.mark.parametrize("cls", [Mock, MagicMock])
def test_a_mock_is_called_at_each_call_and_is_no_iterator(cls):
    found = []
    for function in (asked_of_a_mock, paddle.jit.to_static(asked_of_a_mock)):
        console = cls()
        given = [function(X, console) for _ in range(2)]
        found.append([(x.tolist(), *rest) for x, *rest in given])
    assert found[0] == found[1] and found[0][1][2] == 4


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_a_thread_is_not_started_twice():
    ran = []

    def timed(x):
        thread = threading.Thread(target=ran.append, args=(1,))
        thread.start()
        thread.join()
        return x, time.time()

    with pytest.raises(ConversionError, match="a call of time"):
        paddle.jit.to_static(timed)(X)
    assert ran == [1]


class Failed(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Text(io.StringIO):
    pass


MADE = {
    "bytearray": (lambda: bytearray(b"ab"), lambda found: (found.append(1), bytes(found))),
    "array": (lambda: array("i", [1]), lambda found: (found.append(2), found.tolist())),
    "text": (lambda: io.StringIO("abc"), lambda found: found.read()),
    "subclass": (lambda: Text("abc"), lambda found: found.read()),
    "in a list": (lambda: [io.BytesIO(b"abc")], lambda found: found[0].read()),
    "generator of numbers": (lambda: random.Random(1), lambda found: found.random()),
    "lock": (lambda: threading.Lock(), lambda found: found.acquire(blocking=False)),
    "exception": (lambda: Failed(3), lambda found: (found.args, found.code)),
}


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_what_c_keeps_in_an_object_is_made_anew_at_each_call(kind, tmp_path):
    make, used = MADE[kind]

    def made(x):
        return x, make()

    static = paddle.jit.to_static(made)
    for _ in range(2):
        assert used(static(X)[1]) == used(make())
    if kind != "exception":
        with pytest.raises(ConversionError, match="keeps or returns it"):
            paddle.jit.save(static, tmp_path / "made")

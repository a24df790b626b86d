"""What lies in a container, in C or behind a weak reference is changed as in plain Python, or that is refused in words."""

from __future__ import annotations

import itertools
import sys
import threading
import types
import weakref
from collections import ChainMap, OrderedDict, UserDict, deque, namedtuple
from contextvars import ContextVar
from functools import lru_cache, partial
from operator import itemgetter
from queue import Queue

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st import jit
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

KEPT: list = []  # what only weak references lead to, kept alive
ANYWHERE: dict = {}
HELD: object = None
Pair = namedtuple("Pair", "first second")
HOLDERS: dict[str, type] = {}


class Holder:
    """One way to keep a thing, and to get at it."""

    def __init_subclass__(cls):
        HOLDERS[cls.__name__] = cls


class Plain(Holder):
    def __init__(self, inside):
        self.it = inside

    def get(self):
        return self.it


class Deque(Holder):
    def __init__(self, inside):
        self.held = deque([inside])

    def get(self):
        return self.held[0]


class Looped(Deque):
    def get(self):
        for held in self.held:
            return held


class Next(Deque):
    def get(self):
        return next(iter(self.held))


class Getter(Deque):
    def get(self):
        return itemgetter(0)(self.held)


class DequeInTuple(Holder):
    def __init__(self, inside):
        self.held = (1, deque([{"a": inside}]))

    def get(self):
        return self.held[1][0]["a"]


class NamedTuple(Holder):
    def __init__(self, inside):
        self.held = Pair(1, inside)

    def get(self):
        return self.held.second


class Frozen(Holder):
    def __init__(self, inside):
        self.held = frozenset([inside])

    def get(self):
        return list(self.held)[0]


class Key(Holder):
    def __init__(self, inside):
        self.held = {inside: 1}

    def get(self):
        return list(self.held)[0]


class UnderObject(Holder):
    def __init__(self, inside):
        self.key = threading.Lock()
        self.held = {self.key: inside}

    def get(self):
        return self.held[self.key]


class Ordered(Holder):
    def __init__(self, inside):
        self.held = OrderedDict(a=1, b=inside)

    def get(self):
        return self.held["b"]


class User(Holder):
    def __init__(self, inside):
        self.held = UserDict(a=inside)

    def get(self):
        return self.held["a"]


class Chained(Holder):
    def __init__(self, inside):
        self.held = ChainMap({}, {"a": inside})

    def get(self):
        return self.held["a"]


class Array(Holder):
    def __init__(self, inside):
        self.held = np.empty(1, object)
        self.held[0] = inside

    def get(self):
        return self.held[0]


class Weak(Holder):
    def __init__(self, inside):
        KEPT.append(inside)
        self.held = weakref.ref(inside)

    def get(self):
        return self.held()


class WeakValue(Holder):
    def __init__(self, inside):
        KEPT.append(inside)
        self.held = weakref.WeakValueDictionary(a=inside)

    def get(self):
        return self.held["a"]


class Weaks(Holder):
    def __init__(self, inside):
        KEPT.append(inside)
        self.held = weakref.WeakSet([inside])

    def get(self):
        return list(self.held)[0]


class Shown(Holder):
    def __init__(self, inside):
        self.held = types.MappingProxyType({"a": inside})

    def get(self):
        return self.held["a"]


class Context(Holder):
    def __init__(self, inside):
        self.held = ContextVar("held", default=inside)

    def get(self):
        return self.held.get()


class Local(Holder):
    def __init__(self, inside):
        self.held = threading.local()
        self.held.it = inside

    def get(self):
        return self.held.it


class Queued(Holder):
    def __init__(self, inside):
        self.held = Queue()
        self.held.put(inside)

    def get(self):
        return self.held.queue[0]


class Partial(Holder):
    def __init__(self, inside):
        self.held = partial(lambda it: it, inside)

    def get(self):
        return self.held()


class Cached(Holder):
    def __init__(self, inside):
        self.held = lru_cache(lambda: inside)
        self.held()

    def get(self):
        return self.held()


class Unconverted(Holder):
    def __init__(self, inside):
        self.held = jit.not_to_static(lambda: inside)

    def get(self):
        return self.held()


class UnconvertedTable(Holder):
    def __init__(self, inside):
        ANYWHERE["it"] = inside
        self.held = jit.not_to_static(lambda: ANYWHERE["it"])

    def get(self):
        return self.held()


class Global(Holder):
    def __init__(self, inside):
        global HELD
        HELD = inside

    def get(self):
        return globals()["HELD"]


class Imported(Holder):
    def __init__(self, inside):
        sys.modules["of_this_test"] = types.ModuleType("of_this_test")
        sys.modules["of_this_test"].held = inside

    def get(self):
        from of_this_test import held

        return held


class ModuleImported(Imported):
    def get(self):
        import of_this_test

        return of_this_test.held


class Asking:
    def __init__(self, inside):
        vars(self)["inner"] = {"it": inside}

    def __getattr__(self, name):
        return self.__dict__["inner"][name]


class Asked(Holder):
    def __init__(self, inside):
        self.held = Asking(inside)

    def get(self):
        return self.held.it


class AskedByName(Asked):
    def get(self):
        return getattr(self.held, "it")  # noqa: B009


class Giving:
    def __get__(self, owner, cls=None):
        return self if owner is None else self.held[0]


class Descriptor(Holder):
    it = Giving()

    def __init__(self, inside):
        type(self).it.held = deque([inside])

    def get(self):
        return self.it


class Same:
    def __new__(cls):
        return cls.made


class Made(Holder):
    def __init__(self, inside):
        Same.made = inside

    def get(self):
        return Same()


class Single:
    made = None

    def __new__(cls, kind):
        if cls.made is None:
            cls.made = CHANGES[kind]()
        return cls.made


class MadeByTheFirstCall(Holder):
    def __init__(self, inside):
        Single.made = None
        self.kind = next(change for change, kind in CHANGES.items() if type(kind()) is type(inside))

    def get(self):
        return Single(self.kind)


class SingleWithInit:
    made = None

    def __new__(cls):
        if cls.made is None:
            cls.made = object.__new__(cls)
        return cls.made

    def __init__(self):
        self.asked = True


class Settings(Holder):
    def __init__(self, inside):
        SingleWithInit.made = None
        SingleWithInit().held = inside

    def get(self):
        return SingleWithInit().held


class ClassAttribute(Holder):
    held: object = None

    def __init__(self, inside):
        type(self).held = inside

    def get(self):
        return self.held


class Raised(Holder):
    def __init__(self, inside):
        self.held = ValueError(inside)

    def get(self):
        return self.held.args[0]


class Bound(Holder):
    def __init__(self, inside):
        self.held = types.MethodType(lambda it: it, inside)

    def get(self):
        return self.held()


class Repeated(Holder):
    def __init__(self, inside):
        self.held = itertools.repeat(inside)

    def get(self):
        return next(self.held)


class Thing:
    def __init__(self):
        self.n, self.t = 0, paddle.to_tensor([0.0])


class Counting(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", paddle.to_tensor([0.0]))


def append(it, x):
    it.append(1)
    return x * len(it)


def store_item(it, x):
    it[0] = it[0] + 1
    return x * it[0]


def store_key(it, x):
    it["n"] += 1
    return x * it["n"]


def add_key(it, x):
    it[len(it)] = 1
    return x * len(it)


def set_number(it, x):
    it.n += 1
    return x * it.n


def set_tensor(it, x):
    it.t = it.t + x
    return it.t * 2


def add_attribute(it, x):
    it.seen = getattr(it, "seen", 0) + 2
    return x * it.seen


def set_buffer(it, x):
    it.total = it.total + x
    return it.total * 2


def change_buffer(it, x):
    it.total.add_(x)
    return it.total * 2


def at_once(change, it, x):
    return change(it, x)


def on_a_path(change, it, x):
    if x.sum() > 0:
        return change(it, x)
    return x


CHANGES = {
    append: lambda: [0],
    store_item: lambda: [0],
    store_key: lambda: {"n": 0},
    add_key: lambda: {"n": 0},
    set_number: Thing,
    set_tensor: Thing,
    add_attribute: Thing,
    set_buffer: Counting,
    change_buffer: Counting,
}


class Net(paddle.nn.Layer):
    def __init__(self, holder, change, where):
        super().__init__()
        inside = CHANGES[change]()
        self.holder, self.change, self.where = holder(inside), change, where

    def forward(self, x):
        return self.where(self.change, self.holder.get(), x)

    def left(self):
        """What the calls have left in the thing."""
        inside = self.holder.get()
        held = inside if isinstance(inside, (list, dict)) else {**vars(inside), **vars(inside).get("_buffers", {})}
        if isinstance(held, dict):
            held = {name: value for name, value in held.items() if isinstance(value, (int, float, paddle.Tensor))}
        return repr(held)


def three_calls(function):
    return [function(paddle.to_tensor([float(n)])).tolist() for n in (1, 2, 3)]


def can_hold(holder, change):
    try:
        Net(holder, change, at_once)
    except TypeError:  # a list can't be a key, nor be referred to weakly
        return False
    return True


GRID = [
    pytest.param(holder, change, where, id=f"{holder.__name__}-{change.__name__}-{where.__name__}")
    for holder in HOLDERS.values()
    for change in CHANGES
    for where in (at_once, on_a_path)
    if can_hold(holder, change)
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
@pytest.mark.parametrize(("holder", "change", "where"), sampled(GRID, 18))
def test_calls_change_it_as_plain_python_does(holder, change, where):
    plain = Net(holder, change, where)
    expected = three_calls(plain), plain.left()
    net = Net(holder, change, where)
    before = net.left()
    static = jit.to_static(net)
    try:
        assert (three_calls(static), net.left()) == expected
    except ConversionError:
        assert net.left() == before


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
@pytest.mark.parametrize(("holder", "change", "where"), sampled(GRID, 18))
def test_a_saved_program_changes_it_as_plain_python_does(holder, change, where, tmp_path):
    expected = three_calls(Net(holder, change, where))
    net = Net(holder, change, where)
    before = net.left()
    try:
        jit.save(jit.to_static(net, input_spec=[InputSpec([1])]), str(tmp_path / "net"))
    except ConversionError:
        assert net.left() == before
        return
    assert three_calls(jit.load(str(tmp_path / "net"))) == expected

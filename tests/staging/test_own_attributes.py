"""Attributes that an object has as its own on one path only: elsewhere its class, a base, or `__getattr__` gives another."""

from __future__ import annotations

import functools
import io
from abc import ABC

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

from .agreement import outcome, plain

SPEC = [InputSpec([None])]
CALLS = [np.array(v, np.float32) for v in ([-1, -2], [-3], [3, 4], [-5, 6], [-9])]


class Gauge:
    reads = 0

    def __init__(self):
        self.log = []

    @functools.cached_property
    def size(self):
        return len(self.log)


class Options:
    def __init__(self, **values):
        self.__dict__.update(values)

    def __getattr__(self, name):
        if name != "left":
            raise AttributeError(name)
        return len(self.log)


class Counted:
    made = 0

    def __init__(self):
        type(self).made += 1


class Special(Counted):
    pass


class Case(paddle.nn.Layer):
    count, cache = 0, None

    def __init__(self):
        super().__init__()
        self.gauge, self.options = Gauge(), Options(log=[])
        Gauge.reads = Counted.made = 0
        if "made" in vars(Special):
            del Special.made

    def left(self):
        """What the calls so far have left: own attributes apart from those of classes."""
        own = {name: vars(self).get(name, "none") for name in ("count", "seen")}
        return own, vars(self.gauge), vars(self.options), Gauge.reads, Counted.made, vars(Special).get("made", "none")


class OfTheClass(Case):
    def forward(self, x):
        before = self.gauge.reads
        if x.sum() > 0:
            self.gauge.reads = 5
        between = self.gauge.reads
        Gauge.reads += 7
        return before, between, self.gauge.reads, hasattr(self.gauge, "reads"), getattr(self.gauge, "reads", 1)


class FromGetattr(Case):
    def forward(self, x):
        if x.sum() > 0:
            self.options.left = 9
        self.options.log.append(1)
        return self.options.left, self.options.left + 1, hasattr(self.options, "left"), hasattr(self.options, "right")


class OfTheLayer(Case):
    def forward(self, x):
        if x.sum() > 0:
            self.count += 1
        return self.count


class NoneInTheClass(Case):
    def forward(self, x):
        if x.sum() > 0:
            self.cache = [x] if self.cache is None else [*self.cache, x]
        return self.cache is None, 0 if self.cache is None else len(self.cache)


class OfABase(Case):
    def forward(self, x):
        if x.sum() > 0:
            Special()
        Counted()
        return Special.made, Counted.made


class OfABaseInALoop(Case):
    def forward(self, x):
        for row in x:
            if row > 1:
                break
            Special()
        return Special.made, Counted.made


class Computed(Case):
    def forward(self, x):
        if x.sum() > 0:
            self.gauge.size = 9
        self.gauge.log.append(1)
        return self.gauge.size, len(self.gauge.log)


class Deleted(Case):
    def forward(self, x):
        if x.sum() > 0:
            self.seen = 1
        del self.seen
        return x


class OfTheClassOnceDeleted(Case):
    def forward(self, x):
        self.gauge.reads = 3
        if x.sum() > 0:
            del self.gauge.reads
        return self.gauge.reads


@pytest.mark.parametrize("case", [case for case in Case.__subclasses__()])
def test_an_attribute_is_its_own_where_it_was_stored(case):
    plain = case()
    expected = [(outcome(plain, [x]), repr(plain.left())) for x in CALLS]
    net = case()
    static = paddle.jit.to_static(net, input_spec=SPEC)
    assert [(outcome(static, [x]), repr(net.left())) for x in CALLS] == expected
    net, file = case(), io.BytesIO()
    paddle.jit.save(paddle.jit.to_static(net, input_spec=SPEC), file)
    file.seek(0)
    loaded = paddle.jit.load(file)
    assert [outcome(loaded, [x]) for x in CALLS] == [result for result, _ in expected]


@pytest.mark.parametrize("read", [vars, lambda owner: owner.__dict__])
def test_its_dict_is_refused(read):
    gauge = Gauge()

    @paddle.jit.to_static
    def f(x):
        if x.sum() > 0:
            gauge.reads = 1
        return "reads" in read(gauge)

    with pytest.raises(ConversionError, match="'reads' on some paths only; give that a value, such as None, on every path"):
        f(paddle.ones([2]))


class Celsius:
    def __init__(self):
        self._degrees = 1

    @property
    def degrees(self):
        return self._degrees

    @degrees.deleter
    def degrees(self):
        self._degrees = 0


def test_a_property_is_deleted_by_its_deleter():
    @paddle.jit.to_static
    def f(x):
        made = Celsius()
        if x.sum() > 0:
            del made.degrees
        return made.degrees

    assert [int(f(paddle.to_tensor(x))) for x in CALLS] == [1, 1, 0, 0, 1]


class Fallback:
    def __getattr__(self, name):
        if name == "known":
            return 1
        raise AttributeError(name)

    @property
    def failing(self):
        raise AttributeError("failing")


class OfClasses(type):
    def __getattr__(cls, name):
        return Fallback().__getattr__(name)


class WithoutObjects(metaclass=OfClasses):
    own = 1


def test_hasattr_asks_a_getattr_of_the_users():
    def asked(n):
        found = [hasattr(owner, name) for owner in (Fallback(), WithoutObjects) for name in ("known", "own", "failing")]
        return found, getattr(Fallback(), "known", 2), getattr(Fallback(), "own", 2), n + 1

    *found, number = paddle.jit.to_static(asked)(paddle.to_tensor(1))
    assert (*found, int(number)) == asked(1)


def class_that_no_function_names():
    class Scale:
        def __init__(self, number):
            self.number = number
            self.asked = 0

        @property
        def size(self):
            if self.number > 3:
                return self.number * 2
            return self.number

        @functools.cached_property
        def kept(self):
            self.asked += 1
            return self.number if self.number > 0 else -self.number

        short = property(lambda self: self.size if self.asked else self.kept)

    return Scale


HIDDEN = [class_that_no_function_names()]


@pytest.mark.parametrize("number", [5, 2, -4])
def test_properties_of_a_class_that_the_function_cannot_name(number):
    def f(n):
        scale = HIDDEN[0](n)
        before = "kept" in scale.__dict__
        return before, scale.size, scale.short, scale.kept, scale.short, "kept" in scale.__dict__, scale.asked

    assert plain(paddle.jit.to_static(f)(paddle.to_tensor(number))) == f(number)


class Kept(ABC):
    """Its metaclass is another one, which makes objects as `type` does."""

    def __init__(self, x):
        self.x = None
        if x.sum() > 0:
            self.x = x * 2

    def get(self):
        return self.x


class Keeping(Kept):
    pass


def test_objects_of_abstract_classes_are_made_as_others():
    def function(x):
        total = x * 0
        while x.sum() < 9:
            kept = Keeping(x)
            x, total = x + 1, total if kept.get() is None else total + kept.get()
        return total

    for start in (-3.0, 2.0):
        x = paddle.to_tensor([start, 1.0])
        assert paddle.jit.to_static(function)(x).tolist() == function(x).tolist()

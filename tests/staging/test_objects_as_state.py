"""Objects of the user's classes that `self` holds from call to call: replaced, in lists, in dicts, nested, linked."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

from .agreement import outcome

SPEC = [InputSpec([None])]
CALLS = [np.array(v, np.float32) for v in ([1, 2], [3, 4], [-5, 6], [9, 9])]


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y


@dataclass
class Entry:
    x: object
    y: object = 0


class Pair:
    def __init__(self, p, n):
        self.p = p
        self.n = n


class Holding(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        zeros = paddle.zeros([2])
        self.p = Point(zeros, 0)
        self.q = self.p
        self.ps = [Point(zeros, 0)]
        self.by_name = {"a": Point(zeros, 0)}
        self.pair = Pair(Point(zeros, 0), 0)
        self.both = (Point(zeros, 0), 1)
        self.entry = Entry(zeros)
        self.head = None


class Replaced(Holding):
    def forward(self, x):
        old = self.p.x
        self.p = Point(x + old, self.p.y + 1)
        return self.p.x * self.p.y, old


class ReplacedOnOnePath(Holding):
    def forward(self, x):
        old = self.p
        if x.sum() > 5:
            self.p = Point(x + old.x, old.y + 1)
        return self.p.x * self.p.y, old.y, self.p is self.q


class ReplacedOrChanged(Holding):
    def forward(self, x):
        if x.sum() > 5:
            self.p = Entry(x, 3)
        else:
            self.p.x = self.p.x + x
            self.p.y += 1
        return self.p.x, self.p.y, isinstance(self.p, Entry)


class Dataclass(Holding):
    def forward(self, x):
        self.entry = Entry(x + self.entry.x, self.entry.y + 1)
        return self.entry.x * self.entry.y


class Nested(Holding):
    def forward(self, x):
        old = self.pair
        self.pair = Pair(Point(x + old.p.x, old.p.y + 2), old.n + 1)
        return self.pair.p.x * self.pair.n, old.p.y


class InAList(Holding):
    def forward(self, x):
        last = self.ps[-1]
        for p in self.ps:
            p.y += 1
        self.ps.append(Point(last.x + x, last.y + 1))
        return self.ps[-1].x * last.y, [p.y for p in self.ps]


class InADict(Holding):
    def forward(self, x):
        old = self.by_name["a"]
        self.by_name["a"] = Point(x + old.x, old.y + 1)
        return self.by_name["a"].x, old.y


class InATuple(Holding):
    def forward(self, x):
        p, n = self.both
        self.both = (Point(p.x + x, p.y + n), n + 1)
        return self.both[0].x, self.both[0].y


class WithAList(Holding):
    def forward(self, x):
        seen = self.pair.n if self.pair.n != 0 else []
        seen.append(x.sum())
        self.pair = Pair(x, seen)
        return len(self.pair.n), self.pair.n[0]


class Linked(Holding):
    def forward(self, x):
        self.head = Point(x, self.head)
        node, total = self.head, x * 0
        while node is not None:
            total = total + node.x
            node = node.y
        return total


class NoneAtFirst(Holding):
    def forward(self, x):
        r = x if self.head is None else self.head.x + x
        self.head = Point(r, 1)
        return r


LAYERS = [Replaced, ReplacedOnOnePath, ReplacedOrChanged, Dataclass, Nested, InAList, InADict, InATuple, WithAList, Linked,
          NoneAtFirst]


@pytest.mark.parametrize("layer", LAYERS, ids=lambda c: c.__name__)
def test_agrees_over_calls(layer):
    static = paddle.jit.to_static(layer(), input_spec=SPEC)
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    programs = [static, paddle.jit.load(file)]
    plain = layer()
    for call in CALLS:
        expected = repr(outcome(plain, [call]))
        assert [repr(outcome(program, [call])) for program in programs] == [expected] * 2


@pytest.mark.parametrize("layer", LAYERS, ids=lambda c: c.__name__)
def test_what_one_program_leaves_another_goes_on_with(layer):
    static, plain = paddle.jit.to_static(layer()), layer()
    for call in (CALLS[0], CALLS[1], np.stack(CALLS[:2]), CALLS[2]):
        assert repr(outcome(static, [call])) == repr(outcome(plain, [call]))


def test_a_replaced_object_does_not_stage_anew():
    static = paddle.jit.to_static(Replaced(), input_spec=SPEC)
    programs = set()
    for call in CALLS:
        static(paddle.to_tensor(call))
        programs.add(id(static.forward.concrete_program))
    assert len(programs) == 1


def test_a_field_of_the_first_object_that_changes_outside_stages_anew():
    layer, plain = Replaced(), Replaced()
    static = paddle.jit.to_static(layer, input_spec=SPEC)
    static.forward.concrete_program
    for changed in (layer, plain):
        changed.p.x = paddle.ones([2])
    assert outcome(static, [CALLS[0]]) == outcome(plain, [CALLS[0]])
    for changed in (layer, plain):
        changed.p.x = paddle.ones([2]) * 7
    assert outcome(static, [CALLS[1]]) == outcome(plain, [CALLS[1]])


class Gaining:
    def __init__(self):
        self.n = 1

    def settle(self, k):
        if k > 3:
            self.last = k


GAINING = Gaining()


def returned_with_what_it_has_by_then(n):
    if n > 0:
        return GAINING
    GAINING.settle(n + 5)
    return GAINING


def test_an_attribute_that_a_returned_object_may_lack_is_not_among_its_fields():
    static = paddle.jit.to_static(returned_with_what_it_has_by_then, input_spec=[InputSpec([], "int64")])
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    for form in (static, paddle.jit.load(file)):
        found = [vars(form(paddle.to_tensor(n))).copy() for n in (1, -3, 2, -1, 1)]
        assert [set(fields) for fields in found] == [{"n"}] * 3 + [{"n", "last"}] * 2
        assert int(found[-1]["last"]) == 4


class Marked:
    def __init__(self, value):
        self.__mark__ = value
        self.__doc__ = "of this one"


class Holder:
    def __init__(self):
        self.held = Marked(0)


READS = {
    "load": lambda held: held.__mark__,
    "getattr": lambda held: getattr(held, "__mark__", 5),
    "hasattr": lambda held: (hasattr(held, "__mark__"), hasattr(held, "__other__")),
    "of the class": lambda held: (held.__module__, held.__doc__, type(held).__name__),
    "missing": lambda held: getattr(held, "__other__", 7),
}


@pytest.mark.parametrize("name", READS)
def test_attributes_with_names_as_of_special_methods_are_kept(name):
    read = READS[name]

    def run(holder, x):
        holder.held = Marked(x * 2)
        if x.sum() > 0:
            holder.held.__mark__ = x
        return read(holder.held)

    holder, plain = Holder(), Holder()
    static = paddle.jit.to_static(lambda x: run(holder, x))
    for values in ([1.0, 2.0], [-3.0, 1.0]):
        x = paddle.to_tensor(values)
        assert str(static(x)) == str(run(plain, x))
        assert str(holder.held.__mark__) == str(plain.held.__mark__)

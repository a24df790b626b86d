"""Objects whose class says `==` itself, among what only the Program knows: no other rule compares them in silence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import VECTOR, outcome


@dataclass(frozen=True)
class Config:
    width: int = 2


class Loose:
    def __init__(self, width):
        self.width = width

    def __eq__(self, other):
        return self.width == other.width

    __hash__ = None


def grown(x, cls):
    items = [cls(3)]
    if x.sum() > 2:
        items.append(cls(3))
    return items


def in_a_list(x, cls):
    return cls(3) in grown(x, cls)


def counted(x, cls):
    return grown(x, cls).count(cls(3))


def found(x, cls):
    return grown(x, cls).index(cls(3))


def removed(x, cls):
    items = grown(x, cls)
    items.remove(cls(3))
    return len(items)


def lists_compared(x, cls):
    return grown(x, cls) == [cls(3)], grown(x, cls) != [cls(3)]


def among_values(x, cls):
    d = {"a": cls(3)}
    if x.sum() > 2:
        d["b"] = cls(2)
    return d == {"a": cls(3)}


@pytest.mark.parametrize("cls", [Config, Loose])
@pytest.mark.parametrize("function", [in_a_list, counted, found, removed, lists_compared, among_values])
def test_the_same_or_refused(function, cls):
    """`in`, `count`, `==` of containers found no object that isn't the very same."""
    static = paddle.jit.to_static(lambda x: function(x, cls), input_spec=[VECTOR])
    with pytest.raises(ConversionError, match=f"among it a {cls.__name__}, which says itself what equals it; compare item by"):
        static(paddle.ones([3]))


@pytest.mark.parametrize("cls", [Config, Loose])
def test_what_the_message_says_to_write_works(cls):
    def by_item(x):
        return any(item == cls(3) for item in grown(x, cls)), sum(item == cls(3) for item in grown(x, cls))

    static = paddle.jit.to_static(by_item, input_spec=[VECTOR])
    for given in ([np.ones(3, np.float32)], [np.ones(1, np.float32)]):
        assert outcome(static, given) == outcome(by_item, given)


class Keyed(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.config, self.known = Config(), {Config(): 1}

    def forward(self, x):
        found = self.known.get(self.config, 0)
        if x.sum() > 5:
            self.config = Config(3)
        return found


def test_a_key_that_only_the_program_knows_is_refused():
    with pytest.raises(ConversionError, match=r"hash\(x\) of a Config that is known only when the Program runs; use its fields"):
        paddle.jit.to_static(Keyed(), input_spec=[VECTOR])(paddle.ones([2]))


@dataclass(slots=True)
class Item:
    size: int

    def tag(self):
        self.size += 1


@dataclass(slots=True)
class Box(Item):
    def tag(self):
        super().tag()


def test_what_super_raises_is_the_users():
    def tagged(x):
        box = Box(1)
        box.tag()
        return box.size

    given = [np.ones(3, np.float32)]  # the class that `slots=True` makes anew isn't the one of `super()`, before Python 3.14
    assert outcome(paddle.jit.to_static(tagged, input_spec=[VECTOR]), given) == outcome(tagged, given)


class Ranked:
    def __init__(self, rank):
        self.rank = rank

    def __lt__(self, other):
        return self.rank > other.rank


@pytest.mark.parametrize("order", [sorted, lambda items: items.sort(), lambda items: sorted(items, key=lambda item: (item, 1))])
def test_an_order_of_its_own_is_refused(order):
    items = [Ranked(1), Ranked(2)]

    def ordered(x):
        if x.sum() > 2:
            items.append(Ranked(3))
        order(items)
        return x

    with pytest.raises(ConversionError, match="by the order that Ranked gives them; sort by what their order follows: key="):
        paddle.jit.to_static(ordered, input_spec=[VECTOR])(paddle.ones([2]))

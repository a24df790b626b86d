"""A container of a class of the user's that comes from outside and is returned on one path only.

The static model gives the object itself, the loaded one what it gives where no path decides.
"""

import io
from collections import Counter, OrderedDict, defaultdict, deque

import pytest

import dy2st as paddle
from dy2st.static import InputSpec


class Stack(list):
    pass


class Ring(deque):
    pass


class Bag(set):
    pass


class Fixed(frozenset):
    pass


class Pair(tuple):
    pass


class Table(dict):
    pass


class Ordered(OrderedDict):
    pass


class Grouped(defaultdict):
    pass


class Counted(Counter):
    pass


MADE = {
    Stack: lambda: Stack([1, [2]]),
    Ring: lambda: Ring([1, 2], 3),
    Bag: lambda: Bag({1, 2}),
    Fixed: lambda: Fixed({1}),
    Pair: lambda: Pair((1, 2)),
    Table: lambda: Table(a=1, b=[2]),
    Ordered: lambda: Ordered(b=1, a=2),
    Grouped: lambda: Grouped(int, {"a": 1}),
    Counted: lambda: Counted("aab"),
}


class Chosen(paddle.nn.Layer):
    """Gives what it holds on one path, and numbers on the other."""

    def __init__(self, held):
        super().__init__()
        self.held = held

    def forward(self, x):
        if x.sum() > 0:
            return x, 1
        return x, 2, (self.held, self.held)


class Always(Chosen):
    """Gives what it holds in any case."""

    def forward(self, x):
        return x, 2, (self.held, self.held)


def _loaded(net):
    file = io.BytesIO()
    paddle.jit.save(net, file, input_spec=[InputSpec([None])])
    file.seek(0)
    return paddle.jit.load(file)


@pytest.mark.parametrize("cls", MADE, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("has_attributes", [False, True], ids=["bare", "with attributes"])
def test_it_is_itself_and_its_items_are_saved(cls, has_attributes):
    held = MADE[cls]()
    if has_attributes:
        held.title = "t"
    up, down = paddle.to_tensor([1.0]), paddle.to_tensor([-1.0])
    static = paddle.jit.to_static(Chosen(held))
    assert int(static(up)[1]) == 1
    found = static(down)[2]
    assert type(found[0]) is cls and found[0] == found[1] == held
    assert cls is Pair or (found[0] is held and found[1] is held)  # what can't change is made anew
    loaded, always = _loaded(Chosen(held))(down)[2], _loaded(Always(held))(down)[2]
    assert loaded[0] is loaded[1]
    assert (type(loaded[0]), repr(loaded[0])) == (type(always[0]), repr(always[0]))


def test_what_has_come_into_it_since_is_given():
    static, plain = paddle.jit.to_static(Chosen(Stack([1]))), Chosen(Stack([1]))
    for value in (-1.0, 1.0, -2.0):
        given = paddle.to_tensor([value])
        assert repr(static(given)[2:]) == repr(plain(given)[2:])
        static.held.append(value), plain.held.append(value)

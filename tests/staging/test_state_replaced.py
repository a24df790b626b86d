"""What the user's code puts into state between calls may be of another kind: the function is staged again."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st.static import InputSpec

X = paddle.to_tensor([1.0, 2.0])


class Point:
    def __init__(self, a, b):
        self.a, self.b = a, b


class ReplacesAnObject(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.p = Point(1.0, 2)

    def forward(self, x):
        r = x * self.p.a
        if self.p.b is None:
            r = r + 100
        self.p = Point(self.p.a + 1, self.p.b)
        return r


class Counts(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.k = 1

    def forward(self, x):
        if self.k is None:
            self.k = 0
            return x + 100
        self.k = self.k + 1
        return x * self.k


class Collects(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.seen = [1]

    def forward(self, x):
        self.seen.append(2)
        return x * len(self.seen) * self.seen[0] if self.seen[0] is not None else x


class Accumulates(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.h = None

    def forward(self, x):
        self.h = x if self.h is None else self.h + x
        return self.h * self.h.shape[0]


def put(name, value):
    return lambda net: setattr(net, name, value)


CHANGES = {
    "a field that is None now": (ReplacesAnObject, put("p", Point(5.0, None))),
    "a field that is a tensor now": (ReplacesAnObject, put("p", Point(X, 3))),
    "a field of the object there": (ReplacesAnObject, lambda net: setattr(net.p, "b", None)),
    "None for an int": (Counts, put("k", None)),
    "a float for an int": (Counts, put("k", 2.5)),
    "a tensor for an int": (Counts, put("k", X)),
    "an int for an int": (Counts, put("k", 7)),
    "another list": (Collects, put("seen", [None])),
    "an item of the list": (Collects, lambda net: net.seen.__setitem__(0, X)),
    "one more item of the list": (Collects, lambda net: net.seen.append(5)),
    "None for a tensor": (Accumulates, put("h", None)),
    "more axes": (Accumulates, put("h", paddle.ones([3, 2]))),
}


def outputs(net, change):
    found = []
    for turn in range(6):
        if turn == 3:
            change(net)
        found.append(net(X).numpy().tolist())
    return found


@pytest.mark.parametrize("name", CHANGES)
def test_as_plain_python(name):
    layer, change = CHANGES[name]
    static = paddle.jit.to_static(layer(), input_spec=[InputSpec([2], "float32")])
    assert outputs(static, change) == outputs(layer(), change)


def test_state_of_the_same_kind_is_not_staged_again():
    static = paddle.jit.to_static(Counts(), input_spec=[InputSpec([2], "float32")])
    outputs(static, put("k", 7))
    assert len(static.forward.program_cache) == 1


class Switches(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.act = self.double

    def double(self, x):
        return x * 2

    def triple(self, x):
        return x * 3

    def forward(self, x):
        y = self.act(x)
        if x.sum() > 0:
            self.act = self.triple
        return y


def test_a_bound_method_is_the_same_however_often_it_is_loaded():
    net = Switches()
    static = paddle.jit.to_static(net, input_spec=[InputSpec([2], "float32")])
    for _ in range(3):
        net.act = net.double
        assert static(X).numpy().tolist() == [2, 4]
        assert static(X).numpy().tolist() == [3, 6]
    assert len(static.forward.program_cache) == 1

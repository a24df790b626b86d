"""S-22 to S-24: containers of the user's classes, and objects with slots, that are kept on self, changed and returned."""

from __future__ import annotations

import io
from collections import OrderedDict, deque
from dataclasses import dataclass, field

import pytest

import dy2st as paddle
from dy2st.static import InputSpec

X = paddle.to_tensor([1.0, 2.0])


class Items(list):
    pass


class Table(dict):
    pass


class Pair(tuple):
    pass


class Latest(deque):
    pass


@dataclass(slots=True)
class Item:
    size: int
    tags: list = field(default_factory=list)


class Kept(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.items, self.table, self.latest, self.item = Items([3]), Table(a=1), Latest([1], 2), Item(1)


class S22(Kept):
    def forward(self, x):
        self.items.append(1)
        self.table[len(self.items)] = 2
        self.latest.append(len(self.table))
        return x + len(self.items) + len(self.table) * self.latest[0]


class S23(Kept):
    def forward(self, x):
        self.item.tags.append(1)
        self.item.size += len(self.item.tags)
        return x * len(self.item.tags) + self.item.size


class S23Made(Kept):
    def forward(self, x):
        made = Item(int(x.sum()), [1])
        made.tags.append(self.item.size)
        return made.size, made.tags


class S24(Kept):
    def forward(self, x):
        made = Items((1, 2))
        if x.sum() > 0:
            made.append(3)
        return made, {"k": Items([x.sum()])}, Pair((x.sum(), 4)), OrderedDict(b=1, a=x.sum())


def plain(value):
    """A result in Python's own values: a loaded model knows no class of the user's."""
    if isinstance(value, paddle.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return list(map(plain, value)) if isinstance(value, list | deque) else value


@pytest.mark.parametrize("layer", [S22, S23, S23Made, S24])
def test_as_in_plain_python(layer):
    file, calls = io.BytesIO(), range(3)
    expected = [plain(each) for net in [layer()] for each in [net(X) for _ in calls]]
    static = paddle.jit.to_static(layer(), input_spec=[InputSpec([2])])
    paddle.jit.save(static, file)
    file.seek(0)
    loaded = paddle.jit.load(file)
    assert [plain(static(X)) for _ in calls] == expected
    assert [plain(loaded(X)) for _ in calls] == expected


def test_s_24_the_classes_of_a_static_result():
    static = paddle.jit.to_static(S24())
    made, table, pair, ordered = static(X)
    assert (type(made), type(table["k"]), type(pair), type(ordered)) == (Items, Items, Pair, OrderedDict)

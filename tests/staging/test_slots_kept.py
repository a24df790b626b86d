"""S-23: objects with slots, as attributes, in lists and in dicts of a layer: what a call does to them, in each kind of class.

Plain Python's three calls are the truth, for the static layer and for the loaded one.
"""

from __future__ import annotations

import copy
import io
import itertools
from dataclasses import dataclass, field

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.static import InputSpec

X = paddle.to_tensor([1.0, 2.0])


@dataclass(slots=True)
class Item:
    size: int
    tags: list = field(default_factory=list)

    def mark(self, tag):
        self.tags.append(tag)
        self.size += 1
        return self


@dataclass(slots=True)
class Longer(Item):
    label: str = "a"


@dataclass
class Unslotted(Item):
    pass


class ByHand:
    __slots__ = ("size", "tags")

    def __init__(self, size, tags=None):
        self.size, self.tags = size, [] if tags is None else tags

    def mark(self, tag):
        self.tags.append(tag)
        self.size += 1
        return self


class Weak(ByHand):
    __slots__ = ("__weakref__", "__dict__")


KINDS = (Item, Longer, Unslotted, ByHand, Weak)


def appended(part, x):
    part.tags.append(1)


def appended_and_written(part, x):
    part.tags.append(1)
    part.size = part.size + 2


def written_and_appended(part, x):
    part.size += 2
    part.tags.append(part.size)


def replaced_and_appended(part, x):
    part.tags = [*part.tags, 7]
    part.tags.append(8)


def by_its_method(part, x):
    part.mark(3).mark(4)


def on_a_path(part, x):
    if x.sum() + part.size > 4:
        part.tags.append(1)
    else:
        part.size += 1


def in_a_loop(part, x):
    total = x.sum()
    while total > 0:
        part.mark(5)
        total = total - 2


def with_a_tensor(part, x):
    part.tags.append(x * part.size)
    part.size = int(x.sum()) + len(part.tags)


def emptied(part, x):
    if x.sum() > 0:
        part.tags.clear()
    part.tags += [part.size, part.size]
    part.size -= 1


WAYS = (
    appended, appended_and_written, written_and_appended, replaced_and_appended, by_its_method, on_a_path, in_a_loop,
    with_a_tensor, emptied,
)  # fmt: skip


class Kept(paddle.nn.Layer):
    """One object of a kind, under three names; `way` changes what a call finds under one of them."""

    def __init__(self, kind, way, name):
        super().__init__()
        self.item, self.items, self.table = kind(1), [kind(1), kind(2)], {"a": kind(1)}
        self.shared = self.item
        self.way, self.name = way, name

    def forward(self, x):
        part = {"item": self.item, "items": self.items[1], "table": self.table["a"]}[self.name]
        self.way(part, x)
        return x * part.size + len(part.tags), part.size, list(part.tags), self.shared.size, len(self.shared.tags)


class Made(paddle.nn.Layer):
    """Objects that a call makes, changes and gives back."""

    def __init__(self, kind, way, name):
        super().__init__()
        self.kind, self.way, self.name = kind, way, name

    def forward(self, x):
        part = self.kind(int(x.sum()), [1])
        self.way(part, x)
        other = copy.copy(part)
        other.size += 1
        return {"item": part, "items": [part, other], "table": {"a": part}}[self.name]


def plain(value):
    """A result in Python's own values: a loaded model knows no class of the user's."""
    if isinstance(value, paddle.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return [plain(value.size), plain(value.tags)] if hasattr(value, "tags") else value


CELLS = list(itertools.product((Kept, Made), KINDS, WAYS, ("item", "items", "table")))


@pytest.mark.long
@pytest.mark.parametrize("layer, kind, way, name", sampled(CELLS, 9), ids=lambda part: getattr(part, "__name__", part))
def test_s_23_objects_with_slots_are_as_in_plain_python(layer, kind, way, name):
    net = layer(kind, way, name)
    expected = [plain(net(X)) for _ in range(3)]
    file, static = io.BytesIO(), paddle.jit.to_static(layer(kind, way, name), input_spec=[InputSpec([2])])
    paddle.jit.save(static, file)
    file.seek(0)
    loaded = paddle.jit.load(file)
    assert [plain(static(X)) for _ in range(3)] == expected
    assert [plain(loaded(X)) for _ in range(3)] == expected


def test_s_23_a_result_is_an_object_of_its_class_with_the_numbers_of_the_call():
    static = paddle.jit.to_static(Made(Item, appended, "item"), input_spec=[InputSpec([2])])
    for x, size in ((X, 3), (X * 2, 6)):
        found = static(x)
        assert type(found) is Item and (int(found.size), found.tags) == (size, [1, 1])

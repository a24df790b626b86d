"""Attributes that a dict of `collections` has besides its items: given, made, copied, kept as state."""

from __future__ import annotations

import collections
import copy
import pickle

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import plain


class Kept(collections.OrderedDict):
    """Has attributes, as Python's own has."""


def with_attributes(kind):
    held = kind(a=1)
    held.tag, held.scale = ["t"], paddle.to_tensor([2.0])
    return held


def attributes_of(held):
    return sorted((name, plain(value)) for name, value in vars(held).items())


HANDLING = {
    "read": lambda held, x: (held.scale * x, held.tag, hasattr(held, "other")),
    "given back": lambda held, x: held,
    "stored": lambda held, x: (setattr(held, "scale", held.scale + x), setattr(held, "new", x), held.scale)[2],
    "copied": lambda held, x: (c := copy.copy(held), getattr(c, "tag", None) is held.tag, getattr(c, "scale", x) * x)[1:],
    "deeply": lambda held, x: (c := copy.deepcopy(held), getattr(c, "tag", None))[1:],
}


@pytest.mark.parametrize("handle", HANDLING.values(), ids=HANDLING.keys())
@pytest.mark.parametrize("kind", [collections.OrderedDict, collections.Counter, Kept])
def test_attributes_of_a_dict_that_is_given(kind, handle):
    def called(call):
        held = with_attributes(kind)
        found = call(handle)(held, paddle.to_tensor([3.0]))
        return plain(found), attributes_of(held), attributes_of(found) if isinstance(found, dict) else None

    assert called(paddle.jit.to_static) == called(lambda f: f)


@pytest.mark.parametrize("kind", [collections.OrderedDict, collections.Counter, Kept])
def test_attributes_of_a_dict_that_is_made(kind):
    def f(x):
        made = kind(a=x)
        made.seen = x + 1
        return made, pickle.loads(pickle.dumps(with_tag(kind)))

    def with_tag(kind):
        held = kind(a=1)
        held.tag = ["t"]
        return held

    found = paddle.jit.to_static(f)(paddle.to_tensor([3.0]))
    assert [(plain(each), attributes_of(each)) for each in found] == [
        (plain(each), attributes_of(each)) for each in f(paddle.to_tensor([3.0]))
    ]


def test_attributes_of_a_dict_that_is_state():
    def counted(call):
        held = with_attributes(Kept)

        @call
        def f(x):
            held.scale = held.scale + x
            held["a"] += 1
            return held.scale, held["a"]

        return [plain(f(paddle.to_tensor([v]))) for v in (1.0, 2.0)], attributes_of(held)

    assert counted(paddle.jit.to_static) == counted(lambda f: f)


def test_a_dict_s_attribute_that_a_path_stores_is_refused():
    held = with_attributes(collections.OrderedDict)

    def f(x):
        if x.sum() > 0:
            held.scale = held.scale + x
        return held.scale

    with pytest.raises(ConversionError, match="derive a class"):
        paddle.jit.to_static(f)(paddle.to_tensor([1.0]))

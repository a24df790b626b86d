"""A tensor that stands for an absent key doesn't make the dict a value of the Program."""

from __future__ import annotations

import dy2st as paddle
from dy2st import jit


def kept(x):
    d = {"a": x, "find": lambda x: x * 10}  # a function that is made here can't be a value of the Program
    found = d.get("b", x * 2), d.get("a", x * 3), d.pop("c", x * 4), d.pop("a", x * 5), d.setdefault("e", x * 6)
    return *found, d["find"](x), len(d)


def test_agrees_with_plain_python():
    x = paddle.to_tensor([1.0, 2.0])
    for given, found in zip(kept(x)[:-1], jit.to_static(kept)(x)[:-1], strict=True):
        assert given.tolist() == found.tolist()
    assert jit.to_static(kept)(x)[-1] == kept(x)[-1] == 2

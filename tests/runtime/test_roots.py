"""By which path an object outlives a call: found by a search that goes on where it stopped, and sees what has changed since."""

from __future__ import annotations

import pytest

from dy2st.runtime.outside import roots
from dy2st.runtime.outside.roots import Roots


class Box:
    shared: list = []

    def __init__(self, **held):
        vars(self).update(held)


def reading(box):
    return lambda: box


def test_paths_are_the_shortest():
    leaf, box = [1], Box(shown={"a": [2]})
    box.deep = Box(deeper=Box(leaf=leaf))
    box.near = {"leaf": leaf}
    found = Roots(reading(box))
    assert found.path(leaf) == "closure.box.near['leaf']"
    assert found.path(box.shown["a"]) == "closure.box.shown['a']"
    assert found.path(Box.shared) == "closure.box.shared"
    assert found.path([3]) is None


@pytest.mark.parametrize("first", [True, False])
def test_what_has_moved_or_gone_is_noticed(first):
    box = Box(a=[1], b=Box(c=[2]), d={})
    found = Roots(reading(box))
    leaf, inner = box.a, box.b.c
    if first:
        assert (found.path(leaf), found.path(inner)) == ("closure.box.a", "closure.box.b.c")
    box.d["moved"] = box.__dict__.pop("a")
    box.b = None
    assert (found.path(leaf), found.path(inner)) == ("closure.box.d['moved']", None)
    box.e = inner
    assert found.path(inner) == "closure.box.e"


def test_a_further_function_leads_to_more():
    box, other = Box(a=[1]), Box(b=[2])
    found = Roots(reading(box))
    assert found.path(other.b) is None
    found.enter(reading(other))
    assert found.path(other.b).endswith("box.b") and found.path(box.a) == "closure.box.a"


def test_many_paths_take_one_search(monkeypatch):
    looked_at, parts = [], roots._parts
    monkeypatch.setattr(roots, "_parts", lambda path, obj: looked_at.append(obj) or parts(path, obj))
    box = Box(**{f"part{i}": Box(leaf=[i]) for i in range(200)})
    found = Roots(reading(box))
    assert [found.path(part.leaf) for part in vars(box).values()] == [f"closure.box.part{i}.leaf" for i in range(200)]
    assert len(looked_at) < 2000  # 400 objects, and for each answer the three that lead there

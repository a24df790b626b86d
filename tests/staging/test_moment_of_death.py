"""An object that the user's function has made and dropped dies at that moment while staging, as in plain Python.

A variable that control flow carries is held until the statement ends, as in all rewritten code.
"""

from __future__ import annotations

import contextlib
import unittest
import warnings
import weakref

import pytest

import dy2st as paddle


class Thing:
    def __init__(self, name="thing"):
        self.name = name

    def method(self):
        return self.name


def by_del():
    thing = Thing()
    ref = weakref.ref(thing)
    before = ref() is thing
    del thing
    return before, ref() is None


def by_rebinding():
    thing = Thing()
    thing.name = "another"
    ref = weakref.ref(thing)
    thing = None
    return ref() is None, thing


def by_return():
    return weakref.ref(Thing())() is None


def callbacks():
    told = []
    thing = Thing()
    ref = weakref.ref(thing, lambda gone: told.append("gone"))
    other = weakref.finalize(thing, told.append, "finalized")
    del thing
    return told, ref() is None, other.alive


def function():
    def inner():
        return 1

    ref = weakref.ref(inner)
    number = inner()
    del inner
    return number, ref() is None


def of_a_method():
    thing = Thing()
    ref = weakref.WeakMethod(thing.method)
    name = ref()()
    del thing
    return name, ref() is None


def counts():
    thing = Thing()
    found = [weakref.getweakrefcount(thing)]
    refs = [weakref.ref(thing), weakref.ref(thing, print), weakref.proxy(thing)]
    found.append(weakref.getweakrefcount(thing))
    return found, weakref.getweakrefs(thing)[0] is refs[0]


def mapping():
    known = weakref.WeakValueDictionary()
    first, second = Thing("first"), Thing("second")
    known["first"], known["second"] = first, second
    del first
    return sorted(known), len(known), second.name


CASES = [by_del, by_rebinding, by_return, callbacks, function, of_a_method, counts, mapping]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_it_dies_as_in_python(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert paddle.jit.to_static(case)() == case()


def test_an_object_at_the_place_of_a_dead_one_is_another_one():
    """Births are known by identity, which Python gives to the next object."""

    def reuses(x):
        for number in range(50):
            thing = Thing(number)
            thing.tensor = x * number
            del thing
        kept = [Thing(number) for number in range(5)]
        if x.sum() > 0:
            kept[2].name = 7
        return [thing.name for thing in kept]

    static = paddle.jit.to_static(reuses)
    for x in (paddle.ones([2]), -paddle.ones([2])):
        assert [int(name) for name in static(x)] == reuses(x)


class Link:
    pass


class Ring:
    """A list of linked objects that is closed by a weak proxy, as `OrderedDict` in Python is."""

    def __init__(self):
        self.held, self.links = Link(), {}
        self.root = weakref.proxy(self.held)
        self.root.before = self.root.after = self.root

    def add(self, key):
        link = self.links[key] = Link()
        link.before, link.after, link.key = self.root.before, self.root, key
        link.before.after = link
        self.root.before = weakref.proxy(link)

    def drop(self, key):
        link = self.links.pop(key)
        link.before.after, link.after.before = link.after, link.before
        link.before = link.after = None

    def keys(self):
        found, link = [], self.root.after
        while link is not self.root:
            found.append(link.key)
            link = link.after
        return found


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_what_is_stored_through_a_weak_proxy_is_stored_in_the_object():
    def turned(ring):
        def turn(key):
            ring.add(key)
            if key == "c":
                ring.drop("a")
            return ring.keys()

        return turn

    plain, static = turned(Ring()), paddle.jit.to_static(turned(Ring()))
    for key in "abcd":
        assert static(key) == plain(key)


@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_a_proxy_may_be_dead_when_the_recording_is_over():
    def made(n):
        ring = Ring()
        for key in "abc":
            with contextlib.suppress(KeyError):
                ring.add(key)
                ring.drop("b")
        found = ring.keys()
        del ring
        return found, n

    assert paddle.jit.to_static(made)(1)[0] == made(1)[0] == ["a", "c"]


def test_a_dead_proxy_is_handed_on():
    def asked(n):
        link = Link()
        link.key = n
        proxy = weakref.proxy(link)
        before, link = proxy.key, None
        unittest.TestCase().assertRaises(ReferenceError, getattr, proxy, "key")
        return before

    assert paddle.jit.to_static(asked)(1) == asked(1)

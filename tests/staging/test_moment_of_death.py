"""An object that the user's function has made and dropped dies at that moment while staging, as in plain Python.

A variable that control flow carries is held until the statement ends, as in all rewritten code.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import gc
import unittest
import warnings
import weakref

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError


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


# What a list, a dict or an iterator has held. Nothing can refer to these weakly: staging lets go of them when the function asks
# whether something has died, and what its own rings hold when `gc.collect` does.


class Cyclic:
    def __init__(self):
        self.itself = self


def is_gone(ref):
    gc.collect()
    return ref() is None


def in_dict_of_mapping():
    thing = Thing()
    known = weakref.WeakValueDictionary({1: thing})
    del thing
    gc.collect()
    return sorted(known), len(known)


def in_joined_dicts():
    thing = Thing()
    first, second = {1: thing}, {2: thing}
    first |= second
    ref = weakref.ref(thing)
    del thing, first, second
    return is_gone(ref)


def in_comprehension():
    things = [Cyclic() for _ in range(3)]
    ref = weakref.ref(things[0])
    known = weakref.WeakKeyDictionary((thing, 1) for thing in things)
    del things
    return is_gone(ref), len(known)


def in_variable_of_closure():
    things = [Thing()]

    def inner():
        return things

    ref = weakref.ref(inner()[0])
    things = None
    return is_gone(ref)


def in_iterators():
    things = [Cyclic(), Cyclic()]
    every = list(zip(things, iter(things), map(lambda x: x, things), enumerate(things), reversed(things), filter(None, things)))
    ref = weakref.ref(things[0])
    del things, every
    return is_gone(ref)


def in_loop():
    things = [Thing(), Thing()]
    for thing in things:
        thing.name = "seen"
    ref = weakref.ref(things[0])
    del things, thing
    return is_gone(ref)


def in_unpacking():
    things = [Thing(), Thing()]
    first, second = things
    _, *rest = things
    ref = weakref.ref(things[1])
    several = (*things, 1)
    del things, first, second, rest, several
    return is_gone(ref)


def in_arguments():
    def collect(*args, **named):
        return args, named

    thing = Thing()
    found = collect(thing, thing, key=thing), collect(*[thing], **{"key": thing}), f"{thing.name}"
    ref = weakref.ref(thing)
    del thing, found
    return is_gone(ref)


def in_manager():
    class Manager:
        def __init__(self, thing):
            self.thing = thing

        def __enter__(self):
            return self.thing

        def __exit__(self, *told):
            return None

    thing = Thing()
    with Manager(thing) as found:
        found.name = "entered"
    with contextlib.nullcontext(thing) as found:
        found.name += " again"
    ref, name = weakref.ref(thing), thing.name
    del thing, found
    return is_gone(ref), name


def in_containers():
    thing = Thing()
    things = [thing]
    lists = [things.copy(), things + things, things * 2, things[:]]
    things.insert(0, thing)
    things.remove(thing)
    kept = {thing} | {thing}
    table = {1: thing} | {2: thing}
    table.update({3: thing})
    table.setdefault(4, thing)
    ref = weakref.ref(thing)
    del thing, things, lists, kept, table
    return is_gone(ref)


def in_library():
    thing = Thing()
    waiting = collections.deque([thing])
    waiting.append(thing)
    groups = collections.defaultdict(list)
    groups[1].append(thing)
    held = functools.partial(str, thing), copy.copy([thing]), collections.namedtuple("Held", "it")(thing)
    ref = weakref.ref(thing)
    del thing, waiting, groups, held
    return is_gone(ref)


def references():
    thing = Thing()
    first, second, third = weakref.ref(thing), weakref.ref(thing, print), weakref.proxy(thing)
    found = [weakref.getweakrefcount(thing)]
    del first, third
    found.append(weakref.getweakrefcount(thing))
    return found, weakref.getweakrefs(thing)[0] is second


HELD = [
    in_dict_of_mapping,
    in_joined_dicts,
    in_comprehension,
    in_variable_of_closure,
    in_iterators,
    in_loop,
    in_unpacking,
    in_arguments,
    in_manager,
    in_containers,
    in_library,
    references,
]


@pytest.mark.long
@pytest.mark.parametrize("case", sampled(HELD, 3), ids=lambda case: case.__name__)
def test_what_a_container_held_dies_as_in_python(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert paddle.jit.to_static(case)() == case()


def test_a_list_at_the_place_of_a_dead_one_is_another_one():
    """Lists are let go each time the reference is asked, and others take their places."""

    def reuses(x):
        thing = Thing()
        ref, kept = weakref.ref(thing), []
        for number in range(20):
            things = [x * number, number]
            del things
            assert ref() is thing
            kept.append([number])
        if x.sum() > 0:
            kept[3].append(x)
            kept[4][0] = 7
        return [len(each) for each in kept], kept[4][0]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        static = paddle.jit.to_static(reuses)
        for x in (paddle.ones([2]), -paddle.ones([2])):
            lengths, first = static(x)
            assert ([int(n) for n in lengths], int(first)) == reuses(x)


def test_a_proxy_of_what_is_gone_is_refused():
    def look(proxy):
        return type(proxy).__name__

    def passes_proxy(x):
        return look(weakref.proxy(Thing())), x

    with pytest.raises(ConversionError, match="a weak proxy stands for an object that is gone, .*; keep weakref.ref"):
        paddle.jit.to_static(passes_proxy)(paddle.ones([2]))


def test_a_dead_proxy_is_handed_on():
    def asked(n):
        link = Link()
        link.key = n
        proxy = weakref.proxy(link)
        before, link = proxy.key, None
        unittest.TestCase().assertRaises(ReferenceError, getattr, proxy, "key")
        return before

    assert paddle.jit.to_static(asked)(1) == asked(1)

"""Mappings that are no dicts: what takes a dict reads them by their keys, as Python does."""

from __future__ import annotations

import collections
import collections.abc
import os
import types

import pytest

import dy2st as paddle


class Named(collections.abc.Mapping):
    def __init__(self, **items):
        self.held = items

    def __getitem__(self, key):
        return self.held[key]

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)


class Held:
    def __init__(self, held):
        self.held = held

    def keys(self):
        return list(self.held)

    def __getitem__(self, key):
        return self.held[key]


class Keyed:
    """No Mapping, only what `dict` asks of one."""

    def keys(self):
        return ["ab", "cd"]

    def __getitem__(self, key):
        return key.upper()


READERS = {
    "dict": lambda m: dict(m),
    "dict and more": lambda m: dict(m, z=3),
    "display": lambda m: {"z": 3, **m},
    "update": lambda m: (d := {"z": 3}, d.update(m))[0],
    "OrderedDict": lambda m: collections.OrderedDict(m),
    "defaultdict": lambda m: collections.defaultdict(int, m),
}
MAPPINGS = {
    "Mapping": lambda: Named(ab=1, cd=2),
    "keys and __getitem__": Keyed,
    "UserDict": lambda: collections.UserDict(abc=1),
    "ChainMap": lambda: collections.ChainMap({"abc": 1}, {"de": 2}),
    "mappingproxy": lambda: types.MappingProxyType({"ab": 1}),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("make", MAPPINGS.values(), ids=MAPPINGS)
def test_as_in_plain_python(make, read):
    found = paddle.jit.to_static(lambda: read(make()))()
    assert found == read(make()) and type(found) is type(read(make()))


def test_the_environment():
    assert paddle.jit.to_static(lambda: sorted(dict(os.environ)))() == sorted(os.environ)


def test_a_counter_of_a_mapping():
    assert paddle.jit.to_static(lambda: collections.Counter(Named(ab=1, cd=2)))() == collections.Counter(ab=1, cd=2)


def test_values_that_only_the_program_knows():
    def function(x):
        made = Held({"ab": x, "cd": x + 1})
        if x.sum() > 0:
            made.held["e"] = x * 2
        return sorted(dict(made)), {**made}["cd"]

    static = paddle.jit.to_static(function)
    for value in (1.0, -1.0):
        x = paddle.to_tensor([value])
        names, tensor = static(x)
        expected, plain = function(x)
        assert list(names) == expected and tensor.tolist() == plain.tolist()


KINDS = {
    "dict": dict,
    "OrderedDict": collections.OrderedDict,
    "Counter": collections.Counter,
    "defaultdict": lambda items: collections.defaultdict(int, items),
}
ASKED = {
    "copy": lambda m: [(type(c).__name__, c) for c in (m.copy(),)],
    "==": lambda m: (m == {"a": 0}, m == collections.OrderedDict(a=0), collections.OrderedDict(a=0) == m, m == m.copy()),
    "|": lambda m: m | collections.OrderedDict(z=9),
    "r|": lambda m: collections.OrderedDict(z=9) | m,
    "{} |": lambda m: {"z": 9} | m,
    "| {}": lambda m: m | {"z": 9},
}


def held_against_python(function):
    def answer(f):
        try:
            return repr(f())
        except TypeError as error:
            return repr(error)

    assert answer(paddle.jit.to_static(function)) == answer(function)


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED.keys())
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_operators_of_the_library_s_mappings(kind, ask):
    held_against_python(lambda: ask(kind({"a": 0})))


@pytest.mark.parametrize("ask", [f for name, f in ASKED.items() if "|" not in name], ids=["copy", "=="])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_operators_of_mapping_proxies(kind, ask):
    held_against_python(lambda: ask(types.MappingProxyType(kind({"a": 0}))))

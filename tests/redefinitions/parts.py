"""What the grid of redefinitions is made of: what a function reads, and what happens to the definition between two calls."""

from __future__ import annotations

from typing import NamedTuple


class Special(NamedTuple):
    """A special method. reads: expressions that ask it of `o`; first, second: two definitions of it, as expressions."""

    reads: tuple[str, ...]
    first: str
    second: str


def _number(*reads: str) -> Special:
    return Special(reads, "lambda self, *rest: 3", "lambda self, *rest: 5")


def _text(*reads: str) -> Special:
    return Special(reads, "lambda self, *rest: 'abc'", "lambda self, *rest: 'abcde'")


# Of objects; each is also asked of a class whose metaclass has it.
SPECIALS = {
    "__bool__": Special(("2 if o else 3", "not o", "o and 4"), "lambda self: False", "lambda self: True"),
    "__len__": Special(("len(o)", "2 if o else 3"), "lambda self: 0", "lambda self: 2"),
    "__eq__": Special(("o == 5", "o in [5]"), "lambda self, other: True", "lambda self, other: False"),
    "__ne__": Special(("o != 5",), "lambda self, other: False", "lambda self, other: True"),
    "__lt__": Special(("o < 5",), "lambda self, other: True", "lambda self, other: False"),
    "__gt__": Special(("5 < o",), "lambda self, other: True", "lambda self, other: False"),
    "__hash__": Special(("hash(o) == 7", "len({o, 7})"), "lambda self: 7", "lambda self: 8"),
    "__str__": _text("len(str(o)) == 3", "f'{o}' == 'abc'", "'%s' % o == 'abc'"),
    "__repr__": _text("repr(o) == 'abc'", "f'{o!r}' == 'abc'"),
    "__format__": _text("f'{o:>3}' == 'abc'", "format(o) == 'abc'"),
    "__call__": _number("o(1)", "2 if callable(o) else 3"),
    "__iter__": Special(
        ("sum(o)", "[*o][0]", "sum([item for item in o])", "4 in o"), "lambda self: iter([4, 5])", "lambda self: iter([1, 2])"
    ),
    "__next__": _number("next(o)"),
    "__reversed__": Special(("[*reversed(o)][0]",), "lambda self: iter([4, 5])", "lambda self: iter([1, 2])"),
    "__contains__": Special(("4 in o",), "lambda self, item: True", "lambda self, item: False"),
    "__getitem__": Special(("o[0]", "[*zip(o, (1, 2))]"), "lambda self, k: 4 + k", "lambda self, k: 7 + k"),
    "__setitem__": Special(("put(o)",), "lambda self, k, v: note(4)", "lambda self, k, v: note(6)"),
    "__delitem__": Special(("take(o)",), "lambda self, k: note(4)", "lambda self, k: note(6)"),
    "__add__": _number("o + 2"),
    "__radd__": _number("2 + o"),
    "__iadd__": _number("added(o)"),
    "__matmul__": _number("o @ 2"),
    "__pow__": _number("o ** 2"),
    "__neg__": _number("-o"),
    "__abs__": _number("abs(o)"),
    "__round__": _number("round(o)"),
    "__int__": _number("int(o)"),
    "__float__": Special(("float(o)",), "lambda self: 3.0", "lambda self: 5.0"),
    "__index__": Special(("[5, 6, 7][o]", "len(range(o))", "hex(o) == '0x1'"), "lambda self: 1", "lambda self: 2"),
    "__enter__": _number("entered(o)"),
    "__getattr__": Special(
        ("o.missing", "getattr(o, 'missing', 9)", "2 if hasattr(o, 'missing') else 3"),
        "lambda self, name: len(name)",
        "lambda self, name: 2 * len(name)",
    ),
    "__getattribute__": Special(
        ("o.size", "getattr(o, 'missing', 9)"),
        "lambda self, name: looked(self, name, 1)",
        "lambda self, name: looked(self, name, 2)",
    ),
    "__setattr__": Special(("stored(o)",), "lambda self, name, value: note(4)", "lambda self, name, value: note(6)"),
    "__delattr__": Special(("deleted(o)",), "lambda self, name: note(4)", "lambda self, name: note(6)"),
    "__instancecheck__": Special(("2 if isinstance(3, o) else 3",), "lambda self, value: True", "lambda self, value: False"),
    "__length_hint__": _number("operator.length_hint(o, 9)"),
    "__copy__": _number("copy.copy(o) == 3"),
    "__fspath__": _text("os.fspath(o) == 'abc'"),
}

OBJECTS = {
    "an object": ("o", "C", "o"),
    "an object made inside": ("C()", "C", "o"),
    "an object of a list": ("held[0]", "C", "o"),
    "an attribute of the layer": ("self.o", "C", "o"),
    "a derived object": ("d", "C", "d"),
    "a class": ("C", "M", "C"),
    "a derived class": ("D", "M", "D"),
}  # what is read, the class that has the special methods, and the object by a name of the module

EVENTS = {
    "appears": ("", "T.{name} = {second}"),
    "appears as another goes": ("", "del T.gone; T.{name} = {second}"),
    "appears, and others are renamed": ("", "T.none = T.gone; del T.gone, T.other; T.{name} = {second}"),
    "vanishes": ("{name} = {first}", "del T.{name}"),
    "vanishes as another comes": ("{name} = {first}", "del T.{name}; T.come = 1"),
    "is replaced": ("{name} = {first}", "T.{name} = {second}"),
    "is another name's now": ("{name} = {first}", "T.gone = T.{name}; del T.{name}"),
    "is overridden in a base": ("{name} = {first}", "T.__mro__[1].{name} = {second}; del T.{name}"),
    "becomes a property": ("{name} = {first}", "T.{name} = property(lambda self: partial({second}, self))"),
    "becomes a static method": ("{name} = {first}", "T.{name} = staticmethod(partial({second}, None))"),
    "becomes a class method": ("{name} = {first}", "T.{name} = classmethod({second})"),
    "becomes an object": ("{name} = {first}", "T.{name} = partial({second}, None)"),
    "becomes None": ("{name} = {first}", "T.{name} = None"),
    "gets another code": ("{name} = {first}", "T.{name}.__code__ = ({second}).__code__"),
    "appears on the object itself": ("{name} = {first}", "I.{name} = partial({second}, None)"),
    "appears in the base": ("", "T.__mro__[1].{name} = {second}"),
    "comes with another base": ("", "T.__bases__ = (type('New', T.__bases__, {{'{name}': {second}}}),)"),
    "comes with another class": ("", "I.__class__ = type(type(T))('New', (type(I),), {{'{name}': {second}}})"),
}

SOURCE = """
import copy, operator, os
from functools import partial
import dy2st as paddle
from dy2st import nn

noted = []


def note(value):
    noted.append(value)


def looked(o, name, factor):
    if name in ("size", "missing"):
        return len(name) * factor
    return (type if issubclass(type(o), type) else object).__getattribute__(o, name)


def put(o):
    o[0] = 1
    return noted.pop() if noted else 0


def take(o):
    del o[0]
    return noted.pop() if noted else 0


def added(o):
    o += 1
    return o


def entered(o):
    with o as value:
        return value


def stored(o):
    o.late = 1
    return noted.pop() if noted else getattr(o, "late", 8)


def deleted(o):
    o.late = 1
    del o.late
    return noted.pop() if noted else 8


class MBase(type):
    pass


class M(MBase):
    {of_meta}

    def gone(cls): ...
    def other(cls): ...


class Base(metaclass=M):
    size = 6


class C(Base):
    {of_class}

    def gone(self): ...
    def other(self): ...
    def __exit__(self, *rest): ...


class D(C):
    pass


o, d = C(), D()
held = [o]


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.o = o

    def forward(self, x):
        return x * ({read})


net = Net()
"""

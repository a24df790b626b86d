"""The classes of containers: how one is made, read, replaced from outside, and changed from inside, as lines of source."""

from __future__ import annotations

from typing import NamedTuple

IMPORTS = """
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
import dy2st as paddle
from dy2st import nn
"""


class Row(NamedTuple):
    """One class. `{v}` is the container, `{a}` and `{b}` are what it holds, `{t}` is something new.

    source: what defines the class; make: an expression; read: an expression of all that it holds; change: a statement that a
    function may run, or nothing; replace: a statement that puts something else into it between two calls, or nothing.
    """

    source: str
    make: str
    read: str
    change: str = ""
    replace: str = ""


LIST = ("{v}[0] * 2 + {v}[1] * 3 + len({v})", "{v}.append({t})", "{v}[0] = {t}")
TUPLE = ("{v}[0] * 2 + {v}[1] * 3 + len({v})", "", "")
DICT = ("{v}['p'] * 2 + {v}['q'] * 3 + len({v})", "{v}['r'] = {t}", "{v}['p'] = {t}")
FIELDS = ("{v}.p * 2 + {v}.q * 3", "{v}.p = {v}.q + {t}", "{v}.p = {t}")
SET = ("sum([e for e in {v}])", "{v}.add({t})", "")
LAYERS = ("{v}[0](x) + {v}[1](x) * len({v})", "", "{v}[0] = nn.Linear(3, 3)")
PARAMETERS = ("{v}[0] * 2 + {v}[1] * 3 + len({v})", "", "")

_FIELDS_INIT = "\n    def __init__(self, p, q):\n        self.p, self.q = p, q"
_SLOTS = "\n    __slots__ = ('p', 'q')" + _FIELDS_INIT
_BOTH = "\n    __slots__ = ('p', '__dict__')" + _FIELDS_INIT
_BARE = "class Sub({}):\n    pass"
_OWN = "class Sub({}):\n    def total(self):\n        return self[{}] * 2 + self[{}] * 3 + len(self)"
_NEW = "paddle.create_parameter([3], 'float32')"
_COUNTER = ("{v}['p'] * 2 + {v}['q'] * 3 + len({v})", "{v}['r'] += 1", "{v}['p'] = 9")

ROWS: dict[str, Row] = {
    "list": Row("", "[{a}, {b}]", *LIST),
    "tuple": Row("", "({a}, {b})", *TUPLE),
    "namedtuple": Row("Pair = namedtuple('Pair', 'p q')", "Pair({a}, {b})", "{v}.p * 2 + {v}[1] * 3"),
    "dict": Row("", "{{'p': {a}, 'q': {b}}}", *DICT),
    "OrderedDict": Row("", "OrderedDict(p={a}, q={b})", *DICT),
    "defaultdict": Row("", "defaultdict(list, p={a}, q={b})", *DICT),
    "Counter": Row("", "Counter(p=2, q=3)", *_COUNTER),
    "deque": Row("", "deque([{a}, {b}], maxlen=5)", *LIST),
    "set": Row("", "{{1, 2}}", "sum([e for e in {v}])", "{v}.add(7)"),
    "frozenset": Row("", "frozenset((1, 2))", "sum([e for e in {v}])"),
    "dataclass": Row("@dataclass\nclass D:\n    p: object\n    q: object", "D({a}, {b})", *FIELDS),
    "frozen dataclass": Row("@dataclass(frozen=True)\nclass D:\n    p: object\n    q: object", "D({a}, {b})", FIELDS[0]),
    "slots dataclass": Row("@dataclass(slots=True)\nclass D:\n    p: object\n    q: object", "D({a}, {b})", *FIELDS),
    "object": Row("class O:" + _FIELDS_INIT, "O({a}, {b})", *FIELDS),
    "slots object": Row("class O:" + _SLOTS, "O({a}, {b})", *FIELDS),
    "slots and dict": Row("class O:" + _BOTH, "O({a}, {b})", *FIELDS),
    "LayerList": Row("", "nn.LayerList([nn.Linear(3, 3), nn.Linear(3, 3)])", *LAYERS),
    "ParameterList": Row("", f"nn.ParameterList([{_NEW}, {_NEW}])", *PARAMETERS),
    "Layer": Row("class N(nn.Layer):\n    def __init__(self, p, q):\n        super().__init__()\n        self.p, self.q = p, q",
                 "N({a}, {b})", FIELDS[0], "", "{v}.p = {t}"),
    "list subclass": Row(_OWN.format("list", 0, 1), "Sub([{a}, {b}])", "{v}.total()", *LIST[1:]),
    "list subclass with attributes": Row(
        "class Sub(list):\n    def __init__(self, items, k):\n        super().__init__(items)\n        self.k = k",
        "Sub([{a}, {b}], 5)", "{v}[0] * 2 + {v}[1] * 3 + {v}.k", *LIST[1:]),
    "tuple subclass": Row(_OWN.format("tuple", 0, 1), "Sub(({a}, {b}))", "{v}.total()"),
    "namedtuple subclass": Row(
        "class Pair(namedtuple('Pair', 'p q')):\n    def total(self):\n        return self.p * 2 + self.q * 3",
        "Pair({a}, {b})", "{v}.total()"),
    "dict subclass": Row(_OWN.format("dict", "'p'", "'q'"), "Sub(p={a}, q={b})", "{v}.total()", *DICT[1:]),
    "OrderedDict subclass": Row(_BARE.format("OrderedDict"), "Sub(p={a}, q={b})", *DICT),
    "defaultdict subclass": Row(_BARE.format("defaultdict"), "Sub(list, p={a}, q={b})", *DICT),
    "Counter subclass": Row(_BARE.format("Counter"), "Sub(p=2, q=3)", *_COUNTER),
    "deque subclass": Row(_BARE.format("deque"), "Sub([{a}, {b}])", *LIST),
    "set subclass": Row(_BARE.format("set"), "Sub((1, 2))", "sum([e for e in {v}])", "{v}.add(7)"),
    "frozenset subclass": Row(_BARE.format("frozenset"), "Sub((1, 2))", "sum([e for e in {v}])"),
    "dataclass subclass": Row(
        "@dataclass\nclass B:\n    p: object\n\n@dataclass\nclass D(B):\n    q: object", "D({a}, {b})", *FIELDS),
    "object subclass": Row(
        "class B:" + _FIELDS_INIT + "\n\nclass O(B):\n    def total(self):\n        return self.p * 2 + self.q * 3",
        "O({a}, {b})", "{v}.total()", *FIELDS[1:]),
    "slots object subclass": Row("class B:" + _SLOTS + "\n\nclass O(B):\n    __slots__ = ()", "O({a}, {b})", *FIELDS),
    "LayerList subclass": Row(_BARE.format("nn.LayerList"), "Sub([nn.Linear(3, 3), nn.Linear(3, 3)])", *LAYERS),
    "ParameterList subclass": Row(
        _BARE.format("nn.ParameterList"), f"Sub([{_NEW}, {_NEW}])", *PARAMETERS),
    "list subclass that overrides append": Row(
        "class Sub(list):\n    def append(self, item):\n        super().append(item * 2)", "Sub([{a}, {b}])", *LIST),
    "dict subclass with defaults": Row(
        "class Sub(dict):\n    def __getitem__(self, key):\n        return self.get(key, 0)",
        "Sub(p={a}, q={b})", "{v}['p'] * 2 + {v}['q'] * 3 + {v}['none']", *DICT[1:]),
    "list subclass with a property": Row(
        "class Sub(list):\n    scale = 2\n\n    @property\n    def first(self):\n        return self[0] * self.scale",
        "Sub([{a}, {b}])", "{v}.first + {v}[1] * 3 + {v}.scale * len({v})", *LIST[1:]),
    "subclass of a list subclass": Row(
        "class Base(list):\n    def append(self, item):\n        super().append(item + 1)\n\n"
        "class Sub(Base):\n    def append(self, item):\n        super().append(item * 2)", "Sub([{a}, {b}])", *LIST),
}

"""What fails in plain Python fails in the same way while it is staged: it is the user's, and the user's `except` catches it."""

from __future__ import annotations

import builtins
import dataclasses
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st import jit
from dy2st.static import InputSpec

LINES = (Path(__file__).parent / "failing_expressions.txt").read_text(encoding="utf-8").splitlines()
EXPRESSIONS = [line for line in LINES if line and not line.startswith("#")]
SPECS = [InputSpec([3], "float32"), InputSpec([], "int64")]

IMPORTS = """
import copy, dataclasses, functools, itertools, math, operator
from collections import Counter, OrderedDict, defaultdict, deque
import numpy as np
import dy2st as paddle

def one(a): return a
def two(v):
    a, b = v
    return a
def add_to(a, b):
    a += b
    return a
def set_item(a, i, v): a[i] = v
def del_item(a, i): del a[i]
def set_attr(a): a.attribute = 1
def if_(v): return 1 if v else 2
def assert_(t, *m):
    if m:
        assert t, m[0]
    else:
        assert t
def raise_(e): raise e
def for_(v):
    t = 0
    for i in v:
        t = i
    return t
def staged_list(n):
    a = [1]
    if n > 1:
        a.append(2)
    return a
def staged_dict(n):
    a = {"k": 1}
    if n > 1:
        a["l"] = 2
    return a
def staged_set(n):
    a = {1}
    if n > 1:
        a.add(2)
    return a
def maybe_none(n):
    a = None
    if n > 100:
        a = [1]
    return a
def staged_object(n):
    if n > 1:
        b = Box(1)
    else:
        b = Box(2)
    return b
"""
SETUP = """
    n, o, L, D, S, B, A = int(n), Plain(), [3, 1, 2], {"k": 1}, {1}, Box(1), np.zeros(3)
    Q, C, DD, OD = deque([1]), Counter("ab"), defaultdict(int), OrderedDict(k=1)
"""
ALONE = "def alone(x, n):" + SETUP + "    return {0}\n"
CAUGHT = "def caught(x, n):" + SETUP + """
    if x.sum() > 0:
        try:
            {0}
        except Exception:
            x = x * 3
    return x
"""


class Plain:
    def method(self):
        return 1

    def arity(self, a):
        return a


class Box:
    def __init__(self, a):
        self.a = a

    def method(self):
        return self.a

    def arity(self, b):
        return b


class BadBool:
    def __bool__(self):
        raise ValueError("no truth")


class BadEq:
    def __eq__(self, other):
        raise KeyError("eq")

    __hash__ = None


class BadHash:
    def __hash__(self):
        raise KeyError("hash")


@dataclasses.dataclass
class Data:
    a: int


CLASSES = {cls.__name__: cls for cls in (Plain, Box, BadBool, BadEq, BadHash, Data, namedtuple("Pair", "a b"))}


def written(path, expression):
    text = IMPORTS + (ALONE + CAUGHT).replace("{0}", expression)
    path.write_text(text)
    names = dict(CLASSES, __builtins__=builtins, __name__="failing")
    exec(compile(text, str(path), "exec"), names)
    return names["alone"], names["caught"]


def kind_of(function, x, n):
    with pytest.raises(Exception) as raised:
        function(x, n)
    return raised.type.__name__


@pytest.mark.long
@pytest.mark.parametrize("expression", sampled(EXPRESSIONS, 15))
def test_it_is_what_python_raises(expression, tmp_path):
    alone, caught = written(tmp_path / "failing.py", expression)
    x, n = paddle.to_tensor(np.array([1, 2, 3], np.float32)), paddle.to_tensor(np.int64(2))
    assert kind_of(jit.to_static(alone, input_spec=SPECS), x, n) == kind_of(alone, x, n)
    assert jit.to_static(caught, input_spec=SPECS)(x, n).numpy().tolist() == caught(x, n).numpy().tolist() == [3, 6, 9]

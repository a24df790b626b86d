"""`<` and its like between records of what only the Program knows: dataclasses, namedtuples, tuples of the user's classes."""

from __future__ import annotations

import itertools
import linecache
from collections import namedtuple
from dataclasses import dataclass

import pytest

import dy2st as paddle
from dy2st import jit


@dataclass(order=True)
class Pair:
    first: object
    second: object = 1


class Row(tuple):
    def __new__(cls, first, second=1):
        return super().__new__(cls, (first, second))


class Weighed:
    def __init__(self, first, second=1):
        self.first, self.second = first, second

    def __lt__(self, other):
        return (self.first, self.second) < (other.first, other.second)


Named = namedtuple("Named", ["first", "second"], defaults=(1,))
SYMBOLS = ("<", "<=", ">", ">=")
FIELDS = ("int(x.sum() > 0)", "x.sum()", "int(x[0])")


def function_of(cls, symbol, field):
    text = f"def f(x):\n    a, b = C({field}, int(x[1])), C(1)\n    return x * 2 if a {symbol} b else x - 1\n"
    file = f"<{cls} {symbol} {field}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made = {"C": cls}
    exec(compile(text, file, "exec"), made)
    return made["f"]


@pytest.mark.parametrize(
    ("cls", "symbol", "field"),
    [
        case
        for case in itertools.product((Pair, Row, Named, Weighed), SYMBOLS, FIELDS)
        if case[0] is not Weighed or case[1] in "<>"
    ],
)
def test_r_03_records_compare_as_in_python(cls, symbol, field):
    function = function_of(cls, symbol, field)
    static = jit.to_static(function)
    for values in ([1.0, 1.0], [1.0, 0.0], [1.0, 2.0], [-1.0, 0.0], [3.0, 5.0], [0.0, 1.0]):
        x = paddle.to_tensor(values)
        assert static(x).tolist() == function(x).tolist()

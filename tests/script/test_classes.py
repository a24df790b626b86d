"""Classes and named tuples in compiled code."""

import collections
import io
from typing import List, NamedTuple  # noqa: UP035

import pytest

import dy2st as paddle
from dy2st import Tensor, jit
from script.fresh import fresh

# mypy: ignore-errors


@jit.script
class Pair:
    def __init__(self, first, second):
        self.first = first
        self.second = second

    def total(self):
        return self.first + self.second


@jit.script
class Counter:
    def __init__(self, n: int):
        self.n = n
        self.log: List[int] = []

    def add(self, k: int):
        self.n += k
        self.log.append(k)

    @jit.ignore
    def in_python(self):
        return __import__("os").getpid()


@jit.script
def sum_pair(p):
    # type: (Pair) -> Tensor
    return p.first + p.second


@jit.script
def change(p: Pair, n: int) -> int:
    other = p
    other.first = other.first + n
    c = Counter(n)
    alias = c
    for i in range(n):
        if i % 2 == 0:
            alias.add(i)
    return c.n + len(c.log)


def test_ts_84_ts_85_ts_86_ts_87_ts_92(tmp_path):
    p = Pair(paddle.ones([2]), paddle.ones([2]) * 2)
    assert p.total().tolist() == sum_pair(p).tolist() == [3.0, 3.0]
    assert [change(p, 5), change(p, 2)] == [5 + 6 + 3, 2 + 0 + 1]
    assert p.first.tolist() == [8.0, 8.0]
    assert isinstance(Counter(1).in_python(), int)


class Base:
    pass


class Derived(Base):
    def __init__(self, x):
        self.x = x


class WithBody:
    k = 3

    def __init__(self, x):
        self.x = x


class Undeclared:
    def __init__(self, x):
        self.y = x

    def assign_x(self):
        self.x = paddle.rand([2, 3])


class BadMethod:
    def __init__(self, x):
        self.x = x

    def broken(self):
        return self.x + undefined_name  # noqa: F821


@pytest.mark.parametrize(
    ("cls", "text"),
    [(Undeclared, "self.x = paddle.rand"), (Derived, "Base"), (WithBody, "k = 3"), (BadMethod, "undefined_name")],
)
def test_ts_88_ts_89_ts_90_ts_91_refused(cls, text):
    with pytest.raises(RuntimeError) as error:
        jit.script(cls)
    assert text in str(error.value)


Point = collections.namedtuple("Point", ["x", "y"])


class Mixed(NamedTuple):
    n: int
    name: str
    t: Tensor


@jit.script
def total(point):
    # type: (Point) -> Tensor
    a, b = point
    return point.x + point[1] + a * b


@jit.script
def mixed(m: Mixed) -> Mixed:
    if m.n > 2:
        return Mixed(m.n - 1, m.name + "!", m.t * 2)
    return m


def test_ts_93_ts_94_ts_95_ts_96_named_tuples(tmp_path):
    assert total(Point(x=paddle.ones([1]), y=paddle.ones([1]) * 2)).tolist() == [5.0]
    before = str(mixed.graph)
    for n in (1, 5):
        got = mixed(Mixed(n, "a", paddle.ones([1])))
        assert isinstance(got, Mixed) and (got.n, got.name) == ((1, "a") if n == 1 else (4, "a!"))
    assert str(mixed.graph) == before
    mixed.save(tmp_path / "f.pt")
    found = fresh(
        """
        from collections import namedtuple
        f = jit.load("f.pt")
        got = f(namedtuple("Mixed", ["n", "name", "t"])(5, "a", paddle.ones([1])))
        found["fields"] = [got.n, got.name, got.t.tolist(), list(got._fields)]
        """,
        tmp_path,
    )
    assert found["fields"] == [4, "a!", [2.0], ["n", "name", "t"]]


def test_ts_86_in_the_archive():
    @jit.script
    def build(n: int) -> int:
        c = Counter(n)
        c.add(3)
        return c.n

    file = io.BytesIO()
    build.save(file)
    file.seek(0)
    assert [jit.load(file)(4), build(4)] == [7, 7]

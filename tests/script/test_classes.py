"""Classes and named tuples in compiled code."""

import collections
from collections import OrderedDict, defaultdict
from typing import Dict, List, NamedTuple  # noqa: UP035

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


def test_ts_84_a_scripted_class_works_in_python():
    p = Pair(paddle.ones([2]), paddle.ones([2]) * 2)
    assert isinstance(p, Pair) and p.first.tolist() == [1.0, 1.0] and p.total().tolist() == [3.0, 3.0]
    c = Counter(1)
    c.add(4)
    assert (c.n, c.log) == (5, [4])


def test_ts_85_instances_go_in_as_arguments():
    p = Pair(paddle.ones([2]), paddle.ones([2]) * 2)
    assert sum_pair(p).tolist() == p.total().tolist()
    p.second = p.second + 1
    assert sum_pair(p).tolist() == [4.0, 4.0]
    with pytest.raises(RuntimeError, match="argument p"):
        sum_pair((1, 2))


def test_ts_86_script_code_builds_instances(elsewhere):
    assert [build(4), build(0)] == [7, 3]
    assert elsewhere["built"] == [7, 3]


def test_ts_87_two_names_for_one_instance():
    p = Pair(paddle.ones([2]), paddle.ones([2]) * 2)
    assert [change(p, 5), change(p, 2)] == [5 + 6 + 3, 2 + 0 + 1]  # through alias, and through other
    assert p.first.tolist() == [8.0, 8.0]


def test_ts_92_ignore_leaves_a_method_out():
    assert Counter(1).in_python() == __import__("os").getpid()
    assert build(1) == 4  # though in_python can't be compiled, the class is known


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


def refused(cls):
    with pytest.raises(RuntimeError) as error:
        jit.script(cls)
    return str(error.value)


def test_ts_88_an_attribute_that_init_does_not_make_is_refused():
    text = refused(Undeclared)
    assert "nonexistent attribute: x" in text and "self.x = paddle.rand" in text
    assert f":{Undeclared.assign_x.__code__.co_firstlineno + 1}" in text


def test_ts_89_inheritance_is_refused():
    assert "Derived inherits from Base" in refused(Derived)


def test_ts_90_expressions_in_the_body_are_refused():
    text = refused(WithBody)
    assert "k = 3" in text and f":{WithBody.__init__.__code__.co_firstlineno - 2}" in text


def test_ts_91_every_method_must_compile():
    text = refused(BadMethod)
    assert "undefined_name" in text and f":{BadMethod.broken.__code__.co_firstlineno + 1}" in text


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


@jit.script
def build(n: int) -> int:
    c = Counter(n)
    c.add(3)
    return c.n


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """What the compiled functions give in a process that knows no source."""
    folder = tmp_path_factory.mktemp("classes")
    mixed.save(folder / "mixed.pt")
    build.save(folder / "build.pt")
    return fresh(
        """
        from collections import namedtuple
        f, build = jit.load("mixed.pt"), jit.load("build.pt")
        got = f(namedtuple("Mixed", ["n", "name", "t"])(5, "a", paddle.ones([1])))
        found["fields"] = [got.n, got.name, got.t.tolist(), list(got._fields)]
        found["built"] = [build(4), build(0)]
        """,
        folder,
    )


def test_ts_93_a_namedtuple_is_a_type():
    assert total(Point(x=paddle.ones([1]), y=paddle.ones([1]) * 2)).tolist() == [5.0]
    with pytest.raises(RuntimeError, match="argument point"):
        total(paddle.ones([1]))


def test_ts_94_a_typed_named_tuple_goes_in_and_comes_out(elsewhere):
    for n, expected in ((1, (1, "a", [1.0])), (5, (4, "a!", [2.0]))):
        got = mixed(Mixed(n, "a", paddle.ones([1])))
        assert isinstance(got, Mixed) and (got.n, got.name, got.t.tolist()) == expected
    assert elsewhere["fields"] == [4, "a!", [2.0], ["n", "name", "t"]]


@jit.script
def unpacked(m: Mixed) -> int:
    n, name, t = m
    return n + m[0] * 10 + len(m[1]) + int(t.sum()) * 1000 + int(m[-1].sum()) * 10000


def test_ts_95_a_named_tuple_unpacks_and_indexes():
    for m in (Mixed(3, "ab", paddle.ones([2])), Mixed(4, "", paddle.ones([1]))):
        assert unpacked(m) == m.n * 11 + len(m.name) + int(m.t.sum()) * 11000


def test_ts_96_the_graph_does_not_change_with_the_values():
    before = str(mixed.graph), str(typed_total.graph)
    for n in (1, 5, 7):
        mixed(Mixed(n, "a" * n, paddle.ones([n])))
        assert typed_total([n] * n, {"k": n}, "k") == n * n + n
    assert (str(mixed.graph), str(typed_total.graph)) == before and len(typed_total._programs) == 1


@jit.script
def typed_total(xs: List[int], d: Dict[str, int], key: str) -> int:
    t = d[key]
    for x in xs:
        t += x
    return t


class Ends(NamedTuple):
    first: Tensor
    last: Tensor


class Turned(NamedTuple):
    last: Tensor
    first: Tensor


@jit.script
def weighted(ends: Ends, rest: List[Ends], table: Dict[str, Tensor]):
    return ends.first * 10 + ends.last + rest[0].first * 100 + table["x"]


def test_a_container_of_another_class_is_refused():
    x = paddle.to_tensor([1.0, 2.0])
    good, turned = Ends(x, x * 2), Turned(x, x * 2)
    for pair in (good, (x, x * 2)):
        assert weighted(pair, [good], {"x": x}).tolist() == [113.0, 226.0]
    for arguments, name in [
        ((turned, [good], {"x": x}), "ends is a Turned; the function takes Ends"),
        ((good, [turned], {"x": x}), r"rest is a list; the function takes List\[Ends\]"),
        ((good, [good], OrderedDict(x=x)), r"table is a OrderedDict; the function takes Dict\[str, Tensor\]"),
        ((good, [good], defaultdict(list, x=x)), r"table is a defaultdict; the function takes Dict\[str, Tensor\]"),
    ]:
        with pytest.raises(RuntimeError, match=f"argument {name}"):
            weighted(*arguments)

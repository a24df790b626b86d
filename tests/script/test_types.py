"""Types of arguments, variables and results; what is known of an Optional."""

from typing import Dict, List, Optional, Tuple  # noqa: UP035 - as TorchScript's users write them

import pytest

import dy2st as paddle
from dy2st import Tensor, jit, nn
from script.fresh import fresh

# mypy: ignore-errors


def an_error(x):
    if x:
        r = paddle.rand([1])
    else:
        r = 4
    return r


def no_use(x):
    if x.sum() > 0:
        t = 1
    else:
        t = "a"  # noqa: F841
    return x


def changes(n: int):
    x = 1
    for i in range(n):
        x = "a"
    return x


def test_ts_55_ts_56_ts_57_one_type():
    with pytest.raises(RuntimeError) as error:
        jit.script(an_error)
    text = str(error.value)
    assert "Type mismatch: r is set to type Tensor in the true branch and type int in the false branch" in text
    assert "if x:" in text and "return r" in text
    assert jit.script(no_use)(paddle.ones([1])).item() == 1
    with pytest.raises(RuntimeError, match=r"(?s)x .*return x"):
        jit.script(changes)


@jit.script
def typed(n: int, f: float, s: str, b: bool) -> str:
    if b and n > 3:
        s = s + "!" * n
    if f < 0.5:
        s = s + str(n)
    return s


def test_ts_58_ts_59_ts_53_ts_60_arguments(tmp_path):
    with pytest.raises(RuntimeError, match="x"):
        jit.script(no_use)(3)
    cases = [(5, 0.1, "a", True), (2, 0.9, "b", True), (5, 0.1, "", False)]
    expected = ["a!!!!!5", "b", "5"]
    assert [typed(*case) for case in cases] == expected
    with pytest.raises(RuntimeError, match="argument n"):
        typed("1", 0.1, "a", True)
    assert len(typed._programs) == 1
    typed.save(tmp_path / "f.pt")
    code = f"f = jit.load('f.pt'); found['values'] = [f(*case) for case in {cases!r}]"
    assert fresh(code, tmp_path)["values"] == expected


@jit.script
def commented(x, tup):
    # type: (int, Tuple[Tensor, Tensor]) -> Tensor
    t0, t1 = tup
    return t0 + t1 + x


@jit.script
def hinted(x: int, tup: Tuple[Tensor, Tensor]) -> Tensor:
    t0, t1 = tup
    return t0 + t1 + x


def test_ts_61_comments_and_hints():
    a = paddle.ones([2])
    assert commented(3, (a, a)).tolist() == hinted(3, (a, a)).tolist() == [5.0, 5.0]


def wrong_result(x) -> int:
    y = x + 1
    return y


def test_ts_62_the_result():
    with pytest.raises(RuntimeError, match=r"(?s)int.*return y"):
        jit.script(wrong_result)


@jit.script
def words(xs: List[str], d: Dict[str, int]) -> int:
    total = 0
    for w in xs:
        if w in d:
            total += d[w]
    return total


def test_ts_63_containers(tmp_path):
    d = {"a": 1, "b": 20}
    assert [words(xs, d) for xs in ([], ["a"], ["a", "b", "c", "a"])] == [0, 1, 22]
    words.save(tmp_path / "f.pt")
    code = "f = jit.load('f.pt'); found['v'] = [f(x, {'a': 1, 'b': 20}) for x in ([], ['a'], ['a', 'b', 'c', 'a'])]"
    assert fresh(code, tmp_path)["v"] == [0, 1, 22]


@jit.script
def by_key(i: Dict[int, str], f: Dict[float, int]) -> Tuple[str, int]:
    return i[1], f[0.5]


def tuple_keys(d: Dict[Tuple[int, int], int]) -> int:
    return 1


@jit.script
def ordered(d: Dict[str, int]) -> Tuple[List[str], int, bool, int]:
    d["new"] = 7
    names: List[str] = []
    total = 0
    for key, value in d.items():
        names.append(key)
        total += value
    for key in d.keys():
        names.append(key)
    return names, total + d.get("none", 100), "z" in d, len(d)


def test_ts_64_ts_65_keys_and_order():
    assert by_key({1: "one"}, {0.5: 3}) == ("one", 3)
    with pytest.raises(RuntimeError, match="str, int or float"):
        jit.script(tuple_keys)
    given = {"z": 1, "a": 2}
    assert ordered(given) == (["z", "a", "new"] * 2, 110, True, 3)
    assert given["new"] == 7


def untyped_list(x):
    found = []
    found.append(3)
    return found


def untyped_dict(x):
    found = {}
    found["a"] = 3
    return found


@jit.script
def empty_ones(x, n: int):
    found = []
    names = {}
    for i in range(n):
        found.append(x + i)
        names["k"] = x * i
    return found, names


@jit.script
def annotated(x):
    a = jit.annotate(List[int], [])
    b = jit.annotate(Dict[str, int], {})
    for i in range(3):
        a.append(i)
    b["n"] = len(a)
    return a, b


@jit.script
def make_dict(flag: bool):
    x: Dict[str, int] = {}
    x["hi"] = 2
    b: Optional[int] = None
    if flag:
        b = 2
    return x, b


def test_ts_66_ts_67_ts_68_ts_69_empty_containers():
    for function, line in ((untyped_list, "found.append(3)"), (untyped_dict, 'found["a"] = 3')):
        with pytest.raises(RuntimeError) as error:
            jit.script(function)
        assert line in str(error.value)
    found, names = empty_ones(paddle.ones([1]), 2)
    assert [t.item() for t in found] == [1.0, 2.0] and names["k"].item() == 1.0
    assert annotated(paddle.ones([1])) == ([0, 1, 2], {"n": 3})
    assert make_dict(True) == ({"hi": 2}, 2) and make_dict(False) == ({"hi": 2}, None)
    assert jit.annotate(List[int], value := []) is value


class Refined(nn.Layer):
    z: Optional[int]

    def __init__(self, z):
        super().__init__()
        self.z = z

    def forward(self, x, y, z):
        # type: (Optional[int], Optional[int], Optional[int]) -> int
        if x is None:
            x = 1
        x = x + 1
        z = self.z
        if y is not None and z is not None:
            x = y + z
        assert z is not None
        x += z
        return x


@jit.script
def joined(a: Optional[int], b: Optional[int]) -> int:
    if a is None or b is None:
        return 0
    if a is not None and b > 3:
        return a + b
    return a * b


def stored_check(x: Optional[int]) -> int:
    ok = x is not None
    if ok:
        return x + 1
    return 0


class Unrefined(nn.Layer):
    z: Optional[int]

    def __init__(self):
        super().__init__()
        self.z = 2

    def forward(self) -> int:
        if self.z is not None:
            return self.z + 1
        return 0


def test_ts_70_ts_71_ts_72_ts_73_refinement():
    two, none = jit.script(Refined(2)), jit.script(Refined(None))
    assert [two(None, None, None), two(4, 5, None), two(4, None, 1)] == [4, 9, 7]
    with pytest.raises(AssertionError):
        none(1, 1, 1)
    assert [joined(None, 1), joined(2, 5), joined(2, 3)] == [0, 7, 6]
    with pytest.raises(RuntimeError) as error:
        jit.script(stored_check)
    assert "return x + 1" in str(error.value)
    with pytest.raises(RuntimeError) as error:
        jit.script(Unrefined())
    assert "return self.z + 1" in str(error.value)

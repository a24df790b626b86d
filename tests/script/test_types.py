"""Types of arguments, variables and results; what is known of an Optional."""

from typing import Dict, List, NamedTuple, Optional, Tuple  # noqa: UP035 - as TorchScript's users write them

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


def test_ts_55_two_types_after_an_if_are_an_error():
    with pytest.raises(RuntimeError) as error:
        jit.script(an_error)
    text, first = str(error.value), an_error.__code__.co_firstlineno
    assert "Type mismatch: r is set to type Tensor in the true branch and type int in the false branch" in text
    assert f"{__file__}:{first + 1}" in text and "if x:" in text and f"{__file__}:{first + 5}" in text and "return r" in text


def test_ts_56_differing_types_that_nobody_uses_are_fine():
    for x in (paddle.ones([1]), -paddle.ones([1])):
        assert jit.script(no_use)(x).tolist() == x.tolist()


@jit.script
def conditions(n: int, x) -> int:
    r = 0
    while r < n and x.sum() > r:
        r += 1
    if n or x.max() > 1 or r > 5:
        r += 10
    if not (n and r > 3 and x.sum()):
        r += 100
    return r


def test_ts_56_a_condition_may_be_a_bool_an_int_or_a_tensor():
    for n in (0, 1, 3):
        for x in (paddle.ones([2]), paddle.zeros([2]), -paddle.ones([1])):
            assert conditions(n, x) == conditions._plain(n, x)


def test_ts_57_a_loop_that_changes_the_type_is_an_error():
    with pytest.raises(RuntimeError, match=r"(?s)x is set to type .*int.*str.*return x|x is set to .*str.*int.*return x"):
        jit.script(changes)


@jit.script
def typed(n: int, f: float, s: str, b: bool) -> str:
    if b and n > 3:
        s = s + "!" * n
    if f < 0.5:
        s = s + str(n)
    return s


CASES = [(5, 0.1, "a", True), (2, 0.9, "b", True), (5, 0.1, "", False)]
ANSWERS = ["a!!!!!5", "b", "5"]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """What the compiled functions give in a process that knows no source."""
    folder = tmp_path_factory.mktemp("types")
    typed.save(folder / "typed.pt")
    words.save(folder / "words.pt")
    code = f"""
        f, words = jit.load("typed.pt"), jit.load("words.pt")
        found["typed"] = [f(*case) for case in {CASES!r}]
        found["words"] = [words(x, {{"a": 1, "b": 20}}) for x in ([], ["a"], ["a", "b", "c", "a"])]
        """
    return fresh(code, folder)


def test_ts_53_one_function_answers_for_several_values(elsewhere):
    assert [typed(*case) for case in CASES] == ANSWERS
    assert len(typed._programs) == 1
    assert elsewhere["typed"] == ANSWERS


def test_ts_58_an_argument_without_a_hint_is_a_tensor():
    with pytest.raises(RuntimeError, match="argument x .*Tensor"):
        jit.script(no_use)(3)


@pytest.mark.parametrize(
    ("case", "name"),
    [(("1", 0.1, "a", True), "n"), ((1, "x", "a", True), "f"), ((1, 0.1, 2, True), "s"), ((1, 0.1, "a", 1), "b")],
)
def test_ts_59_values_of_another_type_are_refused_by_name(case, name):
    with pytest.raises(RuntimeError, match=f"argument {name} "):
        typed(*case)
    assert typed(1, 0.1, "a", True) == "a1"


def test_ts_60_the_same_function_elsewhere(elsewhere):
    assert elsewhere["typed"] == [typed(*case) for case in CASES]


@jit.script
def commented(x, tup):
    # type: (int, Tuple[Tensor, Tensor]) -> Tensor
    t0, t1 = tup
    return t0 + t1 + x


@jit.script
def hinted(x: int, tup: Tuple[Tensor, Tensor]) -> Tensor:
    t0, t1 = tup
    return t0 + t1 + x


def test_ts_61_comments_and_hints_mean_the_same():
    a = paddle.ones([2])
    assert commented(3, (a, a)).tolist() == hinted(3, (a, a)).tolist() == [5.0, 5.0]
    for made in (commented, hinted):
        with pytest.raises(RuntimeError, match="argument x "):
            made("3", (a, a))
        with pytest.raises(RuntimeError, match="argument tup"):
            made(3, a)


def wrong_result(x) -> int:
    y = x + 1
    return y


def test_ts_62_a_result_of_another_type_is_an_error():
    with pytest.raises(RuntimeError, match=r"(?s)int.*return y"):
        jit.script(wrong_result)


@jit.script
def words(xs: List[str], d: Dict[str, int]) -> int:
    total = 0
    for w in xs:
        if w in d:
            total += d[w]
    return total


def test_ts_63_lists_and_dicts_of_any_length(elsewhere):
    d = {"a": 1, "b": 20}
    assert [words(xs, d) for xs in ([], ["a"], ["a", "b", "c", "a"])] == [0, 1, 22] == elsewhere["words"]
    assert words(["z"], {}) == 0 and len(words._programs) == 1
    with pytest.raises(RuntimeError, match="argument xs"):
        words([1], d)


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


def test_ts_64_keys_are_str_int_or_float():
    assert by_key({1: "one"}, {0.5: 3}) == ("one", 3)
    with pytest.raises(RuntimeError, match="str, int or float"):
        jit.script(tuple_keys)


def test_ts_65_dicts_keep_their_order():
    given = {"z": 1, "a": 2}
    assert ordered(given) == (["z", "a", "new"] * 2, 110, True, 3)
    assert list(given) == ["z", "a", "new"] and given["new"] == 7


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
def pairs(x):
    my_list: List[Tuple[int, float]] = []
    for i in range(x.shape[0]):
        my_list.append((i, x[i].item()))
    return my_list


def wrong_dict():
    x: Dict[str, int] = {}
    x["hi"] = 2.5
    return x


@jit.script
def make_dict(flag: bool):
    x: Dict[str, int] = {}
    x["hi"] = 2
    b: Optional[int] = None
    if flag:
        b = 2
    return x, b


@pytest.mark.parametrize(("function", "line"), [(untyped_list, "found.append(3)"), (untyped_dict, 'found["a"] = 3')])
def test_ts_66_empty_containers_hold_tensors(function, line):
    found, names = empty_ones(paddle.ones([1]), 2)
    assert [t.item() for t in found] == [1.0, 2.0] and names["k"].item() == 1.0
    with pytest.raises(RuntimeError) as error:
        jit.script(function)
    assert line in str(error.value)


def test_ts_67_empty_containers_are_typed_by_a_hint_or_annotate():
    assert annotated(paddle.ones([1])) == ([0, 1, 2], {"n": 3})
    assert pairs(paddle.ones([2])) == [(0, 1.0), (1, 1.0)]


def test_ts_68_hints_of_local_variables():
    assert make_dict(True) == ({"hi": 2}, 2) and make_dict(False) == ({"hi": 2}, None)
    with pytest.raises(RuntimeError, match=r"(?s)Dict\[str, int\].*x\[.hi.\] = 2.5"):
        jit.script(wrong_dict)


def test_ts_69_annotate_changes_nothing_in_python():
    assert jit.annotate(List[int], value := []) is value
    assert jit.annotate(Optional[int], 3) == 3


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


@jit.script
def negated(a: Optional[int]) -> int:
    if not (a is not None):
        return -1
    else:
        return a * 2


@jit.script
def unwritten_else(a: Optional[int]) -> int:
    if a is None:
        return -2
    return a * 2


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


class ThroughLocal(Unrefined):
    def forward(self) -> int:
        z = self.z
        if z is not None:
            return z + 1
        return 0


def test_ts_70_the_example_of_refinement():
    two, none = jit.script(Refined(2)), jit.script(Refined(None))
    plain = Refined(2)
    for case in ((None, None, None), (4, 5, None), (4, None, 1)):
        assert two(*case) == plain(*case)
    with pytest.raises(AssertionError):
        none(1, 1, 1)


def test_ts_71_checks_joined_by_and_or_not():
    assert [joined(None, 1), joined(2, 5), joined(2, 3)] == [0, 7, 6]
    assert [negated(None), negated(3), unwritten_else(None), unwritten_else(4)] == [-1, 6, -2, 8]


def test_ts_72_a_stored_check_refines_nothing():
    with pytest.raises(RuntimeError) as error:
        jit.script(stored_check)
    assert f":{stored_check.__code__.co_firstlineno + 3}" in str(error.value) and "return x + 1" in str(error.value)


def test_ts_73_an_attribute_is_not_refined():
    with pytest.raises(RuntimeError) as error:
        jit.script(Unrefined())
    assert "return self.z + 1" in str(error.value)
    assert jit.script(ThroughLocal())() == 3


def grown(a: list[int], b: list[int]) -> list[int]:
    a.append(len(b))
    b[0] = a[0]
    return a


def test_lists_of_numbers_are_the_callers_own():
    compiled = jit.script(grown)
    for function in (grown, compiled):
        a, b = [1], [5, 6]
        assert function(a, b) is a and (a, b) == ([1, 2], [1, 6])
        assert function(b, b) is b and b == [1, 6, 2]
        with pytest.raises(IndexError):
            function(a, [])
        assert a == [1, 2, 0]
    for wrong in ([1.5], [True], ["text"], (1,)):
        with pytest.raises(TypeError, match="argument a"):
            compiled(wrong, [1])


def named_pair(**fields):
    return NamedTuple("Pair", list(fields.items()))


FIRST, SECOND = named_pair(a=Tensor, b=int), named_pair(b=int, a=Tensor)


def of_two_pairs(p: FIRST, q: SECOND):
    return p.a * p.b + q.a * q.b


def test_two_classes_of_one_name_are_refused():
    with pytest.raises(RuntimeError, match="the argument q of of_two_pairs: two classes are called Pair"):
        jit.script(of_two_pairs)


@pytest.mark.parametrize("function", [lambda x: paddle.mode(x), lambda x: paddle.inner(x, x)], ids=["mode", "inner"])
@pytest.mark.parametrize("shape", [[4], [2, 3], [2, 2, 3]])
def test_what_depends_on_the_number_of_axes_is_compiled_for_each(function, shape):
    x = paddle.arange(4 if shape == [4] else 6 if len(shape) == 2 else 12, dtype="float32").reshape(shape) % 2
    expected, found = function(x), jit.script(function)(x)
    for a, b in zip(*([v] if isinstance(v, paddle.Tensor) else v for v in (expected, found))):
        assert a.tolist() == b.tolist()

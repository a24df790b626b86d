"""Containers that a function is given: subclasses keep their class, and items that are replaced between calls count."""

import io
from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

A, B = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([10.0, 20.0])


class L(list):
    pass


class Pair(tuple):
    def total(self):
        return self[0] + self[1]


@dataclass(slots=True)
class Slots:
    a: object
    b: object


class Both:
    __slots__ = ("__dict__", "a")

    def __init__(self, a, b):
        self.a, self.b = a, b


def first(xs, k):
    return xs[0] * 2 + k


def test_s_01_a_tensor_behind_a_subclass_of_list_is_its_own_input():
    assert paddle.jit.to_static(first)(L([A]), B).tolist() == [12, 24]
    file = io.BytesIO()
    static = paddle.jit.to_static(first)
    static(L([A]), B)
    paddle.jit.save(static, file)
    file.seek(0)
    assert paddle.jit.load(file).first([A], B).tolist() == [12, 24]


def in_an_if(xs):
    if xs[0].sum() > 0:
        return xs[0] * 2
    return xs[0]


def test_s_02_a_subclass_of_list_alone_is_no_constant():
    static = paddle.jit.to_static(in_an_if)
    assert [static(L([x])).tolist() for x in (A, B, -A)] == [[2, 4], [20, 40], [-1, -2]]
    assert len(static.program_cache) == 1


class D(dict):
    pass


@pytest.mark.parametrize("made", [lambda x: OrderedDict(k=x), lambda x: defaultdict(list, k=x), lambda x: D(k=x)])
def test_s_03_an_item_of_a_dict_that_is_replaced_between_calls(made):
    given = made(A)
    static = paddle.jit.to_static(lambda d: d["k"] * 3)
    assert static(given).tolist() == [3, 6]
    given["k"] = B
    assert static(given).tolist() == [30, 60]


def test_s_03_an_item_of_a_deque_that_is_replaced_between_calls():
    given = deque([A], maxlen=2)
    static = paddle.jit.to_static(lambda d: d[0] * len(d))
    assert static(given).tolist() == [1, 2]
    given.append(A)
    given.append(B)
    assert static(given).tolist() == [2, 4]


def test_s_04_the_class_of_an_argument_is_kept():
    assert paddle.jit.to_static(lambda p: p.total())(Pair((A, B))).tolist() == [11, 22]
    assert paddle.jit.to_static(lambda s: s.a + s.b)(Slots(A, B)).tolist() == [11, 22]
    assert paddle.jit.to_static(lambda s: s.a + s.b)(Both(A, B)).tolist() == [11, 22]


@pytest.mark.parametrize(
    "made", [lambda x: L([x]), lambda x: D(k=x), lambda x: Pair((x, x)), lambda x: Slots(x, 1), lambda x: Both(x, 1)]
)
def test_s_04_the_class_of_a_result_is_kept(made):
    found, expected = paddle.jit.to_static(made)(A), made(A)
    assert type(found).__name__ == type(expected).__name__
    if isinstance(expected, dict):
        assert found["k"].tolist() == [1, 2]
    else:
        assert (found[0] if isinstance(expected, list | tuple) else found.a).tolist() == [1, 2]


def test_s_06_no_parameter_is_drawn_while_a_function_is_staged():
    def lazy(x):
        return paddle.nn.Linear(2, 2)(x)

    with pytest.raises(ConversionError, match="a parameter is made here .* in __init__"):
        paddle.jit.to_static(lazy)(paddle.ones([1, 2]))


def test_objects_in_arguments_are_inputs():
    static = paddle.jit.to_static(lambda box, x: box.a * x)
    assert [static(Both(x, 0), B).tolist() for x in (A, B)] == [[10, 40], [100, 400]]
    assert len(static.program_cache) == 1


@pytest.mark.parametrize("constant", ["frozenset((1, 2))", "b'ab'", "frozenset(('a', True, 1.5, None))", "complex(1, 2)"])
def test_a_constant_that_each_turn_of_a_loop_makes_anew_is_one(constant, tmp_path):
    source = f"""
def f(x):
    v = {constant}
    while x.sum() < 9:
        x = x + 1
        v = {constant}
    return x, v == {constant}, v if x.sum() > 20 else None
"""
    path = tmp_path / "made.py"
    path.write_text(source)
    namespace = {}
    exec(compile(source, path, "exec"), namespace)
    static, x = paddle.jit.to_static(namespace["f"]), paddle.to_tensor([1.0, 2.0])
    assert str(static(x)) == str(namespace["f"](x))
    y = paddle.to_tensor([20.0, 2.0])
    assert str(static(y)) == str(namespace["f"](y))

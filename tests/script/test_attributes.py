"""Attributes of compiled layers: types, constants, state that persists."""

import io
from typing import Dict, List, Optional  # noqa: UP035

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn

# mypy: ignore-errors


class Words(nn.Layer):
    words: List[str]
    some_dict: Dict[str, int]
    maybe: Optional[int]

    def __init__(self, a_dict):
        super().__init__()
        self.words = []
        self.some_dict = a_dict
        self.my_int = 10
        self.maybe = None
        self.plain = paddle.ones([2])
        self.register_buffer("buffer", paddle.zeros([2]))
        self.weight = self.create_parameter([2])

    def forward(self, input):
        # type: (str) -> int
        self.words.append(input)
        self.my_int += 1
        return self.some_dict[input] + self.my_int

    @jit.export
    def tensors(self, x):
        return x + self.plain + self.buffer + self.weight


class ByTable(nn.Layer):
    __annotations__ = {"words": List[str], "some_dict": Dict[str, int]}

    def __init__(self):
        super().__init__()
        self.words = []
        self.some_dict = {}

    def forward(self, x: str) -> int:
        self.some_dict[x] = len(self.words)
        self.words.append(x)
        return self.some_dict[x]


def reloaded(module):
    file = io.BytesIO()
    module.save(file)
    file.seek(0)
    return jit.load(file)


def test_ts_74_types_come_from_values_or_the_class():
    m = jit.script(Words({"hi": 2}))
    assert [m("hi"), m("hi")] == [13, 14]
    for name, value in (("my_int", "a"), ("some_dict", {"a": "b"}), ("maybe", "c")):
        wrong = jit.script(Words({"hi": 2}))
        setattr(wrong, name, value)
        with pytest.raises(TypeError, match=name):
            wrong("hi")
    empty = jit.script(Words({}))  # whose type only the class tells
    empty.some_dict["new"] = 5
    assert empty("new") == 16


def test_ts_76_typed_attributes_take_run_time_keys_and_persist():
    m, table = jit.script(Words({"hi": 2, "there": 3})), jit.script(ByTable())
    assert [m("hi"), m("there")] == [13, 15] and m.words == ["hi", "there"]
    assert [table("a"), table("b")] == [0, 1] and table.words == ["a", "b"] and table.some_dict == {"a": 0, "b": 1}
    assert reloaded(table)("c") == 2
    with pytest.raises(KeyError):
        m("absent")


def test_ts_78_parameters_buffers_and_plain_tensors_live_in_the_module():
    m, x = jit.script(Words({"hi": 2})), paddle.ones([2])
    again = reloaded(m)
    for made in (m, again):
        assert made.tensors(x).tolist() == (x + made.plain + made.buffer + made.weight).tolist()
        assert set(made.state_dict()) >= {"weight", "buffer"}
        assert [n for n, _ in made.named_parameters()] == ["weight"]
    again.buffer.set_value(paddle.full([2], 7.0))
    np.testing.assert_allclose(again.tensors(x).numpy(), m.tensors(x).numpy() + 7, rtol=1e-6)


def test_ts_83_a_plain_int_is_inferred():
    m = jit.script(Words({"hi": 2}))
    assert m("hi") == 13 and m.my_int == 11
    m.my_int = 100
    assert m("hi") == 103


def test_ts_41_attributes_are_saved_with_their_values_of_now():
    m = jit.script(Words({"hi": 2}))
    m("hi")
    m("hi")
    again = reloaded(m)
    assert again.words == ["hi", "hi"] and again.my_int == 12 and again.maybe is None and again.some_dict == {"hi": 2}
    assert again("hi") == 15 and again.words == ["hi"] * 3
    assert m.words == ["hi", "hi"] and m.my_int == 12


class Untyped(nn.Layer):
    def __init__(self):
        super().__init__()
        self.strange = object()
        self.unknown = []

    def forward(self, x):
        return x + len(self.unknown)


class Unused(Untyped):
    def forward(self, x):
        return x + 1


def test_ts_75_a_value_without_a_type_is_an_error_where_it_is_used():
    with pytest.raises(RuntimeError) as error:
        jit.script(Untyped())
    assert "unknown" in str(error.value) and "return x + len(self.unknown)" in str(error.value)
    assert f":{Untyped.forward.__code__.co_firstlineno + 1}" in str(error.value)
    assert jit.script(Unused())(paddle.ones([1])).tolist() == [2.0]  # one that nobody uses is no mistake


class Wrapped(nn.Layer):
    def __init__(self):
        super().__init__()
        self.my_dict = jit.Attribute({}, Dict[str, int])
        self.my_int = jit.Attribute(20, int)

    def forward(self, key: str) -> int:
        self.my_dict[key] = self.my_int
        return self.my_dict[key]


class Old(jit.ScriptModule):
    __constants__ = ["my_constant"]

    def __init__(self):
        super().__init__()
        self.my_constant = 2
        self.my_dict = jit.Attribute({}, Dict[str, int])


def test_ts_77_attribute_declares_a_type():
    m = jit.script(Wrapped())
    assert m("a") == 20 and m.my_dict == {"a": 20} and m.my_int == 20
    m.my_int = 3
    assert m("b") == 3 and m.my_dict == {"a": 20, "b": 3}


def test_ts_163_a_subclass_of_script_module_constructs():
    old = Old()
    assert old.my_constant == 2 and old.my_dict == {} and isinstance(old, jit.ScriptModule)


class Constants(nn.Layer):
    a: jit.Final[int]
    b: jit.Final[float]
    c: jit.Final[bool]
    d: jit.Final[tuple]
    __constants__ = ["e", "dtype"]

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c, self.d, self.e = 1 + 4, 0.5, True, (1, 2), 3
        self.dtype = paddle.int64

    def forward(self, x):
        if self.c:
            x = x * self.b
        return (x + self.a + self.d[1] + self.e).astype(self.dtype)


class Assigns(nn.Layer):
    a: jit.Final[int]

    def __init__(self):
        super().__init__()
        self.a = 1

    def forward(self, x):
        self.a = 2
        return x


class Unmarked(nn.Layer):
    def __init__(self):
        super().__init__()
        self.k = 3

    def forward(self, x):
        if self.k > 2:
            x = x + self.k
        return x


class Marked(Unmarked):
    __constants__ = ["k"]


class OfDtype(nn.Layer):
    def __init__(self):
        super().__init__()
        self.dtype = paddle.float64

    def forward(self, x):
        return x.astype(self.dtype)


def test_ts_79_final_attributes_are_constants_of_the_code():
    m = jit.script(Constants())
    for made in (m, reloaded(m)):
        assert made(paddle.full([1], 4.0)).tolist() == [12]
        assert "if" not in made.code  # c was decided
        assert (made.a, made.b, made.c, made.d) == (5, 0.5, True, (1, 2))


def test_ts_80_names_in_constants_are_constants():
    m = jit.script(Marked())
    assert m(paddle.ones([1])).tolist() == [4.0] and "if" not in m.code and "self.k" not in m.code
    plain = jit.script(Unmarked())
    assert plain(paddle.ones([1])).tolist() == [4.0] and "if" in plain.code


def test_ts_81_assigning_to_a_final_is_an_error():
    with pytest.raises(RuntimeError) as error:
        jit.script(Assigns())
    assert "a is Final" in str(error.value) and "self.a = 2" in str(error.value)
    assert f":{Assigns.forward.__code__.co_firstlineno + 1}" in str(error.value)


def test_ts_82_a_dtype_is_a_constant():
    m = jit.script(Constants())
    for made in (m, reloaded(m)):
        assert made(paddle.full([1], 4.5)).dtype == paddle.int64
    made = jit.script(OfDtype())
    assert made(paddle.ones([1])).dtype == paddle.float64

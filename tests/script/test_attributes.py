"""Attributes of compiled layers: types, constants, state that persists."""

import io
from typing import Dict, List, Optional  # noqa: UP035

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


def test_ts_74_ts_76_ts_78_ts_83_ts_41_state():
    m = jit.script(Words({"hi": 2}))
    assert [m("hi"), m("hi")] == [13, 14]
    assert m.words == ["hi", "hi"] and m.my_int == 12
    again = reloaded(m)
    assert again("hi") == 15 and again.words == ["hi"] * 3 and again.my_int == 13 and again.maybe is None
    assert m.words == ["hi", "hi"]
    x = paddle.ones([2])
    assert again.tensors(x).tolist() == m.tensors(x).tolist()
    assert set(again.state_dict()) >= {"weight", "buffer"}
    table = jit.script(ByTable())
    assert [table("a"), table("b")] == [0, 1] and reloaded(table)("c") == 2


class Untyped(nn.Layer):
    def __init__(self):
        super().__init__()
        self.strange = object()
        self.unknown = []

    def forward(self, x):
        return x + len(self.unknown)


def test_ts_75_without_a_type():
    with pytest.raises(RuntimeError) as error:
        jit.script(Untyped())
    assert "unknown" in str(error.value) and "return x + len(self.unknown)" in str(error.value)


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


def test_ts_77_ts_163_attribute():
    m = jit.script(Wrapped())
    assert m("a") == 20 and m.my_dict == {"a": 20}
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


def test_ts_79_ts_80_ts_81_ts_82_constants():
    m = jit.script(Constants())
    assert m(paddle.full([1], 4.0)).tolist() == [12]
    assert reloaded(m)(paddle.full([1], 4.0)).tolist() == [12]
    assert "if" not in m.code
    with pytest.raises(RuntimeError) as error:
        jit.script(Assigns())
    assert "a is Final" in str(error.value) and "self.a = 2" in str(error.value)

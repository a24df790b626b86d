"""An archive gives what the compiled function gives, or isn't written: aliases, exceptions, tied names, defaults."""

from dataclasses import dataclass
from typing import Dict, List  # noqa: UP035

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.errors import ConversionError

ONES = paddle.ones([2, 2])


class Aliased(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("buf", paddle.zeros([2, 2]))
        self.row = self.buf[0]

    def forward(self, x):
        self.buf.add_(x)
        return self.row * 1


class InTwoMethods(Aliased):
    def forward(self, x):
        self.buf.add_(x)
        return x * 1

    @jit.export
    def read(self, x):
        return self.row * x


@pytest.mark.parametrize("cls", [Aliased, InTwoMethods])
@pytest.mark.parametrize("compiled", [jit.script, lambda net: jit.trace(net, ONES)], ids=["scripted", "traced"])
def test_s_33_tensors_that_share_written_memory_are_not_torn_apart(cls, compiled, tmp_path):
    made = compiled(cls())
    if cls is InTwoMethods and not hasattr(made, "read"):
        pytest.skip("a trace holds what was traced")
    made(ONES)
    with pytest.raises(ConversionError, match="share memory and the model writes into it"):
        made.save(tmp_path / "m.pt")


def test_s_33_two_static_methods_share_written_memory(tmp_path):
    class Two(Aliased):
        @jit.to_static(input_spec=[paddle.static.InputSpec([2, 2])])
        def forward(self, x):
            self.buf.add_(x)
            return x * 1

        @jit.to_static(input_spec=[paddle.static.InputSpec([2])])
        def read(self, x):
            return self.row * x

    with pytest.raises(ConversionError, match="share memory and the model writes into it"):
        jit.save(Two(), tmp_path / "m")


def appends(xs: List[int], named: Dict[str, int]):  # noqa: UP006
    xs.append(7)
    named["a"] = 3
    return xs[9]


def test_s_35_what_a_loaded_function_has_written_when_it_raises_stays(tmp_path):
    jit.script(appends).save(tmp_path / "m.pt")
    for function in (appends, jit.script(appends), jit.load(tmp_path / "m.pt")):
        xs, named = [1], {}
        with pytest.raises(IndexError):
            function(xs, named)
        assert (xs, named) == ([1, 7], {"a": 3})


def test_s_35_on_the_tape(tmp_path):
    @jit.script
    def appends_tensor(xs: List[paddle.Tensor]):  # noqa: UP006
        xs.append(xs[0] * 2)
        return xs[9]

    appends_tensor.save(tmp_path / "m.pt")
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    xs = [x]
    with pytest.raises(IndexError):
        jit.load(tmp_path / "m.pt")(xs)
    assert [t.tolist() for t in xs] == [[1.0, 2.0], [2.0, 4.0]]
    xs[1].sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [2.0, 2.0])


@jit.script
@dataclass
class State:
    a: paddle.Tensor
    n: int = 0

    def total(self) -> paddle.Tensor:
        return self.a * self.n


def through_state(x, k: int):
    s, t = State(x, k), State(x * 2)
    s.n += 1
    return s.total() + t.a + t.n


def test_e_12_a_dataclass_is_a_scripted_class(tmp_path):
    x = paddle.to_tensor([1.0, 2.0])
    jit.script(through_state).save(tmp_path / "m.pt")
    for made in (jit.script(through_state), jit.load(tmp_path / "m.pt")):
        assert made(x, 3).tolist() == through_state(x, 3).tolist() == [6.0, 12.0]


def test_e_07_an_argument_of_a_class_is_refused_when_it_is_saved(tmp_path):
    @jit.script
    def takes(state: State):
        return state.total()

    assert takes(State(paddle.ones([1]), 4)).tolist() == [4.0]
    with pytest.raises(jit.ScriptError, match="the argument state of .*takes is or holds an object of a class"):
        takes.save(tmp_path / "m.pt")


def scaled(x, *, n: int, m: int = 2):
    return x * n + m


def test_e_10_what_is_given_by_keyword_takes_no_position(tmp_path):
    jit.script(scaled).save(tmp_path / "m.pt")
    for made in (jit.script(scaled), jit.load(tmp_path / "m.pt")):
        assert made(paddle.ones([1]), n=3).tolist() == [5.0]
        assert made(paddle.ones([1]), m=1, n=3).tolist() == [4.0]
        with pytest.raises(TypeError, match="takes 1 arguments and n, m by keyword, not 2"):
            made(paddle.ones([1]), 3)


class Words(nn.Layer):
    same: List[str]  # noqa: UP006
    words: List[str]  # noqa: UP006

    def __init__(self, part=None):
        super().__init__()
        self.words = ["a"]
        self.same = self.words
        if part is not None:
            part.words = self.words
            self.part = part

    def forward(self, x):
        self.same.append("b")
        return x * len(self.words)


class Reading(Words):
    def forward(self, x):
        return x * (len(self.same) + len(self.words))


class Part(nn.Layer):
    words: List[str]  # noqa: UP006

    def __init__(self):
        super().__init__()
        self.words = []

    def forward(self, x):
        self.words.append("b")
        return x


class Whole(Words):
    def __init__(self):
        super().__init__(Part())
        self.same = []

    def forward(self, x):
        return self.part(x) * len(self.words)


@pytest.mark.parametrize("cls", [Words, Whole])
def test_s_34_a_list_that_two_attributes_share_is_not_changed_in_one(cls):
    with pytest.raises(jit.ScriptError, match="share a list or dict, and it is changed here"):
        jit.script(cls())


def test_s_34_a_list_that_two_attributes_share_may_be_read():
    assert jit.script(Reading())(paddle.ones([1])).tolist() == [2.0]


class Tied(nn.Layer):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)
        self.b.weight = self.a.weight
        self.bn = nn.BatchNorm1D(2)
        self.bn2 = self.bn

    def forward(self, x):
        return self.bn2(self.b(self.bn(self.a(x))))


@pytest.mark.parametrize("compiled", [jit.script, jit.to_static, lambda net: jit.trace(net, ONES)])
def test_e_08_a_loaded_model_has_all_names_of_a_tensor(compiled, tmp_path):
    net = Tied().eval()
    made = compiled(net)
    made(ONES)
    jit.save(made, tmp_path / "m")
    for folder in (tmp_path / "m", tmp_path / "again"):
        loaded = jit.load(folder)
        assert set(loaded.state_dict()) == set(net.state_dict())
        assert loaded.set_state_dict(net.state_dict()) == ([], [])
        loaded.set_state_dict({"b.weight": paddle.ones([2, 2])})
        assert loaded.state_dict()["a.weight"].tolist() == [[1.0, 1.0], [1.0, 1.0]]
        jit.save(loaded, tmp_path / "again")

"""An archive gives what the compiled function gives, or isn't written: aliases, exceptions, tied names, defaults."""

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

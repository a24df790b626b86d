"""Compiled code by scripting: functions, layers, exported and ignored methods."""

import ast

import numpy as np
import pytest

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st import jit, nn
from script.fresh import fresh


def larger(x, y):
    if x.max() > y.max():
        r = x
    else:
        r = y
    return r


def values(x):
    return np.asarray(x.numpy()).tolist()


ONE, TWO = paddle.ones([2, 2]), paddle.full([2, 2], 2.0)


class MyModule(nn.Layer):
    def __init__(self, n=2, m=3):
        super().__init__()
        self.weight = self.create_parameter([n, m])
        self.linear = nn.Linear(m, m)
        self.scale = 2.5
        self.names = ["a", "b"]

    def forward(self, input):
        return self.linear(self.helper(input)) * self.scale

    def helper(self, input):
        return paddle.matmul(input, self.weight)

    @jit.export
    def some_entry_point(self, input):
        return input + 10

    @jit.ignore
    def python_only(self, input):
        return input * float(str(3))

    @jit.export
    def through_python(self, input):
        return self.python_only(input) + 1

    def never_called(self, input):
        return undefined_name + input  # noqa: F821


def test_ts_01_ts_02_ts_03_ts_06_a_function(tmp_path):
    compiled = jit.script(larger)
    assert isinstance(compiled, jit.ScriptFunction)
    for a, b in ((ONE, TWO), (TWO, ONE)):
        assert values(compiled(a, b)) == values(larger(a, b))
    tree = ast.parse(compiled.code)
    assert sum(isinstance(n, ast.If) for n in ast.walk(tree)) == 1
    compiled.save(str(tmp_path / "f.pt"))
    found = fresh(
        """
        f = jit.load("f.pt")
        a, b = paddle.ones([2, 2]), paddle.full([2, 2], 2.0)
        found["both"] = [f(a, b).tolist(), f(b, a).tolist(), f(paddle.ones([3]), -paddle.ones([3])).tolist()]
        """,
        tmp_path,
    )
    assert found["both"] == [values(TWO), values(TWO), [1.0, 1.0, 1.0]]


def test_ts_04_ts_05_ts_08_ts_09_ts_14_ts_164_a_layer(tmp_path):
    plain = MyModule()
    compiled = jit.script(plain)
    x = paddle.ones([4, 2])
    assert isinstance(compiled, jit.ScriptModule)
    assert values(compiled(x)) == values(plain(x))
    assert str(compiled.graph).startswith("graph(%input : Tensor):")
    assert [n for n, _ in compiled.named_parameters()] == [n for n, _ in plain.named_parameters()]
    assert compiled.scale == 2.5 and compiled.names == ["a", "b"]
    assert values(compiled.helper(x)) == values(plain.helper(x))
    assert not hasattr(compiled, "never_called")
    compiled.helper(x)
    del compiled._methods["through_python"]
    compiled.save(tmp_path / "a.pt")
    jit.save(compiled, tmp_path / "b.pt")
    assert (tmp_path / "a.pt").read_bytes() == (tmp_path / "b.pt").read_bytes()


def test_ts_07_without_source():
    namespace = {}
    exec("def made(x):\n    return x + 1\n", namespace)
    with pytest.raises(RuntimeError, match="source"):
        jit.script(namespace["made"])
    with pytest.raises(RuntimeError):
        jit.script(len)


def test_ts_10_ts_11_attributes_are_copied():
    plain = MyModule()
    compiled = jit.script(plain)
    plain.scale = 100.0
    plain.names.append("c")
    assert compiled.scale == 2.5 and compiled.names == ["a", "b"]
    compiled.scale = 3.0
    assert plain.scale == 100.0 and type(plain) is MyModule and not isinstance(plain, jit.ScriptModule)
    x = paddle.ones([1, 2])
    np.testing.assert_allclose(compiled(x).numpy() * (100.0 / 3.0), plain(x).numpy(), rtol=1e-5)


class WithTraced(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv1 = jit.trace(nn.Conv2D(1, 4, 3), paddle.rand([1, 1, 8, 8]))
        self.conv2 = jit.trace(nn.Conv2D(4, 2, 3), paddle.rand([1, 4, 8, 8]))

    def forward(self, input):
        return self.helper(F.relu(self.conv1(input)))

    def helper(self, input):
        return F.relu(self.conv2(input))

    @jit.export
    def top_level_method(self, input):
        return self.other_helper(input)

    def other_helper(self, input):
        return input + 10


def test_ts_12_ts_15_traced_submodules():
    plain = WithTraced()
    compiled = jit.script(plain)
    for size in (8, 12):
        x = paddle.rand([2, 1, size, size])
        np.testing.assert_allclose(compiled(x).numpy(), plain(x).numpy(), rtol=1e-5)
    assert values(compiled.top_level_method(ONE)) == values(ONE + 10)
    assert values(compiled.other_helper(ONE)) == values(ONE + 10)


def test_ts_13_export_and_ignore():
    compiled = jit.script(MyModule())
    assert values(compiled.some_entry_point(ONE)) == values(ONE + 10)
    assert values(compiled.through_python(ONE)) == values(ONE * 3 + 1)

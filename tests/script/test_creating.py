"""Compiled code by scripting: functions, layers, exported and ignored methods."""

import ast
import re

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

    def never_called(self, input):
        return undefined_name + input  # noqa: F821


class WithPython(MyModule):
    seen: list = []

    @jit.ignore
    def python_only(self, input):
        self.seen.append(input.tolist())
        return input * float(str(3))

    @jit.export
    def through_python(self, input):
        return self.python_only(input) + 1


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """What saved artefacts give in a process that knows no source."""
    folder = tmp_path_factory.mktemp("creating")
    jit.script(larger).save(str(folder / "f.pt"))
    module = jit.script(MyModule())
    module.save(folder / "a.pt")
    jit.save(module, folder / "b.pt")
    return fresh(
        """
        f = jit.load("f.pt")
        a, b = paddle.ones([2, 2]), paddle.full([2, 2], 2.0)
        found["both"] = [f(a, b).tolist(), f(b, a).tolist(), f(paddle.ones([3]), -paddle.ones([3])).tolist()]
        found["kind"] = [type(f.code).__name__, str(f.graph)[:6], callable(f.save)]
        x = paddle.ones([4, 2])
        found["modules"] = [jit.load(name)(x).tolist() for name in ("a.pt", "b.pt")]
        """,
        folder,
    ) | {"folder": folder, "expected": values(module(paddle.ones([4, 2])))}


def test_ts_01_the_decorator_gives_a_script_function():
    compiled = jit.script(larger)
    assert isinstance(compiled, jit.ScriptFunction) and compiled is not larger
    assert values(compiled(ONE, TWO)) == values(TWO)


def test_ts_02_a_branch_on_data_is_right_on_both_sides(elsewhere):
    compiled = jit.script(larger)
    for a, b in ((ONE, TWO), (TWO, ONE)):
        assert values(compiled(a, b)) == values(larger(a, b))
    assert len(compiled._programs) == 1
    assert elsewhere["both"] == [values(TWO), values(TWO), [1.0, 1.0, 1.0]]


def test_ts_03_the_code_keeps_the_branch():
    tree = ast.parse(jit.script(larger).code)
    (branch,) = (n for n in ast.walk(tree) if isinstance(n, ast.If))
    assert branch.body and branch.orelse


def test_ts_04_the_graph_is_that_of_forward():
    compiled = jit.script(MyModule())
    assert str(compiled.graph).startswith("graph(%input : Tensor):")
    assert "aten::matmul" in str(compiled.graph) and str(compiled.graph) != str(compiled.some_entry_point.graph)


def test_ts_05_both_ways_to_save_are_one(elsewhere):
    assert (elsewhere["folder"] / "a.pt").read_bytes() == (elsewhere["folder"] / "b.pt").read_bytes()
    for got in elsewhere["modules"]:
        np.testing.assert_allclose(got, elsewhere["expected"], rtol=1e-6)


def test_ts_06_a_function_has_code_graph_and_save(elsewhere):
    compiled = jit.script(larger)
    assert compiled.code.startswith("def larger(") and str(compiled.graph).startswith("graph(")
    assert elsewhere["kind"] == ["str", "graph(", True]


def test_ts_08_forward_and_the_submodules_it_calls_compile():
    class Outer(nn.Layer):
        def __init__(self):
            super().__init__()
            self.inner, self.broken = MyModule(), Broken()

        def forward(self, x):
            return self.inner(x)

    class Broken(nn.Layer):
        def forward(self, x):
            return x + undefined_name  # noqa: F821

    plain, x = Outer(), paddle.ones([4, 2])
    np.testing.assert_allclose(jit.script(plain)(x).numpy(), plain(x).numpy(), rtol=1e-6)

    class CallsBroken(Outer):
        def forward(self, x):
            return self.broken(x)

    with pytest.raises(RuntimeError, match="undefined_name"):
        jit.script(CallsBroken())


def test_ts_09_parameters_attributes_and_methods_come_along():
    plain = MyModule()
    compiled = jit.script(plain)
    assert [n for n, _ in compiled.named_parameters()] == [n for n, _ in plain.named_parameters()]
    for (_, a), (_, b) in zip(compiled.named_parameters(), plain.named_parameters()):
        assert values(a) == values(b)
    assert compiled.scale == 2.5 and compiled.names == ["a", "b"]
    assert values(compiled.helper(ONE)) == values(plain.helper(ONE))


def test_ts_14_a_method_that_nobody_calls_is_not_touched():
    compiled = jit.script(MyModule())  # whose never_called could not be compiled
    assert {"forward", "some_entry_point", "helper"} == set(compiled._methods)
    with pytest.raises(AttributeError, match="never_called"):
        _ = compiled.never_called
    assert values(compiled.some_entry_point(ONE)) == values(ONE + 10)


def test_ts_164_marking_forward_has_no_effect():
    class Unmarked(MyModule):
        def forward(self, input):
            return self.linear(self.helper(input)) * self.scale

    class MarkedByName(Unmarked):
        @jit.export
        def forward(self, input):
            return self.linear(self.helper(input)) * self.scale

    first, second = jit.script(Unmarked()), jit.script(MarkedByName())
    assert set(first._methods) == set(second._methods)
    assert first.code == second.code and re.sub(r" # .*", "", str(first.graph)) == re.sub(r" # .*", "", str(second.graph))
    second.set_state_dict(first.state_dict())
    assert values(first(ONE)) == values(second(ONE))


def test_ts_07_without_source():
    namespace = {}
    exec("def made(x):\n    return x + 1\n", namespace)
    with pytest.raises(RuntimeError, match="source"):
        jit.script(namespace["made"])
    with pytest.raises(RuntimeError):
        jit.script(len)


def test_ts_10_plain_attributes_are_copied():
    plain = MyModule()
    compiled = jit.script(plain)
    plain.scale = 100.0
    plain.names.append("c")
    assert compiled.scale == 2.5 and compiled.names == ["a", "b"]
    compiled.scale = 3.0
    compiled.names.append("d")
    assert plain.scale == 100.0 and plain.names == ["a", "b", "c"]
    x = paddle.ones([1, 2])
    np.testing.assert_allclose(compiled(x).numpy() * (100.0 / 3.0), plain(x).numpy(), rtol=1e-5)


def test_ts_11_the_original_stays_an_eager_layer():
    plain = MyModule()
    x = paddle.ones([1, 2])
    before = values(plain(x))
    jit.script(plain)
    assert type(plain) is MyModule and not isinstance(plain, jit.ScriptModule) and "forward" not in vars(plain)
    assert values(plain(x)) == before
    plain.forward = lambda input: input  # its forward can still be replaced, as any layer's
    assert plain(x) is x


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


def test_ts_12_traced_parts_run_at_other_shapes():
    plain = WithTraced()
    compiled = jit.script(plain)
    for size in (8, 12):
        x = paddle.rand([2, 1, size, size])
        np.testing.assert_allclose(compiled(x).numpy(), plain(x).numpy(), rtol=1e-5)


def test_ts_13_export_compiles_and_ignore_stays_python():
    compiled = jit.script(MyModule())
    assert values(compiled.some_entry_point(ONE)) == values(ONE + 10)
    live = jit.script(WithPython())
    for k in (1, 2):
        assert values(live.through_python(ONE * k)) == values(ONE * 3 * k + 1)
    assert WithPython.seen == [values(ONE), values(ONE * 2)]  # Python ran, once a call


def test_ts_15_a_helper_calls_a_traced_part_and_an_export_its_own_helper():
    plain = WithTraced()
    compiled = jit.script(plain)
    x = paddle.rand([1, 1, 8, 8])
    np.testing.assert_allclose(compiled.helper(compiled.conv1(x)).numpy(), plain.helper(plain.conv1(x)).numpy(), rtol=1e-5)
    assert values(compiled.top_level_method(ONE)) == values(compiled.other_helper(ONE)) == values(ONE + 10)

"""`.code`, `.graph`, errors at the user's line, and the switch that turns compiling off."""

import ast
import io
import re

import pytest

import dy2st as paddle
from dy2st import jit, nn
from script.fresh import fresh


def foo(len):
    # type: (int) -> Tensor
    rv = paddle.zeros([3, 4])
    for i in range(len):
        if i < 10:
            rv = rv - 1.0
        else:
            rv = rv + 1.0
    return rv


def reloaded(made):
    file = io.BytesIO()
    made.save(file)
    file.seek(0)
    return jit.load(file)


def test_ts_141_ts_144_ts_145_ts_146_ts_147_code_and_graph():
    compiled = jit.script(foo)
    for made in (compiled, reloaded(compiled)):
        tree = ast.parse(made.code)
        kinds = [type(n) for n in ast.walk(tree)]
        assert kinds.count(ast.FunctionDef) == 1 and kinds.count(ast.If) == 1 and kinds.count(ast.While) == 1
        (branch,) = (n for n in ast.walk(tree) if isinstance(n, ast.If))
        assert branch.body and branch.orelse
        assert ast.unparse(tree.body[0].args.args[0]) == "len: int" and ast.unparse(tree.body[0].returns) == "Tensor"
        text = str(made.graph)
        assert text.startswith("graph(%len : int):") and "return (" in text
        assert text.count("prim::Loop") == 1 and text.count("prim::If") == 1
        assert text.count("block0") == text.count("block1") == 2
        lines = {int(n) for n in re.findall(r"# \S*test_debugging\.py:(\d+):\d+", text)}
        first = foo.__code__.co_firstlineno
        assert lines == {first + n for n in (2, 3, 4, 5, 7)}
        defined = re.findall(r"(%[\w.]+) :", text)
        assert len(defined) == len(set(defined))
        for line in text.splitlines():
            for used in re.findall(r"%[\w.]+", line.split("=", 1)[-1] if " = " in line else ""):
                assert used in defined


class Two(nn.Layer):
    def forward(self, x):
        for i in range(3):
            if x.sum() > i:
                while x.max() > 1.0:
                    x = x - 1.0
        return x

    @jit.export
    def other(self, x, n: int):
        return x + n


def test_ts_142_ts_143_methods():
    compiled = jit.script(Two())
    for made in (compiled, reloaded(compiled)):
        assert made.code == made.forward.code if hasattr(made.forward, "code") else made.code.startswith("def forward(")
        assert made.other.code.startswith("def other(") and str(made.other.graph).startswith("graph(%x : Tensor, %n : int)")
        assert str(made.graph).count("prim::Loop") >= 1
        ast.parse(made.code)


def raises(x, n: int):
    y = x + n
    return helper(y, n)


def helper(y, n: int):
    return y[n]


def test_ts_148_ts_149_errors():
    compiled = jit.script(raises)
    for made in (compiled, reloaded(compiled)):
        with pytest.raises(IndexError) as error:
            made(paddle.ones([2]), 5)
        notes = "".join(getattr(error.value, "__notes__", ())) + str(error.value)
        assert f"test_debugging.py:{helper.__code__.co_firstlineno + 1}" in notes


def test_ts_138_ts_139_ts_140_the_switch(tmp_path):
    (tmp_path / "model.py").write_text(
        "import dy2st as paddle\nfrom dy2st import jit, nn\nfrom dy2st.jit import to_static\n"
        "seen = []\n"
        "def plain(x):\n    seen.append(jit.is_scripting())\n    return x + 1\n"
        "class Net(nn.Layer):\n    def forward(self, x):\n        seen.append(1)\n        return x\n"
    )
    found = fresh(
        """
        import model
        f, m, net = jit.script(model.plain), jit.trace(model.plain, (paddle.ones([1]),)), model.Net()
        found["same"] = [f is model.plain, m is model.plain, jit.script(net) is net]
        s = jit.to_static(model.plain)
        for _ in range(2):
            f(paddle.ones([1])); s(paddle.ones([1]))
        found["seen"] = model.seen
        """,
        tmp_path,
        {"DY2ST_JIT": "0"},
    )
    assert found["same"] == [True] * 3 and found["seen"] == [False] * 4

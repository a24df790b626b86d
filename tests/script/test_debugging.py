"""`.code`, `.graph`, errors at the user's line, and the switch that turns compiling off."""

import ast
import io
import linecache
import re
import sys
from pathlib import Path

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


@pytest.fixture(scope="module", params=["compiled", "reloaded"])
def made(request):
    """`foo` compiled, and what its archive gives."""
    compiled = jit.script(foo)
    return compiled if request.param == "compiled" else reloaded(compiled)


def test_ts_141_code_is_typed_python_with_the_loop_and_the_branch(made):
    tree = ast.parse(made.code)
    kinds = [type(n) for n in ast.walk(tree)]
    assert kinds.count(ast.FunctionDef) == 1 and kinds.count(ast.If) == 1 and kinds.count(ast.While) == 1
    (loop,) = (n for n in ast.walk(tree) if isinstance(n, ast.While))
    (branch,) = (n for n in ast.walk(loop) if isinstance(n, ast.If))
    assert branch.body and branch.orelse
    assert ast.unparse(tree.body[0].args.args[0]) == "len: int" and ast.unparse(tree.body[0].returns) == "Tensor"


def blocks(text):
    """The lines of a graph as a tree: (line, [those further in])."""
    root = []
    open_ = [(-1, root)]
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        while open_[-1][0] >= depth:
            open_.pop()
        node = (line.strip(), [])
        open_[-1][1].append(node)
        open_.append((depth, node[1]))
    return root


def test_ts_144_the_graph_nests_a_branch_in_a_loop_and_says_what_blocks_yield(made):
    text = str(made.graph)
    assert text.startswith("graph(%len : int):") and re.search(r"^  return \(%\S+\)$", text, re.M)
    ((_, body),) = blocks(text)
    (loop,) = [node for node in body if "prim::Loop" in node[0]]
    assert [line[:6] for line, _ in loop[1]] == ["block0", "block1"] and all(b[1][-1][0].startswith("-> (") for b in loop[1])
    (branch,) = [node for block in loop[1] for node in block[1] if "prim::If" in node[0]]
    assert [line[:6] for line, _ in branch[1]] == ["block0", "block1"] and all(b[1][-1][0].startswith("-> (") for b in branch[1])
    assert text.count("prim::Loop") == text.count("prim::If") == 1


def test_ts_145_every_value_is_defined_once_before_its_use(made):
    defined = set()
    for line in str(made.graph).splitlines():
        left, _, right = line.partition(" = ")
        new, used = (left, right) if right else (line, "")
        if not right and " : " not in line:
            new, used = "", line
        assert set(re.findall(r"%[\w.]+", used.split(" #")[0])) <= defined
        for name in re.findall(r"(%[\w.]+) :", new):
            assert name not in defined
            defined.add(name)


def test_ts_146_operations_say_the_line_and_column_of_the_user(made):
    first = foo.__code__.co_firstlineno
    places = {(int(a), int(b)) for a, b in re.findall(r"# \S*test_debugging\.py:(\d+):(\d+)", str(made.graph))}
    assert {line for line, _ in places} == {first + n for n in (2, 3, 4, 5, 7)}
    if sys.version_info < (3, 11) or {column for _, column in places} == {0}:
        return  # where Python knows no columns, or the graph is that of a file, which has none
    nodes = ast.walk(ast.parse(Path(__file__).read_text()))
    assert places <= {(node.lineno, node.col_offset) for node in nodes if isinstance(node, ast.expr | ast.stmt)}
    lines = linecache.getlines(__file__)
    for line, operator in ((first + 2, "full"), (first + 4, "lt"), (first + 5, "subtract"), (first + 7, "add")):
        (column,) = re.findall(rf"::{operator}\b.*test_debugging\.py:{line}:(\d+)", str(made.graph))
        assert lines[line - 1][int(column) :].startswith(("paddle.zeros", "i < 10", "rv - 1.0", "rv + 1.0"))


def test_ts_147_values_carry_their_types(made):
    ((_, body),) = blocks(str(made.graph))
    assert all(re.match(r"%[\w.]+ : [A-Z]?\w+", line) for line, _ in body if " = " in line)
    (loop,) = [line for line, _ in body if "prim::Loop" in line]
    assert re.match(r"%\S+ : int, %rv : Tensor = ", loop)


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


def test_ts_142_nested_control_flow_is_nested():
    compiled = jit.script(Two())
    (function,) = ast.parse(compiled.code).body
    nests = [n for n in ast.walk(function) if isinstance(n, ast.If) and any(isinstance(m, ast.While) for m in ast.walk(n))]
    assert len(nests) == 3  # a loop in the branch of each of three turns

    def depth(nodes):
        return max((("prim::If" in line or "prim::Loop" in line) + depth(inner) for line, inner in nodes), default=0)

    assert depth(blocks(str(compiled.graph))) == 2 and depth(blocks(str(jit.script(deep).graph))) == 3


def deep(x, n: int):
    for i in range(n):
        if x.sum() > i:
            while x.max() > 1.0:
                x = x - 1.0
    return x


def test_ts_143_each_method_has_its_code_and_graph():
    compiled = jit.script(Two())
    for made in (compiled, reloaded(compiled)):
        assert made.code.startswith("def forward(") and made.other.code.startswith("def other(")
        assert str(made.other.graph).startswith("graph(%x : Tensor, %n : int)") and "Loop" not in str(made.other.graph)
        assert str(made.graph).startswith("graph(%x : Tensor)") and "prim::Loop" in str(made.graph)
        ast.parse(made.code), ast.parse(made.other.code)


def raises(x, n: int):
    y = x + n
    return helper(y, n)


def helper(y, n: int):
    return y[n]


def test_ts_148_an_error_shows_the_line():
    compiled = jit.script(helper)
    for made in (compiled, reloaded(compiled)):
        assert made(paddle.ones([2]), 1).item() == 1.0
        with pytest.raises(IndexError) as error:
            made(paddle.ones([2]), 5)
        told, line = "".join(getattr(error.value, "__notes__", ())), helper.__code__.co_firstlineno + 1
        assert f"test_debugging.py:{line}" in told or error.traceback[-1].lineno + 1 == line


def test_ts_149_an_error_in_a_helper_points_into_it():
    compiled = jit.script(raises)
    for made in (compiled, reloaded(compiled)):
        with pytest.raises(IndexError) as error:
            made(paddle.ones([2]), 5)
        told, line = "".join(getattr(error.value, "__notes__", ())), helper.__code__.co_firstlineno + 1
        assert f"test_debugging.py:{line}" in told or error.traceback[-1].lineno + 1 == line
    with pytest.raises(RuntimeError) as error:
        jit.script(calls_broken)
    assert f":{broken.__code__.co_firstlineno + 1}" in str(error.value) and "return y + nowhere" in str(error.value)


def broken(y):
    return y + nowhere  # noqa: F821


def calls_broken(x):
    return broken(x)


@pytest.fixture(scope="module")
def switched_off(tmp_path_factory):
    """What a program sees that runs with DY2ST_JIT=0."""
    folder = tmp_path_factory.mktemp("off")
    (folder / "model.py").write_text(
        "import sys\nimport dy2st as paddle\nfrom dy2st import jit, nn\nfrom dy2st.jit import to_static\n"
        "seen = []\n"
        "def plain(x):\n    seen.append([jit.is_scripting(), sys._getframe(1).f_code.co_name])\n    return x + 1\n"
        "class Net(nn.Layer):\n    def forward(self, x):\n        seen.append(1)\n        return x\n"
    )
    return fresh(
        """
        import model
        f, m, net = jit.script(model.plain), jit.trace(model.plain, (paddle.ones([1]),)), model.Net()
        found["same"] = [f is model.plain, m is model.plain, jit.script(net) is net, jit.trace(net, paddle.ones([1])) is net]
        s, layer = jit.to_static(model.plain), jit.to_static(model.Net())
        for _ in range(2):
            f(paddle.ones([1]))
        found["scripted"] = list(model.seen)
        model.seen.clear()
        for _ in range(2):
            s(paddle.ones([1])); layer(paddle.ones([1]))
        found["static"] = [x if x == 1 else x[0] for x in model.seen]
        """,
        folder,
        DY2ST_JIT="0",
    )


def test_ts_138_the_switch_gives_plain_python_back(switched_off):
    assert switched_off["same"] == [True] * 4
    assert switched_off["scripted"] == [[False, "<module>"]] * 2  # called straight from the caller's frame: a debugger steps in


def test_ts_139_the_switch_turns_to_static_off(switched_off):
    assert switched_off["static"] == [False, 1] * 2  # Python ran at each call


def test_ts_140_a_script_function_is_a_python_function():
    for function, cases in (
        (foo, [(0,), (3,), (12,)]), (deep, [(paddle.full([2], 3.0), 2)]), (helper, [(paddle.ones([2]), 1)]),
    ):  # fmt: skip
        compiled = jit.script(function)
        for case in cases:
            assert compiled(*case).tolist() == function(*case).tolist()

"""Expressions, statements and names of compiled functions: each against plain Python, here and in a new process."""

import ast
import io
import math
from typing import Dict, List, Optional, Tuple  # noqa: UP035

import numpy as np
import pytest

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st import Tensor, jit, nn
from script import colours, outcomes
from script.fresh import fresh

# mypy: ignore-errors

X = paddle.arange(12, dtype="float32").reshape([3, 4])
ROWS = {}  # name -> (function, cases)


def row(*cases):
    """Decorator: a function that has to give what plain Python does, compiled, and from its archive in a new process."""

    def add(function):
        ROWS[function.__name__] = (function, [[outcomes.written(x) for x in case] for case in cases])
        return function

    return add


@row((1,), (5,))
def ts_97_literals_keep_their_kinds(n: int):
    return True, False, None, "a", 'b"', 'it\'s "so"', 3 + n, 3.4, 3.0, -7, 1e-3


@row((1,), (5,))
def ts_98_displays_take_the_types_of_their_members(n: int):
    t = (3,)
    return [3, n], [n + 0.5], (3, "a"), t, {"hello": n}, {n: "x"}, [(n, 2.0)], [[n], [1, 2]], {"k": [n]}


@row((7, 2, X, X + 1), (-7, 2, X, X), (7, -3, X, X * 0), (-7, -3, X, X))
def ts_99_arithmetic(a: int, b: int, x, y):
    ints = a + b, a - b, a * b, a / b, a // b, a % b, a ^ b
    return ints, x + y, x - y, x * y, x / (y + 1), x @ y.transpose([1, 0]), x**2, x // 2, x % 3, -x, 2 - x


@row((1, 2, "a", X), (2, 2, "c", X), (3, 2, "b", X))
def ts_100_comparisons(a: int, b: int, s: str, x):
    return a == b, a != b, a < b, a > b, a <= b, a >= b, s == "a", s != "a", s < "b", x > 2.0, x == x, x != 3.0, x <= a


def loud(log: List[int], n: int) -> bool:
    log.append(n)
    return n > 1


@row((0,), (1,), (5,))
def ts_101_the_right_side_waits_for_the_left(a: int):
    log: List[int] = []
    r = loud(log, a) and loud(log, a + 10)
    s = loud(log, a + 1) or loud(log, 100)
    return r, s, not r, log


@row((X, 0, 2, [1, 2, 3], "abc"), (X, 1, 3, [4, 5], "xyz"), (X, -1, 1, [1, 2], "é?"))
def ts_102_subscripts(t, i: int, j: int, xs: List[int], s: str):
    plain = t[0], t[-1], t[0:2], t[1:], t[:1], t[:], t[0, 1], t[0, 1:2], t[0, :1], t[-1, 1:], t[1:, -1], t[0:1, 0]
    return plain, t[i:j, i], t[i], t[:j], t[i:, :i], xs[i:], xs[:j], xs[i:j], xs[-1], xs[i], s[i:j], s[0], s[i]


@row(([1, 2], 1), ([1, 2], -1), ([1], 3), ([], 0), ([1, 2], -3))
def ts_103_an_index_out_of_range_is_an_exception(xs: List[int], i: int) -> int:
    return xs[i]


@row((X,), (X[1:],))
def ts_104_library_functions_with_keywords(x):
    return paddle.ones([4], dtype="int64"), paddle.sum(x, axis=1, keepdim=True), paddle.full(shape=[2], fill_value=3.5)


def doubled(x):
    return x * 2


@jit.script
def larger(x, y):
    if x.max() > y.max():
        return doubled(x)
    return y


def through(n: int, x):
    if n > 0:
        return through_more(n, larger(x, x + n))
    return x


def through_more(n: int, x):
    return doubled(x) + n


@row((0, X), (3, X))
def ts_105_functions_call_functions(n: int, x):
    return through(n, x), larger(x * n, x)


@row((X,), (X - 20,))
def ts_106_methods_of_tensors(x):
    return x.clip(-1, 1).sum(axis=0), x.unsqueeze(0).expand([2, 3, 4]).shape, x.t().abs().max(), x.astype("int64"), x.argmax(-1)


@row((0,), (1,), (2,))
def ts_108_a_ternary_evaluates_one_side(n: int):
    log: List[int] = []
    r = loud(log, 5) if n > 1 else loud(log, 0)
    s = 1 if n else 2
    return r, s, log


@row((X, 1), (X + 0.75, -5), (-X - 1, 0))
def ts_109_casts_give_python_scalars(x, n: int):
    first = x[0, 1]
    numbers = float(x.sum()), int(first), bool(first), float(n), int(3.99), int(-3.99), bool(n), float("2.5"), int("7")
    return numbers, str(n), str(2.0), str(True), first.item(), float(first) / 2, int(first) + n, x.shape[0], len(x)


@row((3, 2, X), (-1, 4, X))
def ts_110_augmented_assignment(a: int, b: int, x):
    s = "a"
    s += "b"
    a += b
    a -= 1
    a *= 2
    x = x + 0
    x += b
    x -= 1
    x *= x
    x /= 2
    return a, x, s


@row(((1, X, "s"), [3, 4]), ((1, X, "s"), [1, 2, 3]), ((1, X, "s"), []))
def ts_112_unpacking(t: Tuple[int, Tensor, str], xs: List[int]):
    a, b, c = t
    first, *rest = t
    p, q = xs
    (u, v), w = (p, q), a
    *init, last = xs
    return a, b, c, p, q, first, rest, u, v, w, init, last


@row(((1, 2),), ((3, 4),))
def ts_113_assigning_to_two_targets(tup: Tuple[int, int]):
    a = b, c = tup
    m = n = b
    return a, b, c, m, n


@row(*[(a, x) for a in (0, 3, 5, 9) for x in (X, X * 0)])
def ts_115_if_elif_else(a: int, x):
    if a < 4:
        r = -a
    elif a < 6:
        r = a + a
    else:
        r = 3 * a
    if x.sum() > 3:
        r = r + 1
    elif a > 4:
        r = r + 100
    return r


@row((0, 0.0, X[0, 0]), (2, 0.5, X[0, 1]), (-1, -0.0, X[0, 0] - 3))
def ts_116_numbers_and_tensors_are_conditions(a: int, f: float, x):
    r = 0
    if a:
        r += 1
    if f:
        r += 10
    if x:
        r += 100
    while a > 0 and x:
        a -= 1
        r += 1000
    return r, not a, not f


@row((9, X + 1), (0, X * 0 + 99), (4, X - 1))
def ts_117_while_on_values_and_on_data(n: int, x):
    turns = 0
    while n > 3:
        n -= 2
    while x.sum() < 100.0 and turns < 20:
        x = x * 2 + 1
        turns += 1
    return n, turns, x


@row((0, 3, 1, X), (5, -5, -3, X), (2, 2, 1, X[1:]), (1, 9, 4, X))
def ts_118_for_over_ranges(a: int, b: int, step: int, x):
    found: List[int] = []
    for i in range(a, b, step):
        found.append(i)
    for i in range(a):
        found.append(-i)
    for i in range(x.shape[0]):
        found.append(i * 10)
        for j in range(i, 0, -1):
            found.append(j)
    return found


@row((2,), (3,))
def ts_119_a_tuple_is_unrolled(n: int):
    total = 0.0
    texts = ""
    for v in (3, 4.5, True):
        total = total + float(v) * n
    for part in ("a", "b"):
        texts = texts + part * n
    for a, b in ((1, "x"), (2, "yy")):
        total += a + len(b)
    return total, texts


@row(([1, 2], ["a", "b"], X), ([], [], X[1:]), ([3], ["c"], X[:1]))
def ts_120_lists_enumerate_zip_and_rows(xs: List[int], ys: List[str], x):
    found: List[str] = []
    for i, (a, b) in enumerate(zip(xs, ys)):
        found.append(b * a + str(i))
    for y in ys:
        found.append(y)
    s = x[0] * 0
    for part in x:
        s = s + part
    return found, s


@row((1, X), (2, X), (9, X), (0, X))
def ts_123_break_continue_and_return_in_loops(n: int, x) -> Tuple[int, Tensor]:
    total = 0
    for i in range(n):
        if i == 1:
            continue
        if i == 7:
            break
        for j in range(5):
            if j > i:
                break
            if j == 2:
                continue
            total += j
        if total > 15:
            return total, x * i
    return total, x


@row((1,), (9,), (-3,))
def ts_124_results(n: int):
    return early(n), nothing(n), searched([n, 4], 4), -n


def early(n: int) -> Tuple[int, str]:
    if n < 0:
        return n, "negative"
    for i in range(n):
        if i * i > 10:
            return i, "found"
    return -1, "none"


def nothing(n: int):
    if n > 3:
        return
    n += 1


def searched(xs: List[int], y: int) -> Optional[int]:
    for i, x in enumerate(xs):
        if x == y:
            return i
    return None


@row((1,), (5,), (0,), (6,), (-1,))
def ts_125_assert_and_raise(n: int):
    assert n != 0, "n is zero"
    if n > 5:
        raise ValueError(f"{n} is too large")
    if n < 0:
        raise RuntimeError("negative")
    return n


@row((X,), (-X,))
def ts_128_defined_on_both_branches(x):
    if x.sum() > 0:
        t = 1
        y = t + 1
    else:
        s = 5
        y = s - 2
    return y


@row((1,), (4,))
def ts_134_lists_are_references(n: int):
    a = [n]
    b = a
    b.append(5)
    d = {"k": a}
    d["k"].append(7)
    c = a[:]
    c.append(9)
    return a, len(b), d, c


@row((X,), (X[1:],))
def ts_135_writes_go_through_views_and_arguments(x):
    view = x[1:]
    view[0] = -1.0
    x[0, 0] = 9.0
    view += 1.0
    row_ = x[0]
    row_[1:] = row_[1:] * 2
    return x, row_


@row(([3, 1, 2],), ([],), ([9, 8, 7, 6, 5],))
def ts_137_bubble_sort(xs: List[int]) -> List[int]:
    ys = list(xs)
    for i in range(len(ys)):
        for j in range(len(ys) - 1 - i):
            if ys[j] > ys[j + 1]:
                ys[j], ys[j + 1] = ys[j + 1], ys[j]
    return ys


@row((48, 18), (7, 3), (0, 5))
def ts_137_gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


@row(("hello",), ("",))
def ts_137_histogram(text: str) -> Dict[str, int]:
    found: Dict[str, int] = {}
    for c in text:
        found[c] = found.get(c, 0) + 1
    return found


@row(([3.0, 1.0], {"a": 1}), ([2.0], {}))
def ts_137_builtins(xs: List[float], d: Dict[str, int]):
    return len(xs), min(xs), max(xs), sum(xs), abs(-3), round(2.5), sorted(xs), list(d.keys()), d.get("q", 3), "a" in d


@row((X,), (X / 10 - 1,))
def ts_155_functional_and_top_names(x):
    y = paddle.concat([x, F.softmax(x, axis=-1)], axis=0)
    y = F.gelu(F.layer_norm(y, [4])) + paddle.stack([x, x]).mean()
    return y, F.relu(x), F.mse_loss(x, x + 1), paddle.where(x > 1, x, -x), paddle.matmul(x, x, transpose_y=True), paddle.arange(3)


@row((X,), (X - 5,))
def ts_156_common_methods(x):
    first = x.abs().max(), x.argmax(-1), x.reshape([-1]).cumsum(0), x.topk(2)[0], x.mean(), x.std(), x.flatten(), x.numel()
    more = x.exp().log(), x.square().sqrt(), x.min(axis=0), x.split(2, axis=1), x.tile([2, 1]), x.sort(), x.norm()
    return first, more, x.tolist()


class Compiled(dict):
    """name -> the compiled function of a row, compiled where it is asked for."""

    def __missing__(self, name):
        self[name] = jit.script(ROWS[name][0])
        return self[name]


@pytest.fixture(scope="module")
def compiled():
    return Compiled()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory, request, compiled):
    """What the rows that the run tries give in a new process."""
    items = [item for item in request.session.items if item.parent is request.node and item.originalname == "test_row"]
    rows = {name: ROWS[name][1] for name in (item.callspec.params["name"] for item in items)}
    return outcomes.elsewhere(tmp_path_factory.mktemp("language"), {name: compiled[name] for name in rows}, rows)


def agree(got, expected):
    """Equal in all but the last bits of floats; the text of a failed assert says more where pytest rewrites it."""
    if isinstance(expected, list) and isinstance(got, list):
        assert len(got) == len(expected), (got, expected)
        for a, b in zip(got, expected):
            agree(a, b)
    elif isinstance(expected, float) and isinstance(got, float):
        assert math.isclose(got, expected, rel_tol=1e-5, abs_tol=1e-6), (got, expected)
    else:
        assert type(got) is type(expected) and got == expected, (got, expected)


@pytest.mark.parametrize("name", ROWS)
def test_row(name, compiled, elsewhere):
    function, cases = ROWS[name]
    expected = [outcomes.outcome(function, case) for case in cases]
    assert any(isinstance(found[0], list) for found in expected), "every case raises, so no values are compared"
    agree([outcomes.outcome(compiled[name], case) for case in cases], expected)
    agree(elsewhere[name], expected)


# --- what a graph or a call shows beyond values ------------------------------------------------------------------------


def count(compiled, kind):
    return sum(isinstance(node, kind) for node in ast.walk(ast.parse(compiled.code)))


def test_ts_118_ts_120_one_compiled_loop_for_any_number_of_turns(compiled):
    assert count(compiled["ts_118_for_over_ranges"], ast.While) == 4
    assert count(compiled["ts_120_lists_enumerate_zip_and_rows"], ast.While) == 3


def test_ts_119_a_body_for_each_member(compiled):
    made = compiled["ts_119_a_tuple_is_unrolled"]
    assert count(made, ast.While) == 0 and str(made.graph).count("py::mul") == 5


def augmented(a, b):
    a += b
    a -= 1
    a *= 2
    return a


def test_ts_111_the_callers_tensor_stays():
    given = paddle.ones([2])
    assert jit.script(augmented)(given, given).tolist() == [2.0, 2.0]
    assert given.tolist() == [1.0, 1.0]


def prints(n: int, x):
    print("the result:", n, x + n)
    return x


def test_ts_114_print_writes_at_each_call(capsys, tmp_path):
    compiled = jit.script(prints)
    compiled.save(tmp_path / "f.pt")
    assert capsys.readouterr().out == ""  # compiling and saving print nothing
    for n in (1, 2):
        compiled(n, paddle.ones([1]))
    text = capsys.readouterr().out
    for n in (1, 2):
        prints(n, paddle.ones([1]))
    assert text == capsys.readouterr().out
    found = fresh("f = jit.load('f.pt')\nfor n in (1, 2):\n    f(n, paddle.ones([1]))\n", tmp_path)
    assert found["stdout"] == text


def mixed_results(n: int):
    if n > 3:
        return n
    return "a"


def test_ts_124_results_of_two_types_are_an_error():
    with pytest.raises(RuntimeError, match=r"(?s)Type mismatch.*(int.*str|str.*int).*return"):
        jit.script(mixed_results)


# --- layers ------------------------------------------------------------------------------------------------------------


class Sub(nn.Layer):
    def __init__(self, k):
        super().__init__()
        self.weight = self.create_parameter([4])
        self.k = k

    def forward(self, x):
        return x * self.weight + self.k


class Calls(nn.Layer):
    def __init__(self):
        super().__init__()
        self.sub = Sub(1)
        self.p = self.create_parameter([4])

    def forward(self, x):
        return self.sub(x), self.sub.forward(x), self.p * 1, self.sub.weight * 1, self.sub.k


def reloaded(made):
    file = io.BytesIO()
    made.save(file)
    file.seek(0)
    return jit.load(file)


def layer_agrees(plain, x=X):
    """A layer, its scripted form and its archive agree; the scripted form."""
    compiled = jit.script(plain)
    for made in (compiled, reloaded(compiled)):
        agree(outcomes.shown(made(x)), outcomes.shown(plain(x)))
    return compiled


def test_ts_107_calls_and_parameters_of_submodules():
    plain = Calls()
    made = layer_agrees(plain)
    first, second, p, weight, k = made(X)
    assert first.tolist() == second.tolist() and p.tolist() == plain.p.tolist() and weight.tolist() == plain.sub.weight.tolist()
    assert k == 1


class Lists(nn.Layer):
    def __init__(self):
        super().__init__()
        self.mods = nn.LayerList([Sub(i) for i in range(3)])

    def forward(self, x):
        for i, module in enumerate(self.mods):
            x = module(x) + i
        return x


class Listed(Lists):
    __constants__ = ["mods"]


def test_ts_121_a_loop_over_a_layer_list_is_unrolled():
    for cls in (Lists, Listed):
        made = layer_agrees(cls())
        assert "Loop" not in str(made.graph) and str(made.graph).count("aten::multiply") == 3


class Sequence(nn.Layer):
    def __init__(self):
        super().__init__()
        self.seq = nn.Sequential(Sub(5), nn.ReLU(), Sub(-1))

    def forward(self, x):
        y = self.seq(x)
        for module in self.seq:
            x = module(x)
        return x, y, len(self.seq)


def test_ts_122_sequential_is_called_and_iterated():
    x, y, length = layer_agrees(Sequence())(X)
    assert x.tolist() == y.tolist() and length == 3


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2D(1, 2, 3), nn.BatchNorm2D(2), nn.ReLU(), nn.MaxPool2D(2), nn.Flatten(), nn.Linear(18, 4), nn.Dropout(0.3)
        )
        self.more = nn.LayerList([nn.LayerNorm(4), nn.GELU(), nn.Linear(4, 4, bias_attr=False), nn.Softmax(), nn.Sigmoid()])

    def forward(self, x, n: int = 2):
        s = self.body(x)
        for _ in range(n):
            s = s + self.body(x)
        for layer in self.more:
            s = layer(s)
        return s


def test_ts_157_layers_script_and_trace():
    net, x = Net().eval(), paddle.rand([2, 1, 8, 8])
    made = layer_agrees(net, x)
    for n in (0, 5):
        np.testing.assert_allclose(made(x, n).numpy(), net(x, n).numpy(), rtol=1e-5)
    assert str(made.graph).count("prim::Loop") == 1
    np.testing.assert_allclose(jit.trace(net, x)(x * 2).numpy(), net(x * 2).numpy(), rtol=1e-5)
    lstm = nn.LSTM(4, 3)
    got, expected = (f(paddle.rand([2, 5, 4]) * 0 + 0.5)[0].numpy() for f in (jit.script(lstm), lstm))
    np.testing.assert_allclose(got, expected, rtol=1e-5)


# --- names -------------------------------------------------------------------------------------------------------------


def one_branch(x):
    if x.sum() < 0:
        y = 4
    print(y)


def only_in_loop(n: int):
    for i in range(n):
        y = i
    return y


def unknown_name(x):
    return x + not_defined_anywhere  # noqa: F821


def refusal(function):
    with pytest.raises(RuntimeError) as error:
        jit.script(function)
    return str(error.value)


def test_ts_126_a_name_of_one_branch():
    text, first = refusal(one_branch), one_branch.__code__.co_firstlineno
    assert "y is not defined in the false branch" in text and "if x.sum() < 0:" in text and "print(y)" in text
    assert f"{__file__}:{first + 1}" in text and f"{__file__}:{first + 3}" in text


def test_ts_127_a_name_of_a_loop_and_an_unknown_one():
    text = refusal(only_in_loop)
    assert "y is not defined" in text and "return y" in text
    text = refusal(unknown_name)
    assert "not_defined_anywhere" in text and f"{__file__}:{unknown_name.__code__.co_firstlineno + 1}" in text


SCALE = 3


def uses_a_global(x):
    return x * SCALE


def test_ts_129_a_bare_global_number_is_frozen(monkeypatch):
    compiled = jit.script(uses_a_global)
    monkeypatch.setitem(globals(), "SCALE", 50)
    assert compiled(X).tolist() == (X * 3).tolist()


def uses_pi():
    return math.pi, colours.RED


def test_ts_130_attributes_of_modules_are_constants(monkeypatch):
    compiled, before = jit.script(uses_pi), uses_pi()
    monkeypatch.setattr(math, "pi", 100.0)
    monkeypatch.setattr(colours, "RED", 0)
    assert compiled() == before == reloaded(compiled)() and before[1] == 7


def uses_a_module(x):
    return colours.mix(x, 2)


def test_ts_131_functions_of_other_modules_are_compiled():
    compiled = jit.script(uses_a_module)
    colours.calls.clear()
    for x in (X, -X):
        assert compiled(x).tolist() == colours.mix(x, 2).tolist()
    assert len(colours.calls) == 2  # Python ran for the expected values only
    assert "prim::If" in str(compiled.graph)


def rebound(x):
    return doubled(x)


def test_ts_132_names_are_resolved_when_compiled(monkeypatch):
    def inner(x):
        return local(x) + rebound(x)

    local = abs
    compiled = jit.script(inner)
    expected = (X.abs() + X * 2).tolist()
    local = len
    monkeypatch.setitem(globals(), "doubled", lambda x: x * 0)
    assert compiled(X).tolist() == expected
    assert compiled(X.astype("float64")).tolist() == expected  # which is compiled only now


async def a_coroutine(x):
    return x


def a_global_store(x):
    global SCALE
    SCALE = x
    return x


def test_ts_133_what_cannot_be_compiled_is_refused_at_its_line():
    assert f"{__file__}:{a_coroutine.__code__.co_firstlineno}" in refusal(a_coroutine)
    with pytest.raises(RuntimeError) as error:
        jit.script(uses_input)
    assert f"{__file__}:{uses_input.__code__.co_firstlineno + 1}" in str(error.value) and "input(" in str(error.value)


def uses_input(x):
    name = input("name? ")
    return x, name


def test_ts_136_defaults_and_keywords_of_a_function():
    compiled = jit.script(with_default)
    assert compiled(18) == compiled(a=18) == with_default(18) == 6 and compiled(b=4, a=6) == 2
    with pytest.raises(TypeError, match="missing"):
        compiled(b=4)


def with_default(a: int, b: int = 12) -> int:
    while b:
        a, b = b, a % b
    return a


def test_ts_165_the_compiled_program_runs_and_not_the_python():
    seen = []

    def impure(x):
        seen.append(1) if not jit.is_scripting() else None
        return x + 1

    compiled = jit.script(impure)
    assert compiled(X).tolist() == (X + 1).tolist() and seen == []
    compiled = jit.script(replaced)
    replaced.__code__ = (lambda x: x * 1000).__code__  # even where the Python function is another one by now
    assert compiled(X).tolist() == (X + 1).tolist() and replaced(X).tolist() == (X * 1000).tolist()


def replaced(x):
    return x + 1

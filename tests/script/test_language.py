"""Expressions, statements and names of compiled functions: each against plain Python, here and after loading."""

import io
import math
from typing import Dict, List, Tuple  # noqa: UP035

import numpy as np
import pytest

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st import Tensor, jit, nn

# mypy: ignore-errors


def leaves(value):
    if isinstance(value, Tensor):
        return value.numpy().tolist()
    if isinstance(value, list | tuple):
        return [leaves(x) for x in value]
    return {k: leaves(v) for k, v in value.items()} if isinstance(value, dict) else value


def agrees(function, *cases):
    compiled = jit.script(function)
    file = io.BytesIO()
    compiled.save(file)
    file.seek(0)
    again = jit.load(file)
    for case in cases:
        expected = leaves(function(*case))
        assert leaves(compiled(*case)) == expected and leaves(again(*case)) == expected, case
    return compiled


X = paddle.arange(12, dtype="float32").reshape([3, 4])


def literals(n: int):
    t = (3,)
    return True, False, None, "a", 'b"', 3 + n, 3.4, [3, n], (3, 4), t, {"hello": n}


def arithmetic(a: int, b: int, x, y):
    return a + b, a - b, a * b, a / b, a // b, a % b, a ^ b, x + y, x - y, x * y, x / (y + 1), x @ y.transpose([1, 0])


def comparisons(a: int, b: int, s: str, x):
    return a == b, a != b, a < b, a > b, a <= b, a >= b, s == "a", s < "b", x > 2.0, x == x


def loud(log: List[int], n: int) -> bool:
    log.append(n)
    return n > 1


def logic(a: int):
    log: List[int] = []
    r = loud(log, a) and loud(log, a + 10)
    s = loud(log, a + 1) or loud(log, 100)
    return r, s, not r, log


def subscripts(t, i: int, j: int, xs: List[int], s: str):
    parts = (t[0], t[-1], t[0:2], t[1:], t[:1], t[:], t[0, 1], t[0, 1:2], t[0, :1], t[-1, 1:], t[1:, -1], t[i:j, i])
    return parts, xs[i:], xs[-1], s[i:j], s[0]


def ternary_casts(x, n: int):
    return x if n > 2 else x * 2, float(x.sum()), int(3.5), bool(x.sum() > 3), str(n), int(x[0, 1]), float(n)


def unpacking(t: Tuple[int, Tensor, str], xs: List[int]):
    a, b, c = t
    p, q = xs
    first, *rest = t
    (u, v), w = (p, q), a
    m = n = p
    d = e, f = (p, q)
    return a, b, c, p, q, first, rest, u, v, w, m, n, d, e, f


def chosen(a: int, x):
    if a < 4:
        r = -a
    elif a < 6:
        r = a + a
    else:
        r = 3 * a
    if x.sum() > 3:
        r = r + 1
    if a:
        r += 1
    if x.max():
        r += 2
    return r


def loops(n: int, x):
    total = 0
    for i in range(n):
        if i == 1:
            continue
        if i == 5:
            break
        for j in range(i, 0, -1):
            total += j
    while total > 3:
        total -= 2
    while x.sum() < 100.0:
        x = x * 2 + 1
    for k in range(x.shape[0]):
        total += k
    return total, x


def over_things(xs: List[int], ys: List[str], x):
    found: List[str] = []
    for i, (a, b) in enumerate(zip(xs, ys)):
        found.append(b * a + str(i))
    total = 0
    for v in (3, 4.5, True):
        total = total + int(v)
    s = x[0] * 0
    for row in x:
        s = s + row
    return found, total, s


def early(n: int, x) -> Tuple[int, Tensor]:
    for i in range(n):
        if i * i > 10:
            return i, x * i
    if n == 1:
        return 1, x
    return -1, x


def builtins_of_script(xs: List[float], d: Dict[str, int]):
    return len(xs), min(xs), max(xs), sum(xs), abs(-3), round(2.5), sorted(xs), list(d.keys()), d.get("q", 3), "a" in d


def test_ts_97_to_ts_110_expressions():
    agrees(literals, (1,), (5,))
    agrees(arithmetic, (7, 2, X, X + 1), (-7, 2, X, X), (7, -3, X, X * 0))
    agrees(comparisons, (1, 2, "a", X), (2, 2, "c", X))
    agrees(logic, (0,), (1,), (5,))
    agrees(subscripts, (X, 0, 2, [1, 2, 3], "abc"), (X, 1, 3, [4, 5], "xyz"))
    agrees(ternary_casts, (X, 1), (X, 5))
    agrees(builtins_of_script, ([3.0, 1.0], {"a": 1}), ([2.0], {}))


def get(xs: List[int], i: int) -> int:
    return xs[i]


def test_ts_103_ts_112_ts_113_lists():
    compiled = agrees(get, ([1, 2], 1), ([1, 2], -1))
    with pytest.raises(IndexError):
        compiled([1], 3)
    compiled = agrees(unpacking, ((1, X, "s"), [3, 4]))
    with pytest.raises(ValueError, match="unpack"):
        compiled((1, X, "s"), [1, 2, 3])


def augmented(a, b):
    a += b
    a -= 1
    a *= 2
    return a


def test_ts_110_ts_111_augmented():
    given = paddle.ones([2])
    assert jit.script(augmented)(given, given).tolist() == [2.0, 2.0]
    assert given.tolist() == [1.0, 1.0]


def test_ts_115_to_ts_124_statements():
    agrees(chosen, *[(a, x) for a in (0, 3, 5, 9) for x in (X, X * 0)])
    compiled = agrees(loops, (0, X + 1), (3, X), (9, X))
    assert str(compiled.graph).count("Loop") == 5
    agrees(over_things, ([1, 2], ["a", "b"], X), ([], [], X[1:]))
    agrees(early, (1, X), (2, X), (9, X))


def prints(n: int, x):
    print("the result:", n, x + n)
    return x


def fails(n: int):
    assert n > 0, "n is too small"
    if n > 5:
        raise ValueError("n is too large")
    return n


def test_ts_114_ts_125_effects(capsys):
    compiled = jit.script(prints)
    capsys.readouterr()
    compiled(1, paddle.ones([1]))
    compiled(2, paddle.ones([1]))
    text = capsys.readouterr().out
    prints(1, paddle.ones([1]))
    prints(2, paddle.ones([1]))
    assert text == capsys.readouterr().out
    check = agrees(fails, (1,), (5,))
    with pytest.raises(AssertionError, match="too small"):
        check(0)
    with pytest.raises(ValueError, match="too large"):
        check(6)


class Sub(nn.Layer):
    def __init__(self, k):
        super().__init__()
        self.weight = self.create_parameter([4])
        self.k = k

    def forward(self, x):
        return x * self.weight + self.k


class Lists(nn.Layer):
    __constants__ = ["mods"]

    def __init__(self):
        super().__init__()
        self.mods = nn.LayerList([Sub(i) for i in range(3)])
        self.seq = nn.Sequential(Sub(5), nn.ReLU())
        self.sub = Sub(1)

    def forward(self, x):
        for module in self.mods:
            x = module(x)
        for module in self.seq:
            x = module(x)
        return self.seq(x) + self.sub(x) + self.sub.forward(x) * self.sub.weight


def test_ts_107_ts_121_ts_122_layers():
    plain = Lists()
    np.testing.assert_allclose(jit.script(plain)(X).numpy(), plain(X).numpy(), rtol=1e-5)


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


def temporaries(x):
    if x.sum() > 0:
        t = 1
        y = t + 1
    else:
        y = 3
    return y


@pytest.mark.parametrize(
    ("function", "texts"),
    [
        (one_branch, ["y is not defined in the false branch", "if x.sum() < 0:", "print(y)"]),
        (only_in_loop, ["y", "return y"]),
        (unknown_name, ["not_defined_anywhere", "return x + not_defined_anywhere"]),
    ],
)
def test_ts_126_ts_127_undefined(function, texts):
    with pytest.raises(RuntimeError) as error:
        jit.script(function)
    assert all(text in str(error.value) for text in texts)


SCALE = 3


def helper(x):
    return x * 2


def uses_names(x):
    return helper(x) * SCALE + math.pi + F.relu(x).sum()


def test_ts_128_to_ts_132_names(monkeypatch):
    agrees(temporaries, (X,), (-X,))
    compiled = agrees(uses_names, (X,))
    before = compiled(X).tolist()
    monkeypatch.setattr(math, "pi", 100.0)
    monkeypatch.setitem(globals(), "SCALE", 50)
    monkeypatch.setitem(globals(), "helper", lambda x: x * 0)
    assert compiled(X).tolist() == before
    np.testing.assert_allclose(compiled(X.astype("float64")).numpy()[0, 0], before[0][0], rtol=1e-5)


def aliases(n: int, x):
    a = [n]
    b = a
    b.append(5)
    view = x[1:]
    view[0] = -1.0
    x[0, 0] = 9.0
    return a, len(b), x


async def a_coroutine(x):
    return x


def test_ts_133_ts_134_ts_135_ts_165():
    with pytest.raises(RuntimeError, match=r"\.py:\d+"):
        jit.script(a_coroutine)
    given, other = X.clone(), X.clone()
    compiled = jit.script(aliases)
    assert leaves(compiled(1, given)) == leaves(aliases(1, other))
    assert given.tolist() == other.tolist()
    seen = []

    def impure(x):
        seen.append(1) if not jit.is_scripting() else None
        return x + 1

    made = jit.script(impure)
    made(X)
    assert seen == []


def bubble(xs: List[int]) -> List[int]:
    ys = list(xs)
    for i in range(len(ys)):
        for j in range(len(ys) - 1 - i):
            if ys[j] > ys[j + 1]:
                ys[j], ys[j + 1] = ys[j + 1], ys[j]
    return ys


def gcd(a: int, b: int = 12) -> int:
    while b:
        a, b = b, a % b
    return a


def histogram(text: str) -> Dict[str, int]:
    found: Dict[str, int] = {}
    for c in text:
        found[c] = found.get(c, 0) + 1
    return found


def test_ts_105_ts_136_ts_137_programs():
    agrees(bubble, ([3, 1, 2],), ([],), (list(range(9, 0, -1)),))
    compiled = agrees(gcd, (48, 18), (7, 3))
    assert compiled(18) == compiled(a=18) == gcd(18) == 6 and compiled(b=4, a=6) == 2
    agrees(histogram, ("hello",), ("",))


def functions(x):
    y = paddle.concat([x, F.softmax(x, axis=-1)], axis=0)
    y = F.gelu(F.layer_norm(y, [4])) + paddle.ones([4], dtype="int64").astype("float32")
    z = y.clip(-1, 1).sum(axis=0).unsqueeze(0).expand([2, 4]).mean()
    return y.mm(x.t()).abs().max(), z, y.argmax(-1), y.reshape([-1]).cumsum(0), y.topk(2)[0]


def test_ts_104_ts_106_ts_155_ts_156_library():
    compiled = jit.script(functions)
    file = io.BytesIO()
    compiled(X)
    compiled.save(file)
    file.seek(0)
    for made in (compiled, jit.load(file)):
        for got, expected in zip(made(X), functions(X)):
            np.testing.assert_allclose(got.numpy(), expected.numpy(), rtol=1e-5)


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2D(1, 2, 3), nn.BatchNorm2D(2), nn.ReLU(), nn.MaxPool2D(2), nn.Flatten(), nn.Linear(18, 4), nn.Dropout(0.3)
        )

    def forward(self, x, n: int = 2):
        s = self.body(x)
        for _ in range(n):
            s = s + self.body(x)
        return s


def test_ts_157_ts_159_layers():
    net = Net().eval()
    x = paddle.rand([2, 1, 8, 8])
    for made in (jit.script(net), jit.trace(net, x)):
        np.testing.assert_allclose(made(x).numpy(), net(x).numpy(), rtol=1e-5)

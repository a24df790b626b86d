"""Traced, loaded and saved functions in compiled code: with control flow, state, exceptions and containers of their own."""

import io
from typing import Dict, List, NamedTuple, Optional, Tuple  # noqa: UP035

import numpy as np
import pytest
from support.answers import Raised, assert_some_answer

import dy2st as paddle
from dy2st import Tensor, jit, nn
from dy2st.static import InputSpec

# mypy: ignore-errors


def reloaded(made):
    file = io.BytesIO()
    made.save(file)
    file.seek(0)
    return jit.load(file)


class Named(NamedTuple):
    n: int
    t: Tensor


def raises(x, n: int):
    if n > 3:
        raise ValueError("too big")
    assert n > 0, "too small"
    return x + n


def optional(x, n: int):
    r: Optional[int] = None
    if n > 2:
        r = n
    if r is not None:
        return x + r
    return x


def tries(x, xs: List[int], i: int):
    try:
        v = xs[i]
    except IndexError:
        v = -1
    return x + v


def words(s: str, d: Dict[str, int]) -> int:
    t = 0
    for c in s.split(","):
        if c in d:
            t += d[c]
    return t


def factorial(n: int) -> int:
    return 1 if n <= 1 else n * factorial(n - 1)


def loops(x, n: int):
    for i in range(n):
        if i == 3:
            break
        x = x * 2
    while x.sum() < 100.0:
        x = x + x
    return x


def early(x, n: int) -> Tuple[int, Tensor]:
    for i in range(n):
        if i * i > 10:
            return i, x * i
    return -1, x


def changes(xs: List[int], k: int) -> int:
    xs.append(k)
    return len(xs)


def named(x, n: int) -> Named:
    return Named(n + 1, x * n)


X = paddle.to_tensor([1.0, 2.0])
CASES = {
    raises: [(X, 2), (X, 5), (X, 0)], optional: [(X, 1), (X, 4)], tries: [(X, [1, 2], 1), (X, [1], 4)],
    words: [("a,b,a", {"a": 3})], factorial: [(5,)], loops: [(X, 2), (X, 9)], early: [(X, 2), (X, 9)],
    changes: [([1], 5)], named: [(X, 3)],
}  # fmt: skip


def calls_raises(x, n: int):
    return LOADED["raises"](x, n)


def calls_optional(x, n: int):
    return LOADED["optional"](x, n)


def calls_tries(x, xs: List[int], i: int):
    return LOADED["tries"](x, xs, i)


def calls_words(s: str, d: Dict[str, int]) -> int:
    return LOADED["words"](s, d)


def calls_factorial(n: int) -> int:
    return LOADED["factorial"](n)


def calls_loops(x, n: int):
    return LOADED["loops"](x, n)


def calls_early(x, n: int):
    return LOADED["early"](x, n)


def calls_changes(xs: List[int], k: int):
    return LOADED["changes"](xs, k) + LOADED["changes"](xs, k), xs


def calls_named(x, n: int):
    found = LOADED["named"](x, n)
    return found.t + found.n


LOADED = {f.__name__: f for f in CASES}  # first the plain functions, for what is expected
CALLERS = {f: globals()[f"calls_{f.__name__}"] for f in CASES}


def outcome(function, case):
    try:
        result = function(*[list(x) if type(x) is list else x for x in case])
    except Exception as error:
        return Raised(type(error).__name__, str(error).splitlines()[0])
    parts = result if isinstance(result, tuple) else (result,)
    return [part.tolist() if isinstance(part, Tensor) else part for part in parts]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_a_loaded_function_in_compiled_code(function, monkeypatch):
    caller = CALLERS[function]
    expected = [outcome(caller, case) for case in CASES[function]]
    assert_some_answer(expected)
    monkeypatch.setitem(LOADED, function.__name__, reloaded(jit.script(function)))
    scripted = jit.script(caller)
    made_static = [] if function is changes else [jit.to_static(caller)]  # which refuses to change its caller's list
    for made in (scripted, reloaded(scripted), *made_static):
        assert [outcome(made, case) for case in CASES[function]] == expected


class Counts(nn.Layer):
    log: List[str]

    def __init__(self):
        super().__init__()
        self.n, self.log = 0, []
        self.linear = nn.Linear(2, 2)
        self.register_buffer("mean", paddle.zeros([2]))

    def forward(self, x):
        self.n += 1
        self.log.append("a" * self.n)
        self.mean = self.mean * 0.5 + x
        return self.linear(x) + self.mean

    @jit.export
    def count(self) -> int:
        return self.n


class Outer(nn.Layer):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x, k: int):
        for i in range(k):
            if i % 2 == 0:
                x = self.inner(x)
        before = self.inner.n
        return self.inner(x), before, self.inner.n, self.inner.count(), len(self.inner.log)


def numbers(results):
    return [np.asarray(part.numpy() if isinstance(part, Tensor) else part).tolist() for part in results]


def test_the_state_of_a_loaded_layer():
    plain = Counts()
    scripted = jit.script(plain)
    for wrap in (jit.script, jit.to_static, lambda layer: reloaded(jit.script(layer))):
        expected, made = Outer(Counts()), wrap(Outer(reloaded(scripted)))
        expected.inner.set_state_dict(plain.state_dict())
        for k in (3, 0, 2):
            for got, wanted in zip(numbers(made(X, k)), numbers(expected(X, k))):
                np.testing.assert_allclose(got, wanted, rtol=1e-5)
        made(X, 1)[0].sum().backward()
        assert all(p.grad is not None for _, p in made.named_parameters())


class Guarded(Outer):
    """A call that stores state and then raises, whose state is read; and one whose gradients are cut off."""

    def forward(self, x, k: int):
        for i in range(k):
            try:
                x = self.inner(x, i)
            except ValueError:
                x = x * 0.5
        return x, self.inner.n

    @jit.export
    def without(self, x):
        with paddle.no_grad():
            y = self.inner(x, 0)
        return (x * 3 + y * x).sum()


class Raising(nn.Layer):
    def __init__(self):
        super().__init__()
        self.n = 0
        self.linear = nn.Linear(2, 2)

    def forward(self, x, i: int):
        self.n += 1
        if i > 1:
            raise ValueError("i is big")
        return self.linear(x)


def test_state_after_an_exception_and_gradients_that_are_cut_off():
    part = jit.script(Raising())
    expected, made = Guarded(Raising()), jit.script(Guarded(reloaded(part)))
    expected.inner.set_state_dict(part.state_dict())
    for k in (4, 1, 3):
        (got, n), (wanted, m) = made(X, k), expected(X, k)
        np.testing.assert_allclose(got.numpy(), wanted.numpy(), rtol=1e-5)
        assert n == m == made.inner.n
    made.inner.n = expected.inner.n = 100
    assert made(X, 0)[1] == expected(X, 0)[1] == 100
    gradients = []
    for model in (made, expected):
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        model.without(x).backward()
        gradients.append(x.grad.numpy())
        assert all(p.grad is None for p in model.parameters())
    np.testing.assert_allclose(*gradients, rtol=1e-5)


class Twice(nn.Layer):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) + self.inner(x)


def test_a_trace_calls_what_has_state_and_control_flow():
    scripted = jit.script(Counts())
    for inner in (scripted, reloaded(scripted)):
        traced = jit.trace(Twice(inner), X, check_trace=False)
        for made in (traced, reloaded(traced)):
            expected = Twice(Counts())
            expected.inner.set_state_dict(scripted.state_dict())
            expected.inner.n, expected.inner.mean = made.inner.n, made.inner.mean
            for _ in range(2):
                np.testing.assert_allclose(made(X * 3).numpy(), expected(X * 3).numpy(), rtol=1e-5)
            assert made.inner.n == expected.inner.n
    function = reloaded(jit.script(loops))
    traced = jit.trace(lambda x: function(x, 2) + 1, X)
    for x in (X, X * 40):
        assert traced(x).tolist() == (loops(x, 2) + 1).tolist()


class Drops(nn.Layer):
    def forward(self, x):
        if self.training:
            return x * 0
        return x


def test_the_mode_of_the_whole_is_that_of_a_loaded_part():
    part = jit.script(Drops())
    for wrap in (lambda layer: layer, jit.script, jit.to_static, lambda layer: reloaded(jit.script(layer))):
        made = wrap(Twice(reloaded(part)))
        for mode, expected in (("eval", [2.0, 4.0]), ("train", [0.0, 0.0]), ("eval", [2.0, 4.0])):
            getattr(made, mode)()
            assert made(X).tolist() == expected


def test_a_tensor_that_was_replaced():
    layer = reloaded(jit.script(nn.Linear(2, 2)))
    made = jit.script(Twice(layer))
    made(X)
    layer.weight = nn.Linear(2, 2).weight
    np.testing.assert_allclose(made(X).numpy(), (layer(X) * 2).numpy(), rtol=1e-6)


def by_rows(x):
    return x.sum(axis=1)


BY_ROWS = jit.trace(by_rows, paddle.ones([2, 3]))


@jit.script
def uses_rows(x):
    return BY_ROWS(x) + 1


def test_the_types_of_a_call_are_checked():
    assert uses_rows(paddle.ones([4, 5])).tolist() == [6.0] * 4
    with pytest.raises(paddle.errors.ShapeError, match=r"argument x of by_rows is float32\[4\]"):
        uses_rows(paddle.ones([4]))
    with pytest.raises(RuntimeError, match="argument x of by_rows is int64"):
        uses_rows(paddle.ones([4, 2], dtype="int64"))
    with pytest.raises(RuntimeError, match=r"argument n of factorial is str here; it takes int"):
        jit.script(wrong_words)


FACTORIAL = reloaded(jit.script(factorial))


def wrong_words(s: str):
    return FACTORIAL(s)


def test_a_saved_static_layer(tmp_path):
    jit.save(jit.to_static(nn.Linear(2, 3), input_spec=[InputSpec([None, 2], "float32")]), str(tmp_path / "n"))
    loaded, x = jit.load(str(tmp_path / "n")), paddle.rand([4, 2])
    for wrap in (jit.to_static, jit.script, lambda layer: jit.trace(layer, x)):
        made = wrap(Twice(loaded))
        np.testing.assert_allclose(made(x).numpy(), (loaded(x) * 2).numpy(), rtol=1e-6)
        made(x).sum().backward()
    assert all(p.grad is not None for p in loaded.parameters())
    with pytest.raises(paddle.errors.ShapeError, match="it takes the shape"):
        jit.to_static(Twice(loaded))(paddle.ones([4, 5]))

"""What a model prints in JAX is what plain Python prints, in order, and on the paths that are taken."""

from __future__ import annotations

import contextlib
import io
import sys

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the engine needs the extra 'jax'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.errors import ConversionError, EngineError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = np.asarray([0.5, -2.0], "float32")
SPECS = [InputSpec([2], "float32", "x"), InputSpec([], "int64", "n")]


def kinds(x, n):
    print("begin", x, n, int(n), float(x.sum()), x.max() > 0, None, (1, int(n)), sep="; ", end=".\n")
    print()
    print(f"{int(n)}: {x.sum().item():.2f}", x.shape, x * 2, [x, 1], {"a": int(n)})
    return x


def paths(x, n):
    if n > 2:
        print("many", n)
        text = "m"
    else:
        print("few", n)
        text = f"f{int(n)}"
    print(text)
    return x


def loops(x, n):
    for k in range(3):
        print("known", k, x[0].item())
        x = x * 2
    while n > 0:
        print("data", int(n), end=" ")
        if n == 2:
            print("two", end="! ")
        for k in range(int(n)):
            print(k, end=", ")
        n = n - 1
    print()
    return x


def grows(x, n):
    items = []
    for k in range(int(n) * 100):
        items.append(x * k)
        if k % 100 == 0:
            print("item", k)
    return items


def fails(x, n):
    print("before")
    for k in range(4):
        print("turn", k)
        y = x[n - 1 + k]
        print(y)
    print("after")
    return y


def raises(x, n):
    for k in range(3):
        print(k)
        if k == n:
            raise KeyError(k)
    return x


def outcome(call):
    """What a call prints, and what it raises."""
    printed, raised = io.StringIO(), None
    with contextlib.redirect_stdout(printed), paddle.no_grad():
        try:
            call()
            jax.effects_barrier()
        except Exception as error:
            raised = type(error).__name__
    return printed.getvalue(), raised


@pytest.mark.parametrize("function", [kinds, paths, loops, grows, fails, raises])
def test_the_engine_prints_what_python_prints(function):
    static = paddle.jit.to_static(function, input_spec=SPECS, backend="jax")
    for n in (0, 1, 2, 3):
        given = paddle.to_tensor(X), paddle.to_tensor(n)
        assert outcome(lambda given=given: static(*given)) == outcome(lambda given=given: function(*given))


@pytest.mark.parametrize("transform", [lambda f: f, jax.jit], ids=["alone", "jit"])
@pytest.mark.parametrize("function", [kinds, paths, loops, fails])
def test_a_pure_function_prints(function, transform):
    f, params = dy2st.jax.function(function, SPECS)
    call = transform(f)
    for n in (1, 3):
        given = paddle.to_tensor(X), paddle.to_tensor(n)
        with jax.enable_x64(True):
            found = outcome(lambda n=n: call(params, X, np.asarray(n)))[0]
        assert found == outcome(lambda given=given: function(*given))[0]


def shown(x):
    for k in range(2):
        print(k, x[0].item())
        x = x * 2
    return x


@pytest.mark.parametrize("change", [lambda f: f, jax.checkpoint], ids=["grad", "checkpoint"])
def test_gradients_print_once(change):
    f, params = dy2st.jax.function(shown, SPECS[:1])
    found = outcome(lambda: jax.grad(lambda x: change(f)(params, x)[0].sum())(X))
    assert found[1] is None
    assert found[0].startswith("0 0.5\n1 1.0\n")


def by_element(x):
    if x[0] > 1:
        print("more", x[0].item())
    else:
        print("less", x[0].item())
    while x[0] < 2:
        print("small", x[0].item())
        x = x * 2
    return x


@pytest.mark.parametrize("form", [lambda f: f, jax.jit], ids=["alone", "jit"])
@pytest.mark.parametrize("function", [shown, by_element])
def test_each_of_a_batch_prints_what_it_prints_alone(function, form):
    f, params = dy2st.jax.function(function, SPECS[:1])
    printed, raised = outcome(lambda: jax.vmap(form(f), (None, 0))(params, np.stack([X, X + 1])))
    assert raised is None
    alone = [outcome(lambda x=x: function(paddle.to_tensor(x)))[0].splitlines() for x in (X, X + 1)]
    assert sorted(printed.splitlines()) == sorted(sum(alone, []))


def test_streams(capsys):
    def both(x):
        print("error", x[0].item(), file=sys.stderr)
        print("out", flush=True)
        return x

    static = paddle.jit.to_static(both, input_spec=SPECS[:1], backend="jax")
    with paddle.no_grad():
        static(paddle.to_tensor(X))
    assert capsys.readouterr() == ("out\n", "error 0.5\n")


def test_a_list_is_refused_at_the_users_line():
    def listed(x):
        items = [x]
        for _ in range(int(x.sum())):
            items.append(x)
        print(items)
        return x

    static = paddle.jit.to_static(listed, input_spec=SPECS[:1], backend="jax")
    with paddle.no_grad(), pytest.raises((ConversionError, EngineError), match=r"test_print.py:\d+.*item by item"):
        static(paddle.to_tensor(X))

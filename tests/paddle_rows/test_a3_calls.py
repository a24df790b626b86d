"""a.3: which calls are converted, and which are not."""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import gc
import logging
import re
import sys
import types
import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from limits.agree import UP, VECTOR, as_programs, on_x, on_xn, plain

import dy2st as paddle
import dy2st.nn as nn

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")
X = paddle.to_tensor(UP)


def agree_on_signs(make):
    """A Layer, its static form and the loaded one."""
    static = paddle.jit.to_static(make(), input_spec=[VECTOR])
    _, loaded = as_programs(paddle.jit.to_static(make(), input_spec=[VECTOR]).forward, (VECTOR,))
    eager = make()
    for x in (X, -X, X):
        assert plain(eager(x)) == plain(static(x)) == plain(loaded(x))


@paddle.jit.to_static
def already_static(x):
    return x + 1 if x.sum() > 0 else x


def calls_a_static_function(x):
    return already_static(x) * 2


def test_a3_01_a_static_function_that_is_called_is_part_of_the_program():
    static = paddle.jit.to_static(calls_a_static_function, input_spec=[VECTOR])
    for x in (X, -X):
        assert plain(static(x)) == plain(calls_a_static_function(x))
    assert "if" in str(static.concrete_program.program)


@paddle.jit.not_to_static
def left_alone(x):
    return x * 3 if x is not None else None


def skips(x, n):
    found = collections.OrderedDict(b=1, a=2)
    match = re.match(r"(\d+)", "12ab")
    logging.getLogger("rows").debug("not seen")
    return left_alone(x) + n, list(found), match.group(1), copy.copy([1, 2]), np.prod([2, 3]).item(), paddle.nn.functional.relu(x)


@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
def test_a3_02_what_is_skipped():
    on_xn(skips)


def test_a3_02_ignored_modules():
    module = types.ModuleType("rows_ignored")
    module.paddle = paddle
    sys.modules["rows_ignored"] = module
    source = "def f(x):\n    return x + 1 if isinstance(x, paddle.Tensor) else x\n"
    exec(compile(source, "<no file>", "exec"), vars(module))
    try:
        paddle.jit.ignore_module([module])
        static = paddle.jit.to_static(lambda x: module.f(x) * 2 if x.sum() > 0 else x)
        assert plain(static(X)) == plain((X + 1) * 2)
    finally:
        del sys.modules["rows_ignored"]


def test_a3_02_a_sequential_is_converted():
    class Branching(nn.Layer):
        def forward(self, x):
            return x + 1 if x.sum() > 0 else x - 1

    agree_on_signs(lambda: nn.Sequential(Branching(), nn.ReLU(), Branching()))


def counted(n):
    k = 0
    while k < n:
        k += 1
        if k % 2:
            yield k


def consumes_a_generator(x, n):
    total = x * 0
    for k in counted(n):
        total = total + k
    return total, list(counted(n + 1)), sum(counted(5))


def test_a3_03_generators():
    """Converted, where Paddle runs them as they are and warns."""
    on_xn(consumes_a_generator)


def lambdas(x, n):
    f = lambda v, k=2: v * k if v.sum() > 0 else v  # noqa: E731
    table = {"up": lambda v: v + n, "down": lambda v: v - n}
    return f(x), table["up" if n is not None else "down"](x), list(map(lambda i: i * n, [1, 2])), (lambda: x if n > 1 else -x)()


def test_a3_04_lambdas():
    on_xn(lambdas)


class Holder:
    @staticmethod
    def of_a_class(x):
        return x + 1 if x.sum() > 0 else x


def closure(k):
    def inner(x):
        return x * k if x.sum() > 0 else x

    return inner


def plain_functions(x):
    return Holder.of_a_class(x), closure(3)(x), functools.partial(closure, 4)()(x)


def test_a3_05_plain_functions_wherever_they_are_defined():
    on_x(plain_functions)


class Methods:
    def __init__(self):
        self.k = 2

    def times(self, x):
        return x * self.k if x.sum() > 0 else x

    @classmethod
    def made(cls):
        return cls()


def bound_methods(x):
    m = Methods.made()
    f = m.times
    m.k = 5
    return f(x), Methods.times(m, x), types.MethodType(Methods.times, m)(x)


def test_a3_06_bound_methods():
    on_x(bound_methods)


class Inner(nn.Layer):
    def forward(self, x):
        return x + 1 if x.sum() > 0 else x


class Outer(nn.Layer):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 2 if inputs[0].sum() > 0 else inputs[0],))
        self.inner.register_forward_post_hook(lambda layer, inputs, output: output - inputs[0])

    def forward(self, x):
        return self.inner(x), self.inner.forward(x)


def test_a3_07_layers_with_their_hooks():
    agree_on_signs(Outer)


class Callable:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return x * self.k if x.sum() > 0 else x


class Chain(list):
    def __call__(self, x):
        for f in self:
            x = f(x)
        return x


CHAIN = Chain([Callable(2), Callable(3), lambda v: v + 1])


def callables(x):
    return Callable(4)(x), CHAIN(x), Chain([Callable(2)])(x)


def test_a3_08_callable_objects():
    on_x(callables)


def power(x, k):
    return x if k == 0 else x * power(x, k - 1)


def recursive(x, n):
    def total(items):
        return items[0] if len(items) == 1 else items[0] + total(items[1:])

    def rise(v, by=x, *, times=2):
        return v + by * times if n > 1 else v

    return power(x, 3), total([x, x * 2, x * n]), rise(x), rise(x, by=x * 0, times=n)


def test_a3_09_recursion_closures_nested_functions_and_defaults():
    on_xn(recursive)


def test_a3_10_the_converted_code_is_kept_as_long_as_its_function_is():
    from dy2st.transformers import transpile

    def made(x):
        return x + 1 if x.sum() > 0 else x

    paddle.jit.to_static(made)(X)
    assert transpile(made) is transpile(made)
    alive = weakref.ref(made)
    del made
    gc.collect()
    assert alive() is None


def test_a3_11_closures_and_globals_are_read_when_the_function_is_called():
    k, seen = 2, []

    def reads(x):
        nonlocal k
        k = k + 1 if x.sum() > 0 else k
        seen.append(1)
        return x * k + len(seen)

    static = paddle.jit.to_static(reads)
    assert plain(static(X)) == plain(X * 3 + 1) and (k, seen) == (3, [1])
    k = 10
    assert plain(static(-X)) == plain(-X * 10 + 2)


class Typed(nn.Layer):
    def __init__(self):
        super().__init__()
        self.layers = nn.LayerList([nn.Linear(3, 3), nn.ReLU()])

    def forward(self, x):
        self.extra = 1
        kinds = [isinstance(layer, nn.Linear) for layer in self.layers]
        for layer in self.layers:
            if isinstance(layer, (nn.ReLU, nn.Sigmoid)):
                x = layer(x) + self.extra
        return x, kinds, isinstance(self, Typed), type(self) is Typed, hasattr(self, "extra"), isinstance(x, (int, paddle.Tensor))


def test_a3_12_isinstance_and_attributes_that_are_added():
    agree_on_signs(Typed)


@dataclass
class Batch:
    x: Any
    y: Any
    scale: float = 2.0


def of_a_batch(batch):
    if batch.x.sum() > 0:
        return batch.x * batch.scale + batch.y
    return Batch(batch.y, batch.x)


def test_a3_13_dataclasses_as_arguments():
    static = paddle.jit.to_static(of_a_batch)
    for batch in (Batch(X, -X), Batch(X, -X, 3.0), Batch(-X, X)):
        assert plain(static(batch)) == plain(of_a_batch(batch))
    assert len(static.program_cache) == 2 and type(static(Batch(-X, X))) is Batch


class manager:
    def __init__(self):
        self.open = 0

    def __enter__(self):
        self.open += 1
        return self

    def __exit__(self, *error):
        self.open -= 1
        return False


@contextlib.contextmanager
def added(x):
    yield x + 1


def everything_else(x, n):
    try:
        y = [x, x * 2][int(n)]
    except IndexError as error:
        y = x * 100
        del error
    finally:
        x = x + 1
    with manager() as m, added(x) as z:
        opened = m.open
    match n:
        case 0:
            word = "none"
        case 1 | 2:
            word = f"some: {int(n)}"
        case _:
            word = "many"
    if (k := x.sum()) > 0:
        z = z + k
    found = {i: v for i, v in enumerate([v * n for v in (x, y) if v.sum() > 0])}
    del m
    return y, z, opened, word, found


def test_a3_14_try_with_match_walrus_comprehensions_formats_and_del():
    """All of them are converted, where Paddle leaves them to Python."""
    on_xn(everything_else)

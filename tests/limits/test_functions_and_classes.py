"""Limits b.20 to b.23, b.30 to b.34, b.36: signatures, sources, classes, training steps, what a file holds."""

from __future__ import annotations

import io
import linecache
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import dy2st as paddle
import dy2st.nn as nn
from dy2st.static import InputSpec

from .agree import UP, VECTOR, as_programs, on_x, on_xn, plain

X = paddle.to_tensor(UP)


def saved_and_loaded(static, **options):
    file = io.BytesIO()
    paddle.jit.save(static, file, **options)
    file.seek(0)
    return paddle.jit.load(file)


# --- b.20: signatures --------------------------------------------------------------------------------------------------


def any_number(x, *rest, scale=1.0, **more):
    for r in rest:
        x = x + r
    for name, value in sorted(more.items()):
        x = x * value
    return x * scale, len(rest), sorted(more)


CALLS = [
    ((X,), {}),
    ((X, X), {}),
    ((X, X, X * 2), {"scale": 2.0}),
    ((X,), {"a": X, "b": X + 1}),
    ((X, X), {"scale": X, "b": 3.0}),
]


@pytest.mark.parametrize("args, kwargs", CALLS)
def test_b20_star_arguments_and_tensors_by_keyword(args, kwargs):
    static = paddle.jit.to_static(any_number)
    expected = plain(any_number(*args, **kwargs))
    assert plain(static(*args, **kwargs)) == expected
    again = [a + 0 for a in args]
    assert plain(static(*again, **kwargs)) == expected and len(static.program_cache) == 1
    assert plain(saved_and_loaded(static)(*args, **kwargs)) == expected


def by_keyword(x, y, flag=True):
    return x * 2 + y if flag else x - y


def test_b20_keyword_arguments_with_an_input_spec():
    static = paddle.jit.to_static(by_keyword, input_spec=[VECTOR, VECTOR])
    for program in (static, saved_and_loaded(static)):
        assert plain(program(y=X, x=X + 1)) == plain(by_keyword(X + 1, X))
        assert plain(program(X, y=X * 3)) == plain(by_keyword(X, X * 3))
    assert plain(static(X, y=X * 3, flag=False)) == plain(by_keyword(X, X * 3, False))


class OtherSelf(nn.Layer):
    def __init__(this):
        super().__init__()
        this.weight = this.create_parameter([3])

    def forward(this, x):
        return x + this.weight if x.sum() > 0 else this.weight


def test_b20_the_first_parameter_has_any_name():
    net = OtherSelf()
    static = paddle.jit.to_static(net, input_spec=[VECTOR])
    loaded = saved_and_loaded(static)
    for x in (X, -X):
        assert plain(static(x)) == plain(loaded(x)) == plain(net.forward.dygraph_function(x))


# --- b.21: where the source is -----------------------------------------------------------------------------------------

TYPED_IN = """
def typed_in(x):
    if x.sum() > 0:
        return x + 1
    return x - 1
"""


def test_b21_source_that_a_prompt_keeps():
    """What a prompt or a notebook runs is in `linecache`, as doctest and IPython put it there."""
    name, names = "<a prompt>", {}
    linecache.cache[name] = (len(TYPED_IN), None, TYPED_IN.splitlines(True), name)
    exec(compile(TYPED_IN, name, "exec"), names)
    on_x(names["typed_in"])


def test_b21_source_that_is_nowhere_is_said_so():
    names = {}
    exec(compile(TYPED_IN, "<nowhere>", "exec"), names)
    with pytest.raises(paddle.errors.ConversionError, match="the source of 'typed_in' can't be found"):
        paddle.jit.to_static(names["typed_in"], input_spec=[VECTOR]).concrete_program


def test_b21_two_lambdas_on_one_line():
    up, down = lambda x: x + 1 if x.sum() > 0 else x, lambda x: x - 1 if x.sum() > 0 else x  # fmt: skip
    on_x(up)
    on_x(down)
    for function in (lambda x: paddle.add(x, x), lambda x: paddle.abs(x), lambda x: (lambda y: paddle.add(y, x))(paddle.abs(x))):
        on_x(function)


# --- b.22, b.23: classes -----------------------------------------------------------------------------------------------


class A(nn.Layer):
    def forward(self, x):
        return x + 1 if x.sum() > 0 else x


class B(A):
    def forward(self, x):
        return super().forward(x) * 2


class C(B):
    def forward(self, x):
        return super().forward(x) * 3


class D(C):
    def forward(self, x):
        return super(C, self).forward(x) * 5 + super().forward(x)


@pytest.mark.parametrize("kind", [B, C, D])
def test_b22_super_over_many_levels(kind):
    static = paddle.jit.to_static(kind(), input_spec=[VECTOR])
    loaded = saved_and_loaded(static)
    for x in (X, -X):
        assert plain(static(x)) == plain(loaded(x)) == plain(kind()(x))


class Private(nn.Layer):
    __limit = 2

    def __init__(self):
        super().__init__()
        self.__k = 3

    def __twice(self, x):
        return x * self.__limit

    def forward(self, x):
        if x.sum() > 0:
            self.__k = self.__k + 1
        return self.__twice(x) + self.__k


def test_b23_private_names():
    static, eager = paddle.jit.to_static(Private(), input_spec=[VECTOR]), Private()
    loaded = saved_and_loaded(static)
    for x in (X, -X, X):
        assert plain(static(x)) == plain(loaded(x)) == plain(eager(x))
    assert static._Private__k == eager._Private__k


# --- b.30: what a saved function takes along ---------------------------------------------------------------------------


def test_b30_a_function_that_closes_over_a_tensor_and_a_layer():
    table, linear = paddle.to_tensor([10.0, 20.0, 30.0]), nn.Linear(3, 2)

    def closing(x, sign=1):
        return linear(x) * sign + table.sum() if x.sum() > 0 else linear(x)

    loaded = saved_and_loaded(paddle.jit.to_static(closing, input_spec=[VECTOR_OF_3]))
    for x in (X, -X):
        assert plain(loaded(x)) == plain(closing(x))
    assert len(list(loaded.parameters())) == 2
    plain_function = saved_and_loaded(closing, input_spec=[VECTOR_OF_3])
    assert plain(plain_function(X)) == plain(closing(X))


VECTOR_OF_3 = InputSpec([3], "float32", "x")


class Deep(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))

    def forward(self, x, y):
        return self.body(x) + y.sum()


def test_b30_a_loaded_layer_takes_keywords_and_shows_its_sublayers():
    net = Deep()
    loaded = saved_and_loaded(paddle.jit.to_static(net, input_spec=[VECTOR_OF_3, VECTOR]))
    assert plain(loaded(y=X, x=X + 1)) == plain(net(X + 1, X))
    assert [name for name, _ in loaded.named_sublayers()] == [name for name, _ in net.named_sublayers()]
    assert [name for name, _ in loaded.named_parameters()] == [name for name, _ in net.named_parameters()]
    assert plain(getattr(loaded.body, "1").weight) == plain(net.body[1].weight)


# --- b.31: a training step ---------------------------------------------------------------------------------------------


def trained(make_step):
    """The losses and the weight after some steps."""
    paddle.seed(1)
    linear = nn.Linear(3, 1)
    linear.weight.set_value(np.ones([3, 1], np.float32))
    optimizer = paddle.optimizer.SGD(0.01, parameters=linear.parameters())

    def step(x):
        loss = (linear(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    step = make_step(step)
    return [plain(step(X * k)) for k in (1, 2, 1)], plain(linear.weight)


def test_b31_a_whole_training_step():
    assert trained(paddle.jit.to_static) == trained(lambda f: f)


# --- b.32: dataclasses, static control flow ----------------------------------------------------------------------------


@dataclass
class Output:
    logits: Any
    steps: int


def gives_a_dataclass(x):
    return Output(x * 2 if x.sum() > 0 else x, 3)


def test_b32_a_dataclass_as_a_result():
    static, loaded = as_programs(gives_a_dataclass, (VECTOR,))
    for x in (X, -X):
        expected = gives_a_dataclass(x)
        assert type(static(x)) is Output
        for found in (static(x), loaded(x)):
            assert (plain(found.logits), found.steps) == (plain(expected.logits), 3)


def chosen_by_cond(x, n):
    either = paddle.static.nn.cond(x.sum() > 0, lambda: x + n, lambda: [x, n])
    return either, paddle.static.nn.cond(n > 1, lambda: x)


def looped(x, n):
    i = paddle.zeros([], "int64")
    return paddle.static.nn.while_loop(lambda i, y: i < n, lambda i, y: [i + 1, y * 2], [i, x])


def cased(x, n):
    pairs = [(n > 3, lambda: x), (n > 1, lambda: x + 1)]
    return paddle.static.nn.case(pairs, lambda: x + 7), paddle.static.nn.case(pairs)


def switched(x, n):
    by_number = {4: lambda: x, 0: lambda: x + 1}
    return paddle.static.nn.switch_case(n, [lambda: x, lambda: x + 1]), paddle.static.nn.switch_case(n, by_number, lambda: x * 0)


@pytest.mark.parametrize("function", [chosen_by_cond, looped, cased, switched])
def test_b32_static_control_flow_inside(function):
    on_xn(function)


def body_of_two(x):
    return paddle.static.nn.while_loop(lambda v: v.sum() < 9, lambda v: (v, v), [x])


def a_key_twice(x):
    return paddle.static.nn.switch_case(x.argmax(), [(1, lambda: x), (1, lambda: x)])


@pytest.mark.parametrize("function", [body_of_two, a_key_twice])
def test_b32_what_static_control_flow_refuses(function):
    with pytest.raises(ValueError, match="gives 2 variables of 1|the number 1 twice"):
        function(X)
    with pytest.raises(ValueError, match="gives 2 variables of 1|the number 1 twice"):
        paddle.jit.to_static(function)(X)


def test_b32_a_program_of_its_own_inside_is_refused_in_words():
    def guarded(x):
        with paddle.static.program_guard(paddle.static.Program()):
            return x + 1

    with pytest.raises(AttributeError, match="Programs are not written by hand here"):
        paddle.jit.to_static(guarded, input_spec=[VECTOR]).concrete_program


# --- b.33, b.34: functions from anywhere -------------------------------------------------------------------------------


def made_by_a_factory(k):
    def inner(x):
        if x.sum() > 0:
            return x * k
        return x.reshape([x.shape[0], 1])

    return inner


def test_b33_functions_that_no_module_holds():
    class Local(nn.Layer):
        def forward(self, x):
            return x + 1 if x.sum() > 0 else x - 1

    class Holder(nn.Layer):
        def __init__(self):
            super().__init__()
            self.other, self.made, self.table = Local.forward, made_by_a_factory(3), {"made": made_by_a_factory(5)}

        def forward(self, x):
            return self.other(self, x), self.made(x), self.table["made"](x)

    static = paddle.jit.to_static(Holder(), input_spec=[VECTOR])
    loaded = saved_and_loaded(static)
    for x in (X, -X):
        assert plain(static(x)) == plain(loaded(x)) == plain(Holder()(x))


def test_b34_functions_with_the_same_text_have_lines_of_their_own():
    def first(x):
        assert x.sum() > 0, "no"
        return x

    one = first

    def first(x):
        assert x.sum() > 0, "no"
        return x

    for function in (one, first):
        with pytest.raises(AssertionError) as caught:
            paddle.jit.to_static(function, input_spec=[VECTOR])(-X)
        assert caught.value.dy2st_loc.line == function.__code__.co_firstlineno + 1


# --- b.36: static mode, plain classes, and old errors ------------------------------------------------------------------


class NoLayer:
    """A method of a class that is no Layer is static all the same."""

    def __init__(self):
        self.w = paddle.to_tensor([1.0, 1.0, 1.0])

    @paddle.jit.to_static
    def forward(self, x):
        return x + self.w if x.sum() > 0 else self.w

    def other(self, x):
        return x - self.w


def test_b36_methods_of_plain_classes():
    made = NoLayer()
    for x in (X, -X):
        assert plain(made.forward(x)) == plain(made.forward.dygraph_function(x))
    loaded = saved_and_loaded(paddle.jit.to_static(made.other, input_spec=[VECTOR]))
    assert plain(loaded(X)) == plain(made.other(X))


def test_b36_there_is_no_static_mode_to_build_a_layer_in():
    with pytest.raises(NotImplementedError, match="decorate a function with jit.to_static"):
        paddle.enable_static()
    assert paddle.in_dynamic_mode()


def test_b36_gradients_of_two_calls():
    """The weight's gradient is the sum of what both calls give."""

    def gradient(static):
        linear = nn.Linear(3, 3)
        linear.weight.set_value(np.eye(3, dtype=np.float32) * 2)
        f = paddle.jit.to_static(lambda x: linear(x) ** 2 if x.sum() > 0 else linear(x)) if static else (
            lambda x: linear(x) ** 2 if x.sum() > 0 else linear(x))  # fmt: skip
        a, b = f(X), f(-X)
        (f(a + b).sum() + a.sum()).backward()
        return plain(linear.weight.grad)

    assert gradient(True) == gradient(False)


def for_with_break(x, n):
    for i in range(10):
        if i >= n:
            break
        x = x + i
    return x


def unbound_on_a_path(x, n):
    if n > 1:
        y = x
    for _ in range(n):
        z = x + 1
    return y, z


@pytest.mark.parametrize("function", [for_with_break, unbound_on_a_path])
def test_b36_break_in_a_saved_for_and_unbound_locals(function):
    on_xn(function)

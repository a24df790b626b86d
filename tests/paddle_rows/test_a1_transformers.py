"""a.1: what each of Paddle's transformers does to the source, as behaviour."""

from __future__ import annotations

import functools
import io
import types

import numpy as np
import pytest
from limits.agree import ROW, UP, VECTOR, as_programs, assert_agrees, on_x, on_xn, plain

import dy2st as paddle
import dy2st.nn as nn
from dy2st.static import InputSpec

from . import asserting

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")
X = paddle.to_tensor(UP)


def clipped(x, n):
    total = x * 0
    for i in range(n):
        if i == 2:
            continue
        total = total + i
    return total


def test_a1_01_the_steps_have_an_order_and_100_is_the_code_that_runs(capsys):
    """The steps are dy2st's own five, in order: Paddle's sixteen names are its mechanism."""
    texts = {}
    for level in (1, 3, 5, 100):
        function = types.FunctionType(clipped.__code__.replace(), globals())  # one that was never converted
        paddle.jit.set_code_level(level)
        try:
            static = paddle.jit.to_static(function, input_spec=[VECTOR, InputSpec([], "int64")])
            static.concrete_program  # noqa: B018 - converted now
        finally:
            paddle.jit.set_code_level(None)
        texts[level] = capsys.readouterr().err
    assert "continue" in texts[1] and "_jst" not in texts[1]
    assert "continue\n" not in texts[3] and "convert_while_loop" not in texts[3]
    assert "convert_while_loop" in texts[5]
    assert "convert_while_loop" in texts[100] and "convert_while_loop" in static.code


def raises_deep_inside(x, n):
    for i in range(n):
        if i > 1:
            x = x.reshape([7, 7])
    return x


def test_a1_02_every_statement_keeps_the_line_it_came_from():
    static = paddle.jit.to_static(raises_deep_inside)
    with pytest.raises(ValueError) as caught:
        static(X, paddle.to_tensor(3))
    at = caught.value.dy2st_loc
    assert (at.file, at.line) == (__file__, raises_deep_inside.__code__.co_firstlineno + 3)


def hinted(x: "paddle.Tensor", n: int = 1) -> "paddle.Tensor":
    a: int = 1
    b: "paddle.Tensor"
    if n > a:
        b: "paddle.Tensor" = x + a
        c: int  # noqa: F842
    else:
        b = x
    return b


def test_a1_03_type_hints_are_dropped():
    on_xn(hinted)


class Base(nn.Layer):
    def __init__(self):
        super().__init__()
        self.k = 2

    def forward(self, x):
        return x * self.k if x.sum() > 0 else x


class Sub(Base):
    def forward(self, x):
        if x.sum() > 0:
            y = super().forward(x)
        else:
            y = super(Sub, self).forward(x) - 1

        def nested(v):
            return super(Sub, self).forward(v) + 1

        return y, nested(x)


def test_a1_04_super_without_arguments():
    eager, static = Sub(), paddle.jit.to_static(Sub(), input_spec=[VECTOR])
    _, loaded = as_programs(static.forward, (VECTOR,))
    for x in (X, -X):
        assert plain(eager(x)) == plain(static(x)) == plain(loaded(x))


def test_a1_04_a_users_function_that_is_called_super():
    def super(x):
        return x * 5

    def calls(x):
        return super(x) if x.sum() > 0 else x

    on_x(calls)


def hooked(x):
    y = x * 2
    z = y.sum()
    y.register_hook(lambda g: g * 10)
    return z


def test_a1_05_a_hook_that_is_registered_after_its_tensor_was_used():
    """The hook sees the whole gradient, whenever it was registered, as eagerly; what it reads must be known while staging."""
    static = paddle.jit.to_static(hooked)
    for form in (hooked, static):
        x = paddle.to_tensor(UP, stop_gradient=False)
        form(x).backward()
        assert plain(x.grad) == ("float32", [20.0, 20.0, 20.0])
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    loaded = paddle.jit.load(file)
    assert plain(loaded(paddle.to_tensor(UP))) == plain(static(x))
    with pytest.raises(paddle.errors.Dy2stError, match="the hook .* is Python code, which a saved model doesn't hold"):
        loaded(x).backward()

    def scaled(x):
        y = x * 2
        y.register_hook(lambda g: g * y)
        return y.sum()

    with pytest.raises(paddle.errors.StagedValueError, match=r"test_a1_transformers.py:\d+: this hook reads 'y'"):
        paddle.jit.to_static(scaled)(x)
    weight = nn.Layer().create_parameter([3])
    with pytest.raises(paddle.errors.StagedValueError, match="do it outside of the static function"):
        paddle.jit.to_static(lambda x: weight.register_hook(lambda g: g) and x)(x)


def early_return(x, n):
    if n == 0:
        return x
    elif n == 1:
        if x.sum() > 0:
            return x + 1
        y = x - 1
    elif n == 4:
        return x * 4, n
    else:
        y = x * 2
    y = y + 5
    return y


def early_return_in_a_loop(x, n):
    for i in range(5):
        if i == n:
            return x * i
        x = x + 1
    return -x


@pytest.mark.parametrize("function", [early_return, early_return_in_a_loop])
def test_a1_06_early_returns(function):
    on_xn(function)


def shapes(x):
    rows, columns = x.shape
    total = x.sum() * 0
    for i in range(x.shape[0]):
        total = total + i * x.shape[1]
    while rows > 1:
        rows = rows - 1
        total = total + 100
    if x.shape[0] > 1:
        x = x[: x.shape[0] - 1]
    found = {"shape": x.shape, "first": x.shape[0]}
    return total, rows, columns, found, x.reshape([x.shape[0] * columns]), len(x.shape), isinstance(x.shape, list)


def test_a1_07_a_shape_is_a_list_of_numbers():
    """Unknown lengths are ints that the Program knows, where Paddle has scalar tensors."""
    assert_agrees(shapes, (InputSpec([None, 3]),), [(ROW,), (np.ones([3, 3], np.float32),)])


def test_a1_07_the_function_shape_is_left_alone():
    def as_tensor(x):
        return paddle.shape(x), paddle.shape(x)[0] + 1

    on_x(as_tensor)


def break_and_continue(x, n):
    done = []
    for i in range(6):
        if i == 1:
            continue
        for j in range(n):
            if j > i:
                break
            if (x + j).sum() < 0:
                continue
            x = x + j
        else:
            done.append(i)
        if i > n:
            break
        x = x + 100
    k = 0
    while k < 10:
        k = k + 1
        if k < n:
            continue
        if k % 4 == 3:
            break
    return x, done, k


def break_with_a_condition_on_both(x, n):
    while n > 0 and x.sum() < 50:
        n = n - 1
        if x.max() > 20:
            break
        x = x * 2
        if n == 1:
            continue
        x = x + 1
    return x, n


@pytest.mark.parametrize("function", [break_and_continue, break_with_a_condition_on_both])
def test_a1_08_break_and_continue(function):
    on_xn(function)


def leading_break(x, n):
    i = 0
    while i < 10:
        if i >= n:
            break
        x = x + i
        i += 1
    return x, i


def test_a1_09_a_leading_break_is_part_of_the_condition():
    """There is no variable of the environment for it: the loop evaluates the same either way."""
    on_xn(leading_break)


def nothing(x, n):
    x + 1


def bare(x, n):
    if n > 1:
        return
    x = x + 1
    return


def none(x, n):
    return None


def tuple_of_one(x, n):
    if n > 1:
        return (x,)
    return (x + 1,)


def list_of_one(x, n):
    for i in range(n):
        if i > 1:
            return [x]
    return [x * 2]


def many(x, n):
    if n > 1:
        return x, [x, (x + 1,)], n
    return x + 1, [x, (x,)], n


def outer_and_inner_returns(x, n):
    def inner(v):
        if v.sum() > 0:
            return v * 2
        return v

    for i in range(n):
        if inner(x).sum() > 10:
            return inner(x)
        x = x + 1
    return inner(x) - 1


@pytest.mark.parametrize("function", [nothing, bare, none, tuple_of_one, list_of_one, many, outer_and_inner_returns])
def test_a1_10_returns_of_every_kind(function):
    on_xn(function)


def logic(x, n):
    a = n > 0 and x.sum() > 0 and n < 3
    b = n > 3 or x.sum() < 0 or False
    c = not (n > 1) and not x.sum() > 0
    d = True and n > 1
    return a, b, c, d, (n > 0 and x.max() or x.min()) * 1.0


def short_circuit(x, n):
    items = None
    return items is not None and items[n] > 0, items is None or items[n] > 0, n is None or n > 1


@pytest.mark.parametrize("function", [logic, short_circuit])
def test_a1_11_and_or_not(function):
    on_xn(function)


def created_inside(x, n):
    if n > 1:
        a = x + 1
        b = 2
    for i in range(n):
        c = x * i
    return (a, b, c, i) if n > 1 else x


def test_a1_12_names_that_control_flow_creates():
    """A name that a path doesn't bind raises where it is read, as in Python: no placeholder is handed out."""
    on_xn(created_inside)
    with pytest.raises(UnboundLocalError):
        paddle.jit.to_static(lambda x: _unbound(x))(-X)


def _unbound(x):
    if x.sum() > 0:
        y = x
    return y


def for_loops(x, n):
    total = x * 0
    for i in range(n):
        total = total + i
    for row in x:
        total = total + row
    for i, (a, [b, c]) in enumerate([(x, [x, 1]), (x, [x + 1, 2])]):
        total = total + a * i + b * c
    for k, v in {"a": x, "b": x * 2}.items():
        total = total + v
    for s in (1, 2.5):
        total = total * s
    for q in []:
        total = total * 0
    return total, i, s, k, row


def test_a1_13_for():
    on_xn(for_loops)


class Box:
    def __init__(self):
        self.v, self.items = 1, [0, 0]


def while_loops(x, n):
    box = Box()
    i = 0
    while i < n:
        i += 1
        box.v = box.v * 2
        box.items[1] = box.items[1] + i
        x = x + box.v
    return x, i, box.v, box.items


def test_a1_14_while():
    on_xn(while_loops)


def ifs(x, n):
    box = Box()
    if n > 1:
        y = x + 1
        box.v = n
        if x.sum() > 0:
            y, z = y * 2, 1
        else:
            z = 2
    elif n == 1:
        y, z = x, 3
    else:
        pass
    if x.sum() > 0:
        n = n + 1
    return (y if n > 2 else x), (z if n == 5 else 0), box.v, n


def test_a1_15_if():
    on_xn(ifs)


def ternaries(x, n):
    y = x if n > 1 else x + 1
    f = lambda v: v * 2 if v.sum() > 0 else -v  # noqa: E731
    z = [i * x if i > 1 else x for i in range(3)]
    return f(y if x.sum() > 0 else x * 3), z, (1 if n > 1 else 2 if n == 1 else 3), paddle.add(x, x if n > 1 else y)


def test_a1_16_ternaries():
    on_xn(ternaries)


def numpy_in_control_flow(x, n):
    if x.numpy()[0] > 0 and not n.numpy() == 1:
        x = x + int(n.numpy())
    for i in range(n.numpy()):
        x = x + i
    while 0 < x.sum().numpy() < 50:
        x = x * 2
    y = x if x.numpy()[1] > n.numpy() else -x
    assert x.numpy()[0] < 1000
    return y, float(x.numpy()[2]), bool(n.numpy()), [v for v in (x, y) if v.sum().numpy() > 0]


class Wrapped:
    def __init__(self, v):
        self.v = v

    def numpy(self):
        return self.v * 2


def a_method_of_that_name(x, n):
    return int(Wrapped(n).numpy()), x if Wrapped(x.sum()).numpy() > 0 else -x


def numpy_elsewhere(x, n):
    y = x.numpy()
    return y.sum() if n > 0 else x


@pytest.mark.parametrize("function", [numpy_in_control_flow, a_method_of_that_name])
def test_a1_17_numpy_in_control_flow_is_the_tensor(function):
    on_xn(function)


def test_a1_17_elsewhere_it_is_refused_with_the_tensors_own_way():
    with pytest.raises(paddle.errors.StagedValueError, match=r"test_a1_transformers.py:\d+: x.numpy\(\).*keep the tensor"):
        paddle.jit.to_static(numpy_elsewhere)(X, paddle.to_tensor(2))


def test_a1_18_assert():
    on_x(asserting.of_a_tensor)
    on_x(asserting.of_python)
    on_xn(asserting.in_a_loop)


def helper(x, by=2):
    return x * by if x.sum() > 0 else x


def calls(x, n):
    f = helper
    table = {"f": helper}
    return f(x), table["f"](x, by=3), (lambda v: helper(v))(x), helper(helper(x), by=n), paddle.abs(x), len([x]), x.sum().abs()


def test_a1_19_every_call_is_converted():
    on_xn(calls)


def casts(x, n):
    return int(n), float(n), bool(n), int(x.sum()), float(x.max()), bool(x.sum() > 0), int(3.7), float("2.5"), bool([])


def test_a1_20_casts():
    on_xn(casts)


def test_a1_20_a_cast_to_complex():
    """Of a tensor's value, complex is refused with the way to write it; of Python values it is Python's."""
    on_x(lambda x: complex(1, 2).imag * x)
    with pytest.raises(paddle.errors.ConversionError, match="complex"):
        paddle.jit.to_static(lambda x: complex(x.sum()).real, input_spec=[VECTOR]).concrete_program


def twice(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2

    return wrapper


def plus(k):
    def decorate(function):
        def wrapper(x):
            return function(x) + k if x.sum() > 0 else function(x)

        return wrapper

    return decorate


class decorators:
    plus = staticmethod(plus)


def decorated_inside(x):
    @twice
    @plus(3)
    @decorators.plus(k=5)
    def inner(v):
        return v * 10 if v.sum() > 0 else v

    @paddle.no_grad()
    @twice
    def other(v):
        return v + 1

    return inner(x), other(x)


@twice
@plus(7)
def decorated_outside(x):
    return x if x.sum() > 0 else -x


class Static:
    @staticmethod
    def one(x):
        return x + 1 if x.sum() > 0 else x

    @classmethod
    def two(cls, x):
        return cls.one(x) * 2


def of_a_class(x):
    return Static.one(x), Static.two(x), Static().two(x)


@pytest.mark.parametrize("function", [decorated_inside, decorated_outside, of_a_class])
def test_a1_21_decorators(function):
    on_x(function)


TABLE = paddle.to_tensor([10.0, 20.0, 30.0])


class Holder:
    def __init__(self):
        self.w, self.items = TABLE * 2, [TABLE, TABLE + 1]


HOLDER = Holder()


def loads(x):
    local = paddle.ones([3])
    local = local + x if x.sum() > 0 else local
    return TABLE + x, HOLDER.w * x, HOLDER.items[1] - x, local


def test_a1_22_tensors_from_outside_are_part_of_the_program():
    on_x(loads)
    held = paddle.to_tensor([1.0, 1.0, 1.0])
    static = paddle.jit.to_static(lambda x: x + held, input_spec=[VECTOR])
    static(X)
    held.set_value(np.float32([5, 5, 5]))
    assert plain(static(X)) == plain(X + 5)


def commented(x):
    # a comment before
    y = x  # one behind

    # if x.sum() > 0: this is no code
    if x.sum() > 0:
        # one inside
        y = y.reshape([7])  # the line that raises

    return y


def test_a1_23_comments_leave_lines_where_they_are():
    with pytest.raises(ValueError) as caught:
        paddle.jit.to_static(commented)(X)
    assert caught.value.dy2st_loc.line == commented.__code__.co_firstlineno + 7
    assert paddle.jit.to_static(commented)(-X).shape == [3]


ODD = """import dy2st as paddle
class Net(paddle.nn.Layer):
\tdef forward(self, x):
\t\tif x.sum() > 0:
\t\t\t\treturn x + 1
\t# a comment that dedents
\t\treturn (x +
1)
"""


def test_a1_24_tabs_and_odd_indents(tmp_path):
    """What Python reads, dy2st reads; what it doesn't is Python's IndentationError, before there is a function."""
    (tmp_path / "odd.py").write_text(ODD)
    names = {}
    exec(compile(ODD, str(tmp_path / "odd.py"), "exec"), names)
    static = paddle.jit.to_static(names["Net"](), input_spec=[VECTOR])
    assert plain(static(X)) == plain(X + 1)
    with pytest.raises(IndentationError):
        compile(ODD.replace("\t\treturn (x +", "   return (x +"), "odd.py", "exec")

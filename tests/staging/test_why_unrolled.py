"""Who asks is told which loops are unrolled, and why; `unroll` and a limit ask for it."""

import inspect

import pytest

import dy2st as paddle
from dy2st.jit import to_static, unroll
from dy2st.static import InputSpec

X = paddle.to_tensor([1.0, -2.0])


def rolled(x):
    for i in range(100):
        x = paddle.sin(x * 0.5 + i)
    return x


def left_by_a_tensor(x):
    for _ in range(20):
        x = x * 0.5 + 1
        if x.sum() > 3.9:
            break
    return x


def left_by_a_number(x):
    for i in range(100):
        x = x * 0.5 + 1
        if i == 90:
            break
    return x


def differs(x):
    for i in range(100):
        x = x * 0.5 + 1
        if i % 2:
            x = paddle.sin(x)
    return x


def changes_what_python_knows(x):
    n = 1
    for _ in range(100):
        x = x * 0.5 + n
        n = n * 2 % 7
    return x


def stores_by_key(x):
    held = {}
    for i in range(100):
        x = x * 0.5 + 1
        held[i] = x
    return held[7]


WHY = {
    left_by_a_tensor: "a break or return leaves it, which only the Program decides",
    left_by_a_number: "a break or return leaves it",
    differs: "its second and third turn differ",
    changes_what_python_knows: "a value that Python knows changes from turn to turn",
    stores_by_key: "a dict changes from turn to turn",
}


def line_of(function):
    lines = inspect.getsourcelines(function)
    return lines[1] + next(i for i, line in enumerate(lines[0]) if "for " in line)


@pytest.mark.parametrize("function", WHY, ids=lambda f: f.__name__)
def test_the_line_and_the_reason_are_told(function):
    concrete = to_static(function, input_spec=[InputSpec([2], "float32", "x")]).concrete_program
    assert concrete.unrolled == [f"{__file__}:{line_of(function)}: this loop is unrolled: {WHY[function]}"]


def calls_twice(x):
    return changes_what_python_knows(x) + changes_what_python_knows(x + 1) + rolled(x)


def test_a_loop_of_a_function_that_is_called_is_told_once():
    concrete = to_static(calls_twice, input_spec=[InputSpec([2], "float32", "x")]).concrete_program
    assert len(concrete.unrolled) == 1


def test_what_is_rolled_or_short_is_not_told():
    def short(x):
        for i in range(5):
            x = x + i * i
        return x

    def staged_from_its_start(x):
        for _ in range(100):
            x = x * 0.5 + 1
            if x.sum() > 3.9:
                break
        return x

    for function in (rolled, short, staged_from_its_start):
        static = to_static(function)
        static(X)
        assert static.concrete_program.unrolled == []


def sines(function):
    return sum(op.name == "sin" for op in function.concrete_program.program.walk())


def test_unroll_records_each_turn():
    @to_static
    @unroll
    def kept(x):
        return rolled(x) + rolled_here(x)

    def rolled_here(x):
        for i in range(100):
            x = paddle.sin(x * 0.5 + i)
        return x

    once, each = to_static(rolled), to_static(unroll(rolled_here))
    assert (once(X).numpy() == each(X).numpy()).all()
    assert sines(once) == 5 and sines(each) == 100
    assert (kept(X).numpy() == (once(X) + each(X)).numpy()).all()
    assert sines(kept) == 105, "the mark is of a function's own loops, not of those that it calls"
    assert each.concrete_program.unrolled == []


def test_unroll_marks_a_method():
    class Net(paddle.nn.Layer):
        @unroll
        def forward(self, x):
            for _ in range(100):
                x = paddle.sin(x)
            return x

    net = to_static(Net())
    net(X)
    assert sines(net.forward) == 100


@pytest.mark.parametrize("other", [to_static(rolled), paddle.nn.Linear(2, 2), 3, len])
def test_unroll_takes_functions(other):
    with pytest.raises(TypeError, match=f"unroll takes a function or a method, not a {type(other).__name__}: write @unroll"):
        unroll(other)

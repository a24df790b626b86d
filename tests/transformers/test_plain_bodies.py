"""Functions that may run where nothing is staged: their plain body, and which body is picked."""

import sys

import pytest
from plain_runtime import converted, outcome
from random_functions import compile_function
from support.answers import Raised

import dy2st
from dy2st.jit.dy2static import convert_to_static
from dy2st.ops.dispatch import RECORDERS
from dy2st.transformers import transpile


def calls_made_by(function, *args):
    """How many Python functions a call enters."""
    entered = []
    sys.setprofile(lambda frame, event, arg: entered.append(frame.f_code.co_name) if event == "call" else None)
    try:
        function(*args)
    finally:
        sys.setprofile(None)
    return len(entered)


def count_odd(numbers):
    count = 0
    for n in numbers:
        if n % 2 and n > 0 or n == -1:
            count += 1
        else:
            continue
    while count > 100:
        count -= 100
    return count


def test_control_flow_calls_nothing_outside():
    twin = convert_to_static(count_odd)
    assert twin(range(1000)) == count_odd(range(1000)) == 100
    assert calls_made_by(twin, range(1000)) == calls_made_by(twin, range(10)) == 1


def test_the_rewritten_body_runs_while_something_is_staged():
    twin, another = convert_to_static(count_odd), object()
    RECORDERS.add(another)
    try:
        assert twin(range(1000)) == 100
        assert calls_made_by(twin, range(1000)) > 1000
    finally:
        RECORDERS.discard(another)


def test_an_inner_function_that_has_left_is_staged_with_its_rewritten_body():
    def outer(x):
        def inner(y):
            if y.sum() > 0:
                y = y * x
            return y
        return inner

    inner = convert_to_static(outer)(dy2st.to_tensor([2.0]))
    static = dy2st.jit.to_static(inner)
    for values in ([1.0, 2.0], [-1.0, -2.0]):
        x = dy2st.to_tensor(values)
        assert static(x).tolist() == inner(x).tolist() == [v * 2 if v > 0 else v for v in values]
    assert "= if " in str(static.main_program)


def test_the_text_shows_the_rewritten_body():
    assert transpile(count_odd, outside=True).source == transpile(count_odd).source


# --- names ------------------------------------------------------------------------------------------------------------------


TOTAL = 0


def stores_a_global(n):
    """Adds up."""
    if n:
        global TOTAL
        TOTAL = TOTAL + n
    return TOTAL


def test_declarations_stand_before_both_bodies():
    global TOTAL
    twin = convert_to_static(stores_a_global)
    TOTAL = 0
    assert (twin(2), twin(0), twin(3), TOTAL, twin.__doc__) == (2, 2, 5, 5, "Adds up.")


def test_a_variable_around_that_has_no_value():
    def outer(c):
        if c:
            y = 1

        def inner():
            return y if y else None

        def stores():
            nonlocal y
            y = 2 if c is None else 3
        if c is None:
            stores()
        return inner()

    for c in (True, False, None):
        assert outcome(converted(outer), c) == outcome(converted(outer, outside=True), c) == outcome(outer, c)
    # The inner functions alone: those around run their rewritten bodies, as while they are staged.
    assert outcome(transpile(outer).instantiate(outer, dy2st.runtime.convert), False) == Raised("NameError", "")


def test_the_names_that_locals_tells():
    def tells(a):
        if a:
            b = [v for v in range(a)]
        return sorted(locals().items())

    assert [convert_to_static(tells)(a) for a in (0, 2)] == [tells(0), tells(2)]


def test_a_default_that_binds_a_name():
    def binds(a):
        def f(x=(n := a) if a else 0, y=a and (m := 2)):
            return x, y
        return f(), n, m

    assert convert_to_static(binds)(3) == binds(3) == ((3, 2), 3, 2)


def test_a_pattern_names_a_class_that_may_be_missing():
    def outer(c):
        if c:
            Kind = int

        def inner(x):
            match x:
                case Kind(real=r):
                    return r
            return None
        return inner(7)

    for c in (True, False):
        assert outcome(convert_to_static(outer), c) == outcome(outer, c)


# --- size -------------------------------------------------------------------------------------------------------------------


def nested(depth):
    """A function with functions inside one another, each with an `if`."""
    head = [f"{'    ' * i}def f(x):\n" for i in range(depth)]
    body = [f"{'    ' * (i + 1)}return f(x + {i}) if x else {i}\n" for i in range(depth - 1)]
    return compile_function("".join([*head, f"{'    ' * depth}return x if x else -1\n", *reversed(body)]))


def size(code):
    return len(code.co_code) + sum(size(const) for const in code.co_consts if hasattr(const, "co_code"))


@pytest.mark.parametrize("outside", [False, True])
def test_code_of_deeply_nested_functions_stays_small(outside):
    small, large = (size(transpile(nested(depth), outside=outside).code) for depth in (9, 18))
    assert large < 3 * small
    for x in (0, 5):
        assert converted(nested(18), outside)(x) == nested(18)(x)

"""`.code` of loops is Python that does what the function does: it is run here."""

import ast
from typing import List, Optional  # noqa: UP035

import pytest

import dy2st as paddle
from dy2st import func, jit


def both(n: int):
    i = 0
    while i < n and i * i < 50:
        i += 1
    return i


def either(n: int):
    while n > 3 or (n > 100 and n != 7):
        n -= 2
    return n


def leaves(n: int):
    i = 0
    for k in range(n):
        if k * k > 20:
            break
        i += k
    return i


def chained(n: int):
    i = 0
    while 0 <= i < n < 40:
        i += 3
    return i


def negated(n: int):
    i = 0
    while not (i > n or i > 20):
        i += 1
    return i


def first_large(n: int, xs: List[int]):  # noqa: UP006
    i = 0
    while i < len(xs) and xs[i] < n and (xs[i] if i % 2 == 0 else n) != 5:
        i += 1
    return i


@pytest.mark.parametrize("function", [both, either, leaves, chained, negated, first_large])
def test_s_37_the_code_of_a_loop_says_its_condition(function):
    made = jit.script(function)
    names: dict = {"dy2st": paddle, "List": list}
    exec(made.code, names)
    more = ([3, 1, 4, 1, 5, 9, 2, 6],) if function is first_large else ()
    for n in (-1, 0, 3, 9, 30, 200):
        assert names[function.__name__](n, *more) == function(n, *more), made.code


def test_s_37_the_code_of_make_program_is_python():
    def function(x, n):
        for _ in range(n):
            if (x > 3).all():
                break
            x = x + 1
        return x

    code = func.make_program(function)(paddle.ones([2]), 3).code
    ast.parse(code)
    assert "ops.py.not_(" in code


def doubled(x, n: int):
    i = 0
    while i < n and not (x.sum() > 100):
        x = x * 2
        i += 1
    return x


def mixed_condition(x, n: int):
    i = 0
    while i < n and x.sum() < 40:
        x = x * 2
        i += 1
    return x


def either_is_enough(x, n: int):
    while n < 3 or x.sum() < 20:
        x = x * 2
        n += 1
    return x


def returns_in_a_loop(x, n: int):
    for i in range(n):
        if x.sum() > i:
            return x * i
    return x - 1


def breaks_and_continues(x, n: int):
    for i in range(n):
        if i == 2:
            continue
        if x.sum() > i + 3:
            break
        x = x + 1
    return x


def decides_at_the_end(x, n: int):
    y = x if n > 2 or x.sum() > 2 else x + 1
    while True:
        y = y * 2
        if y.sum() > 100 or n > 3:
            break
    return y


def may_be_none(x, n: int):
    found: Optional[int] = None
    for i in range(n):
        if x.sum() > i:
            found = i
    if found is None:
        return x
    return x * found + x.shape[0]


def counts(x, n: int):
    table, order = {"a": 1}, [0]
    for i in range(n):
        if i > 1:
            table["a"] = table["a"] + i
        order[0] = -i
        order.append(i)
    del order[1]
    return x * table["a"] + len(order) + float(abs(order[0]))


IN_LOOPS = [doubled, mixed_condition, either_is_enough, returns_in_a_loop, breaks_and_continues, decides_at_the_end, may_be_none]
NAMES = {"dy2st": paddle, "Tensor": paddle.Tensor, "List": list, "Dict": dict, "Optional": Optional}


@pytest.mark.parametrize("function", [*IN_LOOPS, counts])
@pytest.mark.parametrize("n", [0, 2, 5])
@pytest.mark.parametrize("start", [-1.0, 1.0, 30.0])
def test_the_code_of_what_tensors_decide_runs_as_well(function, n, start):
    """No name in it is one that doesn't exist."""
    if function is counts and n == 0:
        n = 1  # there is an item to delete
    made = jit.script(function)
    names = dict(NAMES)
    exec(made.code, names)
    x = paddle.to_tensor([start, 0.5])
    assert names[function.__name__](x, n).tolist() == function(x, n).tolist(), made.code

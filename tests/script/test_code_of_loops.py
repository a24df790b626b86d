"""`.code` of loops is Python that does what the function does: it is run here."""

import ast
from typing import List  # noqa: UP035

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

"""Limits b.12 to b.16, b.25, b.26: what Paddle refuses where paths meet, at jumps, recursion, comparisons and exceptions."""

from __future__ import annotations

import contextlib

import pytest

import dy2st as paddle
from dy2st.nn import functional as F

from . import asserting
from .agree import UP, on_n, on_x, on_xn

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")


# --- b.12: results of different kinds or lengths -----------------------------------------------------------------------


def more_results_on_one_path(x):
    if x.sum() > 0:
        return x, x + 1
    return x


def nothing_on_one_path(x):
    if x.sum() > 0:
        return x


def tensor_or_none(x):
    y = x if x.sum() > 0 else None
    return y if y is not None else "nothing"


def a_text(x):
    if x.sum() > 0:
        mode = "relu"
    else:
        mode = "none"
    return F.relu(x) if mode == "relu" else x, mode


def a_text_or_none(x):
    mode = "up" if x.sum() > 0 else None
    return mode, x + 1 if mode else x


def a_list_or_a_tuple(x):
    return [x, x] if x.sum() > 0 else (x,)


@pytest.mark.parametrize(
    "function", [more_results_on_one_path, nothing_on_one_path, tensor_or_none, a_text, a_text_or_none, a_list_or_a_tuple]
)
def test_b12_results_of_different_kinds(function):
    on_x(function)


# --- b.13: return in loops and in with ---------------------------------------------------------------------------------


def return_beside_an_inner_loop(x, n):
    for i in range(n):
        for j in range(n):
            x = x + j
        if x.sum() > 20:
            return x * 100
    return x


def return_in_the_inner_loop(x, n):
    for i in range(n):
        for j in range(n):
            if (x + j).sum() > 7:
                return x, i, j
    return x, -1, -1


def return_in_with(x, n):
    with contextlib.nullcontext():
        if n > 1:
            return x + 1
    x = x * 2
    return x


def return_in_no_grad(x, n):
    with paddle.no_grad():
        if n > 1:
            return x + 1
    return x * 2


def return_in_while(x, n):
    while x.sum() < 100:
        x = x * 2 + 10
        if x.max() > n * 20:
            return x - 1
    return x


@pytest.mark.parametrize(
    "function", [return_beside_an_inner_loop, return_in_the_inner_loop, return_in_with, return_in_no_grad, return_in_while]
)
def test_b13_returns_in_loops_and_with(function):
    on_xn(function)


# --- b.14: a Python-true loop with a tensor's break --------------------------------------------------------------------


def while_true(x, n):
    while True:
        x = x + 1
        if x.sum() > n * 10:
            break
    return x


def while_one_is_less_than_two(x, n):
    turns = 0
    while 1 < 2:
        turns += 1
        x = x + 1
        if x.sum() <= n * 10:
            continue
        break
    return x, turns


def while_a_flag_holds(x, n):
    going = True
    while going:
        x = x + 1
        going = bool(x.sum() <= n * 10)
    return x


def while_true_that_returns(x, n):
    while True:
        x = x + 1
        if x.sum() > n * 10:
            return x


@pytest.mark.parametrize("function", [while_true, while_one_is_less_than_two, while_a_flag_holds, while_true_that_returns])
def test_b14_endless_loops_that_a_tensor_ends(function):
    on_xn(function)


# --- b.15: recursion ---------------------------------------------------------------------------------------------------


def fact(n):
    if n <= 1:
        return n * 0 + 1
    return n * fact(n - 1)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@pytest.mark.parametrize("function", [fact, is_even, fib])
def test_b15_recursion_that_a_tensor_ends(function):
    on_n(function, (0, 1, 6))


# --- b.16: built-ins as values, comparisons ----------------------------------------------------------------------------


def range_as_a_value(x, n):
    for i in (lambda r: r)(range)(n):
        x = x + i
    return x


def len_and_print_as_values(x, n):
    count, steps = len, {"range": range}
    return [x * i for i in steps["range"](count(x) - n % 3)]


def mapped(x, n):
    return list(map(int, [n, n + 1])), sum(map(abs, [n, -n]))


def largest(x, n):
    return max(x.sum(), x.min()), min(n, 2), max(n, n * 2 - 3), max([n, 5 - n])


def member(x, n):
    return n in [0, 4], n not in (1, 2), 3 in [n, n + 1, n + 2], 2.0 in x


def chained(x, n):
    return 0 < x.sum() < 10, 0 <= n <= 1 < 2, 5 > n != 1


@pytest.mark.parametrize("function", [range_as_a_value, len_and_print_as_values, mapped, largest, member, chained])
def test_b16_builtins_as_values_and_chained_comparisons(function):
    on_xn(function)


# --- b.25, b.26: raise and assert --------------------------------------------------------------------------------------


def raising(x):
    if x.sum() < 0:
        raise ValueError(f"negative: {float(x.sum())}")
    return x + 1


def raising_in_a_loop(x, n):
    for i in range(n):
        if i > 2:
            raise IndexError("too many turns")
        x = x + 1
    return x


def test_b25_a_raise_under_a_condition_is_raised_under_it():
    on_x(raising)
    on_xn(raising_in_a_loop)


def test_b26_the_message_and_the_line_of_an_assertion():
    on_x(asserting.positive)
    on_x(asserting.all_positive)
    static = paddle.jit.to_static(asserting.positive)
    with pytest.raises(AssertionError, match="the sum must be positive") as caught:
        static(paddle.to_tensor(-UP))
    at = caught.value.dy2st_loc
    assert (at.file, at.line) == (asserting.__file__, asserting.positive.__code__.co_firstlineno + 1)

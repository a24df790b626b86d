"""`contextlib.contextmanager` of generators with a `try` around their `yield`: they catch what the body raises."""

from __future__ import annotations

import contextlib
import unittest

import pytest

import dy2st as paddle

from .agreement import assert_agrees, functions_of


class Stop(Exception):
    pass


@contextlib.contextmanager
def noting(log):
    try:
        yield 1
    except Stop as error:
        log.append(str(error))


@contextlib.contextmanager
def turning(log):
    log.append("in")
    try:
        yield
    except Stop as error:
        if len(log) > 2:
            return
        raise KeyError("turned") from error
    except ValueError:
        raise
    else:
        log.append("fine")
    finally:
        log.append("out")


@contextlib.contextmanager
def yielding_again():
    try:
        yield 1
    except Stop:
        yield 2


def swallowed(x, n):
    log, y = [], 0
    with noting(log) as v:
        y = 5
        if n > 1:
            raise Stop("a")
        y = 7 + v
    return y, log


def turned(x, n):
    log = []
    try:
        with turning(log):
            if n == 2:
                log.append("two")
            if n > 3:
                raise ValueError("big")
            if n > 0:
                raise Stop("a")
    except (KeyError, ValueError) as error:
        log.append(str(error))
    return log


def in_a_loop(x, n):
    log, y = [], x
    for i in range(n):
        with noting(log) as v:
            y = y + v
            if y.sum() > 12:
                raise Stop(f"at {i}")
            if x.sum() < 0:
                continue
            y = y * 2
    return y, log


def with_a_return(x, n):
    log = []
    with noting(log):
        if n > 1:
            raise Stop("a")
        return 3, log
    return 4, log


def not_stopped(x, n):
    with yielding_again() as v:
        if n > 1:
            raise Stop("a")
    return v


CASES = functions_of(globals())


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_agrees(function):
    assert_agrees(function)


def test_s1_what_a_manager_says_of_a_body_that_is_run_again_is_of_no_matter():
    class Ordered:
        def __init__(self, key):
            self.key = key

        def __lt__(self, other):
            return self.key < other.key

    case = unittest.TestCase()

    def sorts(x):
        with case.assertRaises(AttributeError) as caught:
            Ordered(1) < Ordered(2)  # which lets the function be staged again
            Ordered(1) < 2
        return x, str(caught.exception)

    x = paddle.to_tensor([1.0])
    assert paddle.jit.to_static(sorts)(x)[1] == sorts(x)[1]

"""Lambdas, partial, decorators, functions that take and return functions."""

from __future__ import annotations

import functools

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def lambdas(x, n):
    f = lambda v: v + 1 if n > 1 else v - 1
    return f(x), (lambda a, *b: a + len(b))(n, 1, 2)


def scale(x, k, bias=0):
    if x.sum() > 0:
        return x * k + bias
    return x - k


def partials(x, n):
    double = functools.partial(scale, k=2)
    return double(x), functools.partial(scale, x, bias=1)(3), functools.partial(max, 2)(n)


def partial_in_list(x, n):
    fs = [functools.partial(scale, k=k) for k in (1, 2)]
    for f in fs:
        x = f(x)
        if x.sum() > 10:
            break
    return x


def compose(*fs):
    def run(v):
        for f in fs:
            v = f(v)
        return v

    return run


def composed(x, n):
    return compose(lambda v: v + 1, lambda v: v * 2 if n > 1 else v)(x)


def logged(f):
    @functools.wraps(f)
    def inner(*a, **k):
        y = f(*a, **k)
        if y.sum() > 0:
            return y + 1
        return y

    return inner


def plain_decorator(f):
    def inner(*a):
        return f(*a) * 2

    return inner


def repeat(times):
    def decorate(f):
        def inner(v):
            for _ in range(times):
                v = f(v)
            return v

        return inner

    return decorate


@logged
def with_wraps(v):
    return v * 3 if v.max() > 2 else v


@plain_decorator
def without_wraps(v):
    return v if v.sum() > 0 else -v


@repeat(3)
@logged
def stacked_decorators(v):
    return v * 2


def decorated(x, n):
    return with_wraps(x), without_wraps(x), stacked_decorators(x)


@functools.lru_cache(maxsize=None)
def fact(k):
    return 1 if k < 2 else k * fact(k - 1)


def cached_function(x, n):
    return x * fact(4)


def apply(f, v, times):
    for _ in range(times):
        v = f(v)
    return v


def returns_function(x, n):
    def make(k):
        def f(v):
            return v * k

        return f

    f = make(2) if n > 1 else make(3)
    return f(x)


def curried(x, n):
    add = lambda a: lambda b: lambda c: a + b * c
    return add(x)(n)(2)


def early_exit_helper(x, n):
    def helper(v):
        if v.sum() < 0:
            return None
        return v * 2

    y = helper(x)
    if y is None:
        return x
    return y


def helper_changes_list(x, n):
    def fill(out, k):
        while k > 0:
            out.append(k)
            k -= 1
        return out

    out = []
    return fill(out, n) is out, out


def tuple_from_helper(x, n):
    def both(v):
        if v.sum() > 0:
            return v, 1
        return -v, 0

    a, b = both(x)
    c, _ = both(a)
    return a, b, c


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)

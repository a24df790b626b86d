"""Names bound on one path, closures, globals, default arguments, definitions and imports in branches."""

from __future__ import annotations

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes

COUNT = 3
LOG: list = []


def both_paths(x, n):
    if n > 1:
        y = x
        z = 1
    else:
        y = -x
        z = 2.5
    return y, z


def one_path_unbound(x, n):
    if n > 1:
        y = 5
    return x + y


def unbound_loop_variable(x, n):
    for i in range(n):
        pass
    return i


def unbound_in_loop_body(x, n):
    for i in range(n):
        if i > 0:
            last = i * 2
    return last


def bound_before_use_in_next_turn(x, n):
    s = 0
    for i in range(n):
        if i > 0:
            s = s + before  # noqa: F821
        before = i  # noqa: F841
    return s


def nonlocal_in_branch(x, n):
    c = 0

    def bump(k=1):
        nonlocal c
        c += k
        return c

    if n > 1:
        bump()
        bump(n)
    for i in range(n):
        bump(i)
    return c


def nonlocal_two_deep(x, n):
    s = 0

    def outer(k):
        t = k

        def inner():
            nonlocal s, t
            t += 1
            s += t

        inner()
        return t

    for i in range(n):
        outer(i)
    return s


def closure_list(x, n):
    out = []

    def emit(v):
        if v % 2 == 0:
            out.append(v)

    for i in range(n):
        emit(i)
    return out


def closure_late_binding(x, n):
    k = 1

    def f():
        return k

    if n > 1:
        k = 2
    return f()


def closures_made_in_loop(x, n):
    fs = []
    for k in (1, 2, 3):
        fs.append(lambda v, k=k: v * k)
    s = 0
    for f in fs:
        s = s + f(x)
    return s


def function_made_in_branch(x, n):
    if n > 1:

        def f(v):
            return v + n
    else:
        f = lambda v: v - n
    return f(x)


def read_global(x, n):
    return x * COUNT if n > 1 else x


def global_list_read(x, n):
    return len(LOG) + n


def default_arguments(x, n):
    def f(a, b=2, *c, d=4, **e):
        return a + b + sum(c) + d + len(e)

    return f(n), f(n, 1), f(n, 1, 2, 3), f(n, d=1, z=2), f(*(n, 1), **{"d": n})


def mutable_default_is_shared(x, n):
    def f(v, acc=[]):
        acc.append(v)
        return acc

    f(1)
    if n > 1:
        f(2)
    return len(f(3))


def shadowed_in_branch(x, n):
    s = 0
    for i in range(3):
        for i in range(n):
            s += i
    return s, i


def import_in_branch(x, n):
    if n > 1:
        import math

        y = math.pi
    else:
        from math import e as y
    return x * y


def import_used_later(x, n):
    if n > 1:
        import math
    else:
        import math
    return x + math.floor(2.5)


def class_in_branch(x, n):
    if n > 1:

        class C:
            k = 2
    else:

        class C:
            k = 3

    return x * C.k


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)

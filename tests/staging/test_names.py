"""Names bound on one path, closures, globals, default arguments, definitions and imports in branches."""

from __future__ import annotations

from abc import ABC

import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.errors import ConversionError

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


def names_told(x, count):
    """What `locals()` and `vars()` tell, in branches, loops and inner functions."""
    y, told = 3, []
    if count > 1:
        z = 4
        told.append("%(y)d %(z)s" % locals())
        z = z + 1
    else:
        told.append(sorted(locals()))
    for _ in range(2):
        here = vars()
        told.append(sorted(here))

    def inner(of=1):
        return sorted(locals()), y

    told.append(inner())
    if count > 2:
        late = 1

    def later():
        return sorted(locals()), count > 2 and late

    told.append(later())
    told.append((lambda v: sorted(locals()))(1))
    w = told
    del w
    told.append("w" in locals())
    return x + len(told), told


@pytest.mark.parametrize("n", [1, 2, 3])
def test_locals_tell_the_names_of_the_users_function(n):
    x = paddle.to_tensor([1.0, 2.0])
    assert paddle.jit.to_static(names_told)(x, n)[1] == names_told(x, n)[1]


def test_a_local_that_follows_the_path():
    def chosen(x):
        if x.sum() > 0:
            y = x * 2
        else:
            y = x - 1
        return locals()["y"]

    static = paddle.jit.to_static(chosen)
    for given in ([1.0], [-1.0]):
        x = paddle.to_tensor(given)
        assert static(x).numpy().tolist() == chosen(x).numpy().tolist()


def test_whether_there_is_a_name_is_no_matter_for_a_program():
    def named(x):
        if x.sum() > 0:
            y = x
        return sorted(locals())

    with pytest.raises(ConversionError, match="whether y is one of the locals"):
        paddle.jit.to_static(named)(paddle.to_tensor([1.0]))


def test_another_function_of_that_name():
    def locals():
        return 7

    def asks(x):
        return x * locals()

    assert paddle.jit.to_static(asks)(paddle.to_tensor([2.0])).numpy().tolist() == [14]


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def test_a_name_that_locals_comes_before_needs_no_cell():
    """So that a branch has the object to itself, which can't be a value of the Program."""

    class Cache(ABC):
        def __init__(self, x):
            self.x = x

    def asked(x):
        told = sorted(locals())
        if x.sum() > 0:
            cache = Cache(x)
            x = cache.x * len(told)
        return x, told

    for numbers in ([1.0], [-1.0]):
        x = paddle.to_tensor(numbers)
        (given, names), (found, told) = asked(x), jit.to_static(asked)(x)
        assert found.tolist() == given.tolist() and told == names


def test_locals_in_a_loop_tells_of_names_that_are_bound_behind_it():
    def asked(x):
        told = []
        for k in range(2):
            told.append("late" in locals())
            late = k
        return x, told, late

    assert jit.to_static(asked)(paddle.ones([1]))[1:] == asked(paddle.ones([1]))[1:]

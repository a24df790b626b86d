"""S-14: a StopIteration that leaves the body of a generator is a RuntimeError, also where a tensor decides whether it does."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from .agreement import assert_agrees


def first_of(xs):
    yield next(iter(xs))


def s_14_next_of_nothing(x, n):
    try:
        return list(first_of([1] if n > 1 else []))
    except StopIteration:
        return ["stop"]
    except RuntimeError as error:
        return [str(error)]


def s_14_raised_between_items(x, n):
    def items():
        yield 1
        if n > 1:
            raise StopIteration("a")
        yield 2

    found = []
    try:
        for item in items():
            found.append(item)
    except RuntimeError:
        found.append("runtime")
    return found


def s_14_asked_for_one_item(x, n):
    def items():
        yield 1
        if n > 1:
            raise StopIteration("a")
        yield 2

    left = items()
    found = [next(left)]
    try:
        found.append(next(left))
    except StopIteration:
        found.append("stop")
    except RuntimeError:
        found.append("runtime")
    return found


def s_14_uncaught(x, n):
    xs = [1]
    if n > 1:
        xs.append(2)
    it = iter(xs)

    def two():
        yield next(it)
        yield next(it)

    return list(two())


def s_14_generator_expression(x, n):
    xs = [2] if n > 1 else []
    return list(next(iter(xs)) for _ in range(2))


def s_14_a_comprehension_is_none(x, n):
    xs = []
    if n > 1:
        xs.append(2)
    try:
        return [next(iter(xs)) for _ in range(2)]
    except StopIteration:
        return "stop"


def s_14_the_consumer_stops(x, n):
    def items():
        yield 1
        yield 2

    seen = []
    try:
        for item in items():
            seen.append(item)
            if n > item:
                raise StopIteration(item)
    except StopIteration:
        seen.append("stop")
    except RuntimeError:
        seen.append("runtime")
    return seen


def s_14_manager(x, n):
    @contextmanager
    def managed():
        if n > 3:
            raise StopIteration
        yield 1
        if n > 0:
            raise StopIteration

    try:
        with managed():
            pass
    except StopIteration:
        return "stop"
    except RuntimeError:
        return "runtime"
    return "fine"


@pytest.mark.parametrize("case", [case for name, case in list(globals().items()) if name.startswith("s_14")])
def test_s_14_as_in_plain_python(case):
    assert_agrees(case)

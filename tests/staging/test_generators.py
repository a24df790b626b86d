"""Generators of the user's, consumed inside the function: what they do and what the loop does stay interleaved."""

from __future__ import annotations

import itertools
import warnings

import pytest

from dy2st import jit, to_tensor
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

from .agreement import as_programs, assert_agrees, functions_of


def count(n):
    for i in range(n):
        yield i


def picked(rows, limit):
    for row in rows:
        if row > limit:
            yield row * 2
        elif row < 0:
            continue
        else:
            yield row


def collatz(n):
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        yield n


def logged(log, n):
    log.append("start")
    try:
        for i in range(n):
            log.append("before")
            yield i
            log.append("after")
    finally:
        log.append("closed")


def chained(*parts):
    for part in parts:
        yield from part


def leaves(tree):
    if isinstance(tree, tuple):
        for branch in tree:
            yield from leaves(branch)
    else:
        yield tree


def doubled(x):
    while True:
        x = x * 2
        yield x


def answered(x):
    sent = yield x
    yield sent, [i for i in range(2)]


def ends_early(n):
    yield 1
    if n > 2:
        return
    yield 2


def limited(n):
    for i in range(n):
        if i > 2:
            raise ValueError("too far", 3)
        yield i


def named(n):
    for i in range(n):
        match i % 3:
            case 0:
                yield "zero"
            case 1 if n > 2:
                yield f"one of {n}"
            case k:
                yield k


def collected(n):
    yield [i for i in range(n)]
    yield sum(i for i in count(n))


def scaled(*values, by=2, **more):
    for value in values:
        yield value * by
    yield more


def added(items):
    total = 0
    for item in items:
        total = total + item
    return total


class Net:
    def __init__(self):
        self.k = 3
        self.seen = 0

    def items(self, n):
        for i in range(n):
            self.seen = self.seen + 1
            yield self.k * i


def in_a_loop(x, n):
    total = 0
    for v in count(n):
        total = total + v
    return total


def staged_conditions(x, n):
    out = []
    for v in picked(x, n):
        out.append(v)
    return out


def staged_while(x, n):
    total = 0
    for v in collatz(n):
        if v % 3 == 0:
            continue
        total = total + v
    return total


def effects_interleaved(x, n):
    log = []
    for v in logged(log, n):
        log.append("body")
        if v == 2:
            break
    return log


def returns_inside(x, n):
    log = []
    for v in logged(log, n):
        if v == 1:
            return "found", v * 10, log
    return "none", -1, log


def delegated(x, n):
    return list(chained(count(n), [7], x.shape)), [v for v in leaves((1, (n, 3), (x,)))]


def endless(x, n):
    for i, v in enumerate(doubled(x)):
        if v.sum() > 50 or i > 6:
            break
    return i, v


def consumers(x, n):
    return (sum(count(n)), list(count(n)), max(count(n + 1)), sorted(-v for v in count(n)), any(v > 1 for v in count(n)),
            dict(enumerate(count(n))), list(map(lambda v: v + 1, count(n))), tuple(count(3)), ",".join(str(v) for v in count(n)))


def zipped(x, n):
    three = list(zip([1, 2], count(n), x))
    return list(zip(range(n), doubled(x))), list(zip(count(n), [10, 20])), list(enumerate(count(n), 1)), three


def of_a_method(x, n):
    net = Net()
    return [v for v in net.items(n) if v > 3], net.seen, any(v > 3 for v in net.items(n)), net.seen


def of_an_inner_function(x, n):
    total = 0

    def scaled(k):
        nonlocal total
        for i in range(n):
            total = total + i
            yield i * k

    out = []
    for k in range(2):
        for v in scaled(k + 1):
            total = total * 2
            out.append(v)
    return out, total


def nested_loops(x, n):
    total = 0
    for i in range(n):
        for v in count(i):
            for w in count(v):
                total = total + w + 1
    return total


def nested_and_closed(x, n):
    log = []

    def logging():
        try:
            for i in range(n):
                yield i
        finally:
            log.append("closed")

    for i in logging():
        for j in logging():
            if j > 1:
                break
            log.append((i, j))
        if i > 1:
            return log, "left"
    return log, "end"


def raised(x, n):
    total = 0
    try:
        for i in count(n):
            if i > 1:
                raise KeyError("k")
            total = total + 1
    except KeyError:
        total = total + 100
    return total, [v for v in limited(n)]


def with_choices(x, n):
    return list(named(n)), list(collected(n))


def handed_on(x, n):
    return added(i * 2 for i in range(n)), added(count(n)), added(row for row in x), list(scaled(x, n, by=3, also=n))


def chosen(x, n):
    if n > 1:
        g = count(n)
    else:
        g = count(1)
    return list(g)


def loop_variable_afterwards(x, n):
    for v in count(n):
        pass
    else:
        w = 5
    return v, w


def in_a_branch(x, n):
    if n > 1:
        return [v for v in count(n)]
    return list(count(1))


def sent_nothing(x, n):
    return list(answered(n)), list(ends_early(n))


def first_only(x, n):
    return next(count(n), -1), next((row for row in x if row > n), None)


def first_or_stop(x, n):
    return next(i for i in range(n) if i > 1)


def by_hand(x, n):
    g = doubled(x)
    return next(g), next(g), next(g)


def resumed(x, n):
    g = count(n)
    for v in g:
        if v > 1:
            break
    return sum(g)


def by_hand_then_a_loop(x, n):
    g = count(n)
    first = next(g, 0) + next(g, 0)
    return first + sum(g)


def by_hand_in_a_branch(x, n):
    g = doubled(x)
    y = next(g)
    if n > 1:
        y = next(g)
    return y


def two_zipped(x, n):
    return list(zip(count(n), doubled(x)))


def sends(x, n):
    g = answered(x)
    next(g)
    return g.send(n)


def odd_ones(n):
    for i in range(n):
        if i % 2:
            yield i


def looked_for(x, n):
    ones = odd_ones(n)
    return 1 in ones, list(ones), n in odd_ones(7), 4 not in (v + 1 for v in odd_ones(n))


def chained_from_a_list(x, n):
    return list(itertools.chain.from_iterable([odd_ones(n), (n,), odd_ones(3)]))


class Counted:
    def __init__(self, value):
        self.value = value


def in_a_branch_that_returns(x, n):
    q = Counted(1)
    if n > 0:

        def counts(k):
            for e in range(k):
                yield e + q.value

        if n > 1:
            return sum([*counts(0)])
        q.value = 3
    return q.value


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_agrees(function)


def kept(x, n):
    return count(n)


def test_a_generator_is_no_result():
    with pytest.raises(ConversionError, match="the result holds an iterator; .* return list"):
        as_programs(kept)


def given_on(x, n):
    if n > 0:
        value = int("text")

    def one():
        yield value

    return list(one())


def asked_about(x, n):
    if n > 0:
        value = int("text")

    def one():
        if value:
            yield 3

    return list(one())


def iterated(x, n):
    if n > 0:
        value = int("text")

    def one():
        yield sum(e for e in list(value))

    return list(one())


@pytest.mark.parametrize("function", [given_on, asked_about, iterated], ids=lambda f: f.__name__)
def test_a_variable_around_it_that_has_no_value_is_missed(function):
    static = jit.to_static(function, input_spec=[InputSpec([None], "float32"), InputSpec([], "int64")])
    x = to_tensor([1.0])
    for form in (function, static):
        with pytest.raises(NameError, match="'value'"):
            form(x, to_tensor(0))
        with pytest.raises(ValueError, match="invalid literal for int.. with base 10: 'text'"):
            form(x, to_tensor(1))


def test_what_a_generator_tells_of_its_function():
    def told():
        def numbers():
            yield 1

        made = numbers()
        return made.gi_code.co_name, made.__name__, made.__qualname__, list(made), hasattr(made, "nothing")

    assert jit.to_static(told)() == told()


def test_how_far_a_generator_is_isnt_known():
    def frame():
        return next(v for v in [1]) if (v for v in [2]).gi_frame else 0

    with pytest.raises(ConversionError, match=".gi_frame of this generator isn't known while staging"):
        jit.to_static(frame)()

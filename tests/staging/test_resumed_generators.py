"""Items that are asked for one at a time: `next`, `send`, `zip` of two generators, loops that go on where another was left."""

from __future__ import annotations

import warnings

import pytest

from dy2st.errors import ConversionError

from .agreement import as_programs, assert_agrees, functions_of


def count(n):
    for i in range(n):
        yield i


def doubled(x):
    while True:
        x = x * 2
        yield x


def logging(log, n):
    for i in range(n):
        log.append(i)
        yield i


def pair(x):
    yield x
    yield x + 1


def leaves(t):
    if isinstance(t, tuple):
        for b in t:
            yield from leaves(b)
    else:
        yield t


def averager():
    total = 0.0
    c = 0
    avg = None
    while True:
        v = yield avg
        total = total + v
        c = c + 1
        avg = total / c


def listed(n):
    out = []
    for i in range(n):
        out.append(i * 2)
    return out


def take_two(it):
    return next(it, 0), next(it, 0)


def relayed(n):
    got = yield from counted(n)
    yield got


def counted(n):
    for i in range(n):
        yield i
    return n * 10


def shielded(n):
    for i in range(n):
        try:
            yield i
        except ValueError:
            pass


def mixed(n, x):
    yield n
    y = x * 2
    while n > 0:
        yield y
        y = y + 1
        n = n - 1
        if n % 2 == 0:
            yield "even"
    for i in range(n + 3):
        for j in range(i):
            yield i, j
    yield x


def nested(n):
    for i in range(n):
        for j in range(i):
            yield i * 10 + j


def rows(x):
    for row in x:
        yield row
    for row in x:
        yield -row


def summing():
    total = 0
    while True:
        v = yield total
        if v is None:
            return
        total = total + v


def guarded(n):
    for i in range(n):
        try:
            v = yield i
            if v is not None and v > 2:
                raise ValueError("big")
        except ValueError:
            n = n + 100
    yield n


class Reader:
    def __init__(self, n):
        self.lines = self._read(n)
        self.count = 0
    def _read(self, n):
        for i in range(n):
            self.count = self.count + 1
            yield i
    def get(self):
        return next(self.lines, -1)


def floats(n):
    t = 0
    for i in range(n):
        t = t + 0.5
        yield t


def zip_of_two_generators(x, n):
    return list(zip(count(n), doubled(x)))


def enumerate_of_zip_of_two(x, n):
    return [(i, a, b) for i, (a, b) in enumerate(zip(count(n), pair(x)))]


def effects_of_both_in_turn(x, n):
    log = []
    out = list(zip(logging(log, n), logging(log, 2)))
    return out, log


def zip_of_an_expression_and_map(x, n):
    return list(zip((i * 2 for i in range(n)), map(lambda v: v + 1, listed(n))))


def map_over_two_generators(x, n):
    return list(map(lambda a, b: a + b, count(n), count(n + 1)))


def zip_of_a_generator_with_itself(x, n):
    g = count(6)
    return list(zip(g, g))


def zip_of_an_iterator_with_itself(x, n):
    it = iter([n, 1, 2, 3])
    return list(zip(it, it))


def pairs_of_a_staged_list(x, n):
    it = iter(listed(n))
    return list(zip(it, it))


def an_iterator_inside_while(x, n):
    it = iter([1, 2, 3, 4, 5])
    out = []
    i = n
    while i > 0:
        for v in it:
            out.append((i, v))
            if v % 2 == 0:
                break
        i = i - 1
    return out, list(it)


def a_loop_goes_on(x, n):
    g = count(5)
    out = []
    for v in g:
        if v == 2:
            break
    for v in g:
        out.append(v * n)
    return out


def next_and_then_loops(x, n):
    g = count(n)
    a = next(g, 10)
    for v in g:
        if v == 2:
            break
        a = a + v
    return a, list(g)


def enumerate_goes_on(x, n):
    it = enumerate([5, 6, 7])
    for i, v in it:
        if v > n + 4:
            break
    return list(it)


def zip_goes_on(x, n):
    it = zip(range(n), listed(n))
    for a, b in it:
        if b > 2:
            break
    return list(it)


def next_of_reversed(x, n):
    it = reversed(listed(n))
    f = next(it, None)
    return f, list(it)


def next_of_map(x, n):
    it = map(lambda v: v * 2, listed(n))
    f = next(it, None)
    g = next(it, None)
    return f, g, list(it)


def next_of_an_expression(x, n):
    it = (v * 2 for v in listed(n))
    f = next(it, None)
    g = next(it, None)
    return f, g, list(it)


def endless_and_left_by_tensors(x, n):
    g = doubled(x)
    first = next(g) + next(g)
    for v in g:
        if v.abs().sum() > 100:
            break
    return first, v


def next_on_one_path(x, n):
    g = count(5)
    y = next(g)
    if n > 1:
        y = next(g)
    return y, next(g)


def next_of_zip_in_a_loop(x, n):
    it = zip(range(4), "abcd")
    y = next(it)
    for i in range(n):
        y = next(it, None)
    return y


def a_loop_inside_takes_items_too(x, n):
    it = iter([1, 2, 3, 4])
    for v in it:
        out = [v]
        for w in it:
            if w > n:
                break
            out.append(w)
    return out


def send_and_close(x, n):
    g = averager()
    next(g)
    a = g.send(10)
    b = g.send(n)
    g.close()
    return a, b


def close_runs_finally(x, n):
    log = []
    def gen():
        try:
            yield 1
            yield 2
        finally:
            log.append("closed")
    g = gen()
    v = next(g)
    g.close()
    return v, log, next(g, None)


def helpers_take_from_an_iterator(x, n):
    it = iter([1, 2, 3, n])
    return take_two(it), take_two(it), take_two(it)


def helpers_take_from_a_generator(x, n):
    g = count(n)
    return take_two(g), take_two(g)


def the_result_of_yield_from(x, n):
    return list(relayed(n))


def a_yield_inside_try(x, n):
    return list(shielded(n))


def many_yields_asked_in_a_loop(x, n):
    g = mixed(n, x)
    out = []
    i = 0
    while True:
        v = next(g, None)
        if v is None:
            break
        out.append(v)
        i = i + 1
    return i, len(out)


def many_yields_left_and_gone_on(x, n):
    g = mixed(n, x)
    first = next(g)
    k = 0
    for v in g:
        k = k + 1
        if k >= n + 2:
            break
    rest = 0
    for v in g:
        rest = rest + 1
    return first, k, rest


def zip_of_nested_loops(x, n):
    return [(a, b) for a, b in zip(nested(n + 2), nested(n + 3))]


def rows_twice(x, n):
    g = rows(x)
    out = []
    for i in range(n):
        v = next(g, None)
        out.append(v)
    return len(out), list(g)


def an_expression_goes_on(x, n):
    g = (v * 2 for v in range(n) if v % 2 == 0)
    out = []
    for v in g:
        out.append(v)
        if v > 2:
            break
    return out, list(g), next(g, "end")


def filter_goes_on(x, n):
    g = filter(lambda v: v > 1, range(n))
    return next(g, -1), next(g, -1), list(g)


def next_on_one_path_and_a_loop(x, n):
    g = count(n)
    total = 0
    if n > 2:
        total = next(g) + next(g)
    for v in g:
        total = total + v
    return total


def send_in_loops(x, n):
    g = summing()
    next(g)
    out = []
    for i in range(n):
        out.append(g.send(i))
    for row in x:
        out.append(g.send(row))
    return out


def send_until_it_ends(x, n):
    g = summing()
    g.send(None)
    try:
        g.send(None)
    except StopIteration:
        return "stopped", n
    return "not", n


def an_exception_inside_is_caught(x, n):
    g = guarded(3)
    out = [next(g)]
    out.append(g.send(n))
    out.append(g.send(n))
    return out, list(g)


def kept_on_self(x, n):
    r = Reader(n)
    a = r.get()
    b = r.get()
    out = []
    while True:
        c = r.get()
        if c == -1:
            break
        out.append(c)
    return a, b, out, r.count


def shared_by_several(x, n):
    a = count(n)
    b = (v + 1 for v in a)
    c = map(lambda v: v * 2, b)
    return next(c, 0), next(a, 0), next(b, 0), list(c)


def next_inside_its_loop(x, n):
    it = iter(x)
    pairs = []
    for row in it:
        other = next(it, None)
        if other is None:
            break
        pairs.append(row * other)
    return pairs


def fibonacci(x, n):
    def fib():
        a, b = 0, 1
        while True:
            yield a
            a, b = b, a + b
    g = fib()
    out = []
    for v in g:
        if v > n * 3:
            break
        out.append(v)
    out.append(next(g))
    return out


def numbers_of_two_kinds(x, n):
    return [a + b for a, b in zip(count(n), floats(n))], sum(a * b for a, b in zip(floats(n), floats(2)))


def items_of_a_dict(x, n):
    d = {"a": n, "b": 2}
    def items():
        for k, v in d.items():
            yield k, v
    g = items()
    k, v = next(g)
    return k, v, list(g)


def a_tree_by_hand(x, n):
    g = leaves((1, (n, (x, 2)), 5))
    return next(g), next(g), list(g)


def match_inside(x, n):
    def parts():
        match n % 3:
            case 0:
                yield "zero"
                yield "a"
            case 1:
                yield "one"
            case _:
                yield "more"
        yield "end"
    g = parts()
    return next(g), next(g), next(g, "none")


def a_loop_goes_on_in_a_loop(x, n):
    g = count(n)
    out = []
    for i in range(n):
        for v in g:
            out.append((i, v))
            if v % 2 == 0:
                break
    return out


def enumerate_zip_left_and_gone_on(x, n):
    g, h = count(n), doubled(x)
    for i, (a, b) in enumerate(zip(g, h)):
        if a > 1:
            break
    return i, b, list(g), next(h)


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_agrees(function)


def with_a_finally(log, n):
    try:
        for i in range(n):
            yield i
    finally:
        log.append(-1)


def left_before_its_finally(x, n):
    log = []
    found = list(zip(with_a_finally(log, 3), with_a_finally(log, n)))
    return found, log


def made_on_one_path(x, n):
    g = count(9)
    if n > 1:
        g = doubled(n)
    return next(g) + next(g)


def closed_somewhere(x, n):
    g = count(5)
    next(g)
    if n > 1:
        next(g, 0)
        next(g, 0)
    for v in g:
        if v > n:
            break
    g.close()
    return n


def two_loops_inside(x, n):
    g = (i + j for i in range(n) for j in range(i))
    return next(g, 0), next(g, 0)


@pytest.mark.parametrize("function, words", [
    (left_before_its_finally, "the generator 'with_a_finally' has a 'finally' block, .* call close"),
    (made_on_one_path, "this generator '.*' is made inside control flow that tensors decide, .* make it before"),
    (closed_somewhere, r"close\(\) on a generator that tensors have left at one place or another"),
    (two_loops_inside, "this generator expression is left before its end and goes on later, .* make a list of it first"),
])
def test_refused_in_words(function, words):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ConversionError, match=rf"{__file__}:\d+: {words}"):
            as_programs(function)

"""What a `for` goes over, and what is unpacked: known while staging, or only when the Program runs."""

from __future__ import annotations

import itertools
import warnings

import pytest

from dy2st.errors import ConversionError

from .agreement import as_programs, assert_agrees, functions_of


class Shelf:
    def __init__(self, books):
        self.books = books

    def __iter__(self):
        for book in self.books:
            yield book * 2


class Countdown:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


def numbered(x, n):
    out = []
    for i, row in enumerate(x, start=3):
        out.append((i, row))
    return out, [i for i, v in enumerate(range(n), int(n))]


def side_by_side(x, n):
    out = []
    for a, b in zip(reversed(range(n)), enumerate(x)):
        out.append((a, b[0], b[1]))
    return out, list(zip(range(n), [1, 2], x)), list(zip([1, 2, 3], range(n)))


def backwards(x, n):
    return [i for i in reversed(range(n))], [r for r in reversed(x)], list(reversed([k for k in range(n)])), list(range(n, 0, -1))


def staged_dict(x, n):
    d = {}
    for i in range(n):
        d[i] = i * 2
    total = 0
    for k in d:
        total = total + k
    for v in d.values():
        total = total * 3 + v
    for k, v in d.items():
        total = total + k * v
    return total, list(d), list(d.keys()), list(d.items())


def python_dict(x, n):
    d = {"a": x, "b": x * 2}
    total = x * 0
    for k, v in d.items():
        if v.sum() > n:
            total = total + v
    for i, k in enumerate(d):
        total = total + i * d[k]
    return total, [k for k in d], list(d.values())


def nested_targets(x, n):
    total = x[0] * 0
    for i, (a, b) in enumerate(zip(x, range(n)), 2):
        total = total + i * a * b
    for first, *rest in [(1, x), (2, n, 3)]:
        total = total + first * len(rest)
    return total


def lists_in_a_staged_list(x, n):
    table = [[i, i + 1, i + 2] for i in range(n)]
    total = 0
    for a, *rest in table:
        total = total + a * rest[1]
    for i, (p, q, r) in enumerate(table):
        total = total + i * p * q - r
    return total


def loop_variables_afterwards(x, n):
    for i, row in zip(range(n), x):
        pass
    return i, row


def broken_or_not(x, n):
    total = x[0] * 0
    for row in x:
        if row < 0:
            continue
        if row > n:
            break
        total = total + row
    else:
        total = total + 100
    return total, row


def from_within(x, n):
    for i in range(n):
        for k, v in {"p": 1, "q": i}.items():
            if v > 2:
                return k, v
    return "none", 0


def iterator(x, n):
    it = iter([1, 2, 3])
    first = next(it)
    total = 0
    for i in range(n):
        total = total + next(it, 10)
    return first, total


def staged_iterator(x, n):
    it = iter(range(n))
    first = next(it, -1)
    rest = [i for i in it if i < 3]
    return first, rest, next(it, None)


def resumed_iterator(x, n):
    it = iter([5, 6, 7, 8])
    for v in it:
        if v > n + 4:
            break
    return v, list(it)


def in_pairs(x, n):
    it = iter([i for i in range(n)])
    pairs = []
    for a in it:
        pairs.append((a, next(it, -1)))
    return pairs


def objects_that_iterate(x, n):
    down = iter(Countdown(2))
    steps = next(down), next(down), next(down, "end")
    return steps, [b for b in Shelf([1, n, 3])], [b + 1 for b in Shelf(x)], [c for c in Countdown(3)], sum(Countdown(4)) + n


def doubled(x):
    while True:
        x = x * 2
        yield x


def of_itertools(x, n):
    some = [i for i in range(n)]
    joined = list(itertools.chain(some, [9], x)), [v for v in itertools.chain.from_iterable([some, [n]])]
    parts = list(itertools.islice(doubled(x), 3)), list(itertools.islice(range(9), 1, n))
    totals = list(itertools.accumulate(some)), list(itertools.accumulate(x, lambda a, b: a * b, initial=1.0))
    return (joined, parts, totals, list(itertools.takewhile(lambda v: v < n, [1, 2, 3])), list(itertools.pairwise(some)),
            list(itertools.product([1, 2], "ab")), list(itertools.chain([1], (2,))))


def sums_of_lists(x, n):
    return sum(([i] for i in range(n)), []), sum((r for r in x), 10.0), sum([[1], [2]], [n])


def ends_by_an_exception(x, n):
    it = iter([i * 2 for i in range(n)])
    total = 0
    while True:
        try:
            total = total + next(it)
        except StopIteration:
            break
    return total


def unpacked(x, n):
    items = [x]
    if n > 0:
        items.append(x * 2)
    a, b = items
    return a, b


def unpacked_with_a_star(x, n):
    items = [i for i in range(n)]
    first, *rest = items
    *start, last = items
    return first, rest, start, last


def unpacked_around_a_star(x, n):
    items = [i for i in range(n)]
    first, *middle, last = items
    return first, middle, last


def unpacked_rows(x, n):
    first, *rest = x
    a, b, c = x
    return first, rest, a, b, c


def unpacked_python_values(x, n):
    a, b, c = sorted([3, 1, 2])
    (p, q), r = (x, n), 3
    d, *e = "abc"
    return a, b, c, p, q, r, d, e


def r_05_until_a_sentinel(x, n):
    left = [5, 4, 3, int(n), 2, 1]
    return [v * x for v in iter(left.pop, 4)], left


def r_05_until_a_sentinel_from_calls_that_count(x, n):
    made = []

    def count():
        made.append(x.sum())
        return len(made)

    return sum(v for v in iter(count, n + 1)), len(made)


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_agrees(function)


def stops_when_the_program_runs(x, n):
    return [c for c in Countdown(n)]


def test_refused_in_words():
    words = "when 'Countdown' ends is known only when the Program runs; write its __iter__ as a generator"
    with pytest.raises(ConversionError, match=rf"{__file__}:\d+: {words}"):
        as_programs(stops_when_the_program_runs)

"""`f(*xs)`, `f(**d)` with as many arguments as the Program says: what each parameter gets, what Python says of the others."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np
import pytest

from dy2st.errors import ConversionError

from .agreement import as_programs, assert_agrees, functions_of

UP = np.array([1, 2, 3], np.float32)
CALLS = [(UP, np.int64(k)) for k in range(7)]


def some(n):
    return [i + 1 for i in range(n)]


def table(n):
    found = {}
    for i in range(n):
        found["abcdez"[i]] = i + 1
    return found


def without_a(n):
    return {key: value for key, value in table(n).items() if key > "a"}


def over(items, limit):
    for item in items:
        if item > limit:
            yield item


def three(a, b=10, c=20):
    return a * 100 + b * 10 + c


def total(*items, by=1):
    result = 0
    for item in items:
        result += item
    return result * by


def first(a, *rest, scale=2, **more):
    return a, len(rest), rest, scale, more


def spelled(a, /, b, *, c=3, d):
    return [a, b, c, d]


class Point:
    def __init__(self, a, b=2, *rest):
        self.a, self.b, self.rest = a, b, rest

    def scaled(self, *numbers, by=1):
        return [self.a * number * by for number in numbers]

    def __call__(self, a, b=3):
        return self.a + a * b


@dataclass
class Pair:
    a: int
    b: int = 5


def with_defaults(x, n):
    return three(*some(n))


def by_keyword(x, n):
    return three(**table(n))


def both_ways(x, n):
    return three(*some(n - 2), **table(n))


def beside_a_keyword(x, n):
    return three(*some(n), c=4)


def the_same_keyword(x, n):
    return three(5, b=2, **table(n))


def of_any_number(x, n):
    return total(*some(n), by=n)


def among_others(x, n):
    return first(7, 8, *some(n), 9, *some(n), scale=n)


def all_that_there_is(x, n):
    return first(*some(n), **without_a(n), other=x)


def a_name_too_much(x, n):
    return first(1, a=2, **table(n - 1)) if n > 3 else first(*some(n), a=2)


def by_keyword_only(x, n):
    return spelled(1, **without_a(n))


def by_position_only(x, n):
    return spelled(1, **without_a(n)) if n == 4 else spelled(**table(n))


def too_many_beside_keywords(x, n):
    return spelled(*some(n), c=1, d=2)


def keys_that_are_no_text(x, n):
    return first(1, **{i: i for i in range(n)})


def of_a_generator(x, n):
    return total(*over(some(n), 2)), first(*over([3, 4], 1))


def of_a_generator_expression(x, n):
    return first(*(x[i] for i in range(3) if x[i] > n))


def of_a_tensor(x, n):
    return total(*x)


def of_one_of_two(x, n):
    items = (1, 2) if n > 1 else (3,)
    return three(*items), three(*([1] if n > 2 else {5: 6, 7: 8}))


def to_a_lambda(x, n):
    return (lambda *values: sum(values))(*some(n)), (lambda a, b=4: a + b)(*some(n))


def to_a_generator(x, n):
    def following(first, *others):
        yield first
        for other in others:
            yield other + 1

    return list(following(*some(n)))


def through_a_decorator(x, n):
    def noting(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs), len(args), len(kwargs)

        return wrapper

    return noting(first)(*some(n), **without_a(n))


def to_a_class(x, n):
    point = Point(*some(n))
    return point.a, point.b, point.rest, point.scaled(*some(n), by=2)


def to_a_dataclass(x, n):
    pair = Pair(*some(n))
    return pair.a, pair.b, Pair(**table(n)).b


def to_an_object(x, n):
    return Point(1)(*some(n))


def to_a_partial(x, n):
    return functools.partial(three, 1)(*some(n))


def to_one_of_two(x, n):
    chosen = three if n > 1 else total
    return chosen(*some(n))


def to_itself(x, n):
    def added(*numbers):
        return 0 if not numbers else numbers[0] + added(*numbers[1:])

    return added(*some(n))


def kept_in_a_closure(x, n):
    def counted(*numbers, **named):
        return lambda: (len(numbers), sum(named.values()))

    return counted(*some(n), **table(n))()


def is_evaluated_in_order(x, n):
    items = some(n)
    return total(*items, len(items) + items.pop() if items else 3, *items)


def caught(x, n):
    try:
        return three(*some(n))
    except TypeError as error:
        return str(error)


def under_a_condition(x, n):
    if n > 2:
        return three(*some(n))
    return 0


def to_max_and_min(x, n):
    return max(*some(n)), min(3, *some(n), key=lambda v: -v)


def to_max_with_a_default(x, n):
    return max(*[some(n - 4)], default=4) if n > 3 else max(*some(n), default=4)


def to_zip(x, n):
    rows = [[i, i * 2] for i in range(n)]
    return list(zip(*rows)), [sum(column) for column in zip(*rows, x)]


def to_a_strict_zip(x, n):
    rows = [[1] * (1 + i // 2) for i in range(n)]
    return list(zip(*rows, strict=True))


def to_dict_and_chain(x, n):
    return dict(**table(n), q=5), dict({"a": 3}, **table(n)), list(itertools.chain(*[some(i) for i in range(n)]))


def to_dict_by_position(x, n):
    return dict(*[[(i, n)] for i in range(n)])


def a_keyword_twice(x, n):
    return dict(a=2, **table(n))


def to_print(x, n):
    print(*some(n), sep="-")
    print(*over([5, 6], 5), n, end="!")
    return n


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, capsys):
    assert_agrees(function, calls=CALLS, capsys=capsys)


def to_a_function_of_c(y, n):
    return pow(*some(n))


def of_two_dicts(y, n):
    return three(**table(n), **table(n))


@pytest.mark.parametrize("function, words", [
    (to_a_function_of_c, "pow isn't written in Python, and how many arguments it gets is known only when the Program runs"),
    (of_two_dicts, r"f\(\*\*a, \*\*b\) of two dicts that are known only when the Program runs; write f\(\*\*{\*\*a, \*\*b}\)"),
])
def test_refused_in_words(function, words):
    with pytest.raises(ConversionError, match=rf"{__file__}:\d+: {words}"):
        as_programs(function)

"""E-03, E-04, E-16: classes with parameters in brackets, classes and closures that a function makes, matches of enums."""

import enum
from typing import Generic, TypeVar

import pytest

from .agreement import assert_agrees, functions_of

T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, value):
        self.value = value


class Mode(enum.Enum):
    LOW = 1
    HIGH = 2


def e_03_aliases_of_classes(x, n):
    pairs: list[tuple[int, int]] = [(1, 2)]
    made = list[int]([1, 2]), dict[str, int](a=3), Box[int](4).value
    return x + sum(made[0]) + made[1]["a"] + made[2] + len(pairs) + n, list[int].__origin__ is list


def e_03_a_class_derived_from_an_alias(x, n):
    class Rows(list[int]):
        pass

    rows = Rows([1, 2])
    if n > 1:
        rows.append(5)
    return x * sum(rows)


def e_04_an_attribute_of_a_class_made_here(x, n):
    class Counter:
        total = 1

    Counter.total = 2
    if n > 1:
        Counter.total = Counter.total + 3
    return x * Counter.total


def twice(function):
    return lambda *args: function(*args) * 2


def e_04_a_decorated_function_that_counts(x, n):
    calls, seen = 0, []

    @twice
    def scaled(y):
        nonlocal calls
        calls += 1
        seen.append(calls)
        return y * calls

    first = scaled(x)
    second = scaled(first) if n > 1 else first
    return second, calls, len(seen)


class Keeping:
    def __init__(self, kept):
        self.kept = kept

    def __enter__(self):
        return self.kept

    def __exit__(self, *error):
        return False


def e_16_a_match_in_a_loop_of_closures(x, n):
    steps, mode, i = [], Mode.LOW, 0
    with Keeping(steps) as kept:
        while i < 3:
            match mode:
                case Mode.LOW:
                    kept.append(lambda y, k=i: y + k)
                    mode = Mode.HIGH if n > 1 else Mode.LOW
                case Mode.HIGH:
                    kept.append(lambda y, k=i: y * k)
                    mode = Mode.LOW
            i += 1
    for step in steps:
        x = step(x)
    return x


def e_16_the_end_of_an_iterator_is_caught(x, n):
    items, total = iter([1, 2]), 0
    try:
        while True:
            total = total + next(items)
            if n > 3:
                total = total + 10
    except StopIteration:
        total = total + 100
    return x + total


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_e_03_e_04_e_16(function):
    assert_agrees(function)

"""Sorting, and finding the least and greatest, by Python values and by values known only at run time."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def sort_staged_ints(x, n):
    items = []
    for i in range(n):
        items.append((i * 7 + 3) % 5)
    items.sort()
    return items, sorted(items, reverse=True)


def sort_by_key(x, n):
    items = [3, -1, 2]
    if n > 1:
        items.append(-4)
    items.sort(key=lambda v: abs(v))
    return items


def sort_by_key_reverse(x, n):
    items = []
    for i in range(n):
        items.append((i % 2, i))
    return sorted(items, key=lambda p: (p[0], -p[1])), sorted(items, key=lambda p: p[0], reverse=True)


def sort_tensors_by_value(x, n):
    items = [x * 2, x * -1, x + 3]
    return sorted(items, key=lambda t: t.sum())


def sort_growing_tensors_by_value(x, n):
    items = []
    for i in range(n):
        items.append(x * ((i * 2) % 3 - 1))
    items.sort(key=lambda t: float(t.sum()), reverse=True)
    return items


def sort_scalars_of_tensors(x, n):
    items = [x.sum(), x.max() * 2, x.min()]
    return sorted(items), sorted(items, reverse=True)


def sort_python_by_python_key(x, n):
    words = ["pear", "fig", "apple"]
    if n > 1:
        words = sorted(words, key=len)
    return words


def sort_pairs_with_staged_score(x, n):
    scores = [(x.sum(), "a"), (x.max(), "b"), (x.min() - 1, "c")]
    scores.sort(key=lambda p: p[0], reverse=True)
    return [name for _, name in scores]


def sort_backwards_on_one_path(x, n):
    items, words, none = [2, 3, 1], ["b", "a"], []
    items.sort(reverse=n > 1)
    words.sort(key=len, reverse=int(n))
    none.sort(reverse=n)
    return items, sorted((3, 1, 2), reverse=bool(n % 2)), words, none, sorted([x.sum(), x.max() * 2], reverse=n > 1)


def sort_a_staged_list_backwards_on_one_path(x, n):
    items = []
    for i in range(n):
        items.append(i % 3)
    items.sort(reverse=n > 2)
    return items, sorted(items, key=lambda v: -v, reverse=x.sum() > 1)


def sort_in_the_order_that_a_list_says(x, n):
    items = [1, 2]
    if n > 1:
        items.append(0)
    if n > 2:
        items.clear()
    words = ["a", "b"]
    if n != 2:
        words.sort(key=lambda w: w, reverse=items)
    return words


def sort_in_the_order_that_a_float_says(x, n):
    items = [1, 2]
    if n > 1:
        items.sort(reverse=float(n))
    return items


def min_max_two(x, n):
    k = int(n)
    return min(k, 2), max(k, 2), min(n, 2), max(k, 1, 2), min(float(k), 1)


def min_max_list(x, n):
    items = [3, 1, 2]
    items[0] = int(n)
    return min(items), max(items), max(*items), max([n, n + 1])


def min_max_tensor(x, n):
    return min(x), max(x)


def min_max_key(x, n):
    items = [1, -3, 2]
    if n > 1:
        items.append(-5)
    return max(items, key=abs), min(items, key=lambda v: v * v), max([], default=3)


def max_key_staged(x, n):
    items = [x, x * -2, x + 1]
    best = max(items, key=lambda t: float(t.sum()))
    return best


def max_pair_key(x, n):
    pairs = [("a", x.sum()), ("b", x.max() * 2)]
    return max(pairs, key=lambda p: p[1])[0]


def max_empty_raises(x, n):
    items = []
    for i in range(n):
        items.append(i)
    return max(items)


def max_range_key(x, n):
    v = [x.sum(), x.max(), x.min()]
    return max(range(3), key=lambda i: v[i])


def sorted_lists(x, n):
    items = [n * 1, 2, 1]
    return sorted(items), sorted([3, 1, 2]), sorted(x)


class Version:
    """Compared by its first number alone, so that the order of equals shows."""

    def __init__(self, major, minor=0):
        self.major, self.minor = major, minor

    def __lt__(self, other):
        return self.major < other.major


@dataclass(order=True)
class Ranked:
    rank: int
    name: str


class Odd:
    """Its `<` is no order: what comes out is what binary insertion makes of it."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return (self.value - other.value) % 3 == 1


def r_07_sort_objects_by_their_own_order(x, n):
    k = int(n)
    versions = [Version(3), Version(k, 1), Version(1), Version(k, 2), Version(2)]
    ordered = sorted(versions)
    versions.sort(reverse=True)
    return [(v.major, v.minor) for v in ordered], [(v.major, v.minor) for v in versions], min(ordered).major


def r_07_sort_by_a_key_that_is_an_object(x, n):
    names = ["b", "a", "c", "d"]
    names.sort(key=lambda name: Version(int(n) if name < "c" else 2))
    return names, [r.name for r in sorted([Ranked(int(n), "x"), Ranked(1, "y"), Ranked(int(n), "w")])]


def r_07_sort_by_what_is_no_order(x, n):
    k = int(n)
    return [o.value for o in sorted([Odd(v) for v in (4, k, 2, k + 3, 5, 1, 0)])]


def r_07_sort_few(x, n):
    return sorted([Version(int(n))])[0].major, sorted([Version(int(n)), Version(2)])[0].major, sorted([], key=Version)


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)

"""Sets that staged branches and loops change, and the operators between them."""

from __future__ import annotations

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def sets_changed(x, n):
    s = {1}
    for i in range(n):
        s.add(i % 2)
    s.discard(5)
    return len(s), 0 in s


def set_ops(x, n):
    s, t = {1, 2}, {2, 3}
    if n > 1:
        s.add(3)
    return sorted(s | t), sorted(s & t), sorted(s - t), sorted(s ^ t)


def set_methods(x, n):
    s, t = {1, 2}, {2, 3}
    if n > 1:
        s.update(t)
        s.update([9])
    u = s.union(t)
    return sorted(s), sorted(u), s.issubset(u), sorted(s.intersection(t)), sorted(s.difference(t))


def set_of_list(x, n):
    items = []
    for i in range(n):
        items.append(i % 2)
    return len(set(items)), sorted(set(items))


def set_removed(x, n):
    s = {1, 2}
    if n > 1:
        s.remove(1)
    if n > 2:
        s.remove(1)
    return len(s)


def set_copied(x, n):
    s = {1}
    t = set(s)
    u = s.copy()
    if n > 1:
        s.add(2)
    return len(s), len(t), len(u)


def set_equality(x, n):
    s = {1}
    if n > 1:
        s.add(2)
    return s == {1, 2}, s <= {1, 2, 3}


def set_truth(x, n):
    s = set()
    if n > 1:
        s.add(1)
    return 1 if s else 0


def sets_cut_down(x, n):
    a, b, c = {1, 2, 3}, {1, 2}, {1, 9}
    if n > 1:
        a.add(int(n) + 5)
    same = a
    if n > 2:
        a.difference_update([1], {2})
    b.intersection_update(a, [1, 2, 3])
    c.symmetric_difference_update(a)
    return sorted(a), sorted(b), sorted(c), same is a


def set_emptied(x, n):
    s, found = {1, 2}, []
    if n > 1:
        s.add(7)
    while s:
        found.append(s.pop())
    if n > 3:
        s.pop()
    return sorted(found), len(s)


def known_minus_staged(x, n):
    s, t = {1, 2}, {2, 3}
    if n > 1:
        s.add(3)
    return sorted(t - s)


def staged_minus_known(x, n):
    s, t = {1, 2}, {2, 3}
    if n > 1:
        s.add(3)
    return sorted(s - t)


def intersections(x, n):
    s, t = {1, 2}, {2, 3}
    if n > 1:
        s.add(3)
    return sorted(t & s), sorted(s & t)


def unions(x, n):
    s, t = {1, 2}, {2, 3}
    if n > 1:
        s.add(3)
    return sorted(t | s), sorted(s | t), sorted(s ^ t)


def subsets(x, n):
    s, t = {1, 2}, {2, 3}
    if n > 1:
        s.add(3)
    return s <= t, t <= s, s < t


def made_by_a_method(x, n):
    s, t = {1}.union({2}), {1, 2}.difference({2})
    for i in range(n):
        s.add(i)
        t.add(i)
    return sorted(s), sorted(t)



@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)

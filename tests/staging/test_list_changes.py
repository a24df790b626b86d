"""Lists that staged branches and loops change: append, extend, insert, pop, del, slices, item assignment, `+=`."""

from __future__ import annotations

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def append_on_one_path(x, n):
    items = [x]
    if n > 1:
        items.append(x + 1)
    return items


def extend_by_tuple_list_and_range(x, n):
    items = [1]
    for i in range(n):
        items.extend((i, i + 1))
        items.extend([7])
        if i == 1:
            items.extend(range(2))
    return items


def extend_by_staged_range(x, n):
    items = []
    if x.sum() > 0:
        items.extend(range(n))
    else:
        items.extend(range(n, 0, -1))
    return items


def insert_at_staged_place(x, n):
    items = [10, 20, 30]
    for i in range(n):
        items.insert(i, i)
        items.insert(-1, -i)
    return items


def insert_into_a_list_that_staging_knows(x, n):
    items = [10, 20, 30]
    items.insert(int(n), x.sum())
    items.insert(n, 9)
    return items


def pop_front_and_back(x, n):
    items = [1, 2, 3, 4, 5, 6, 7, 8]
    s = 0
    for i in range(n):
        if i % 2 == 0:
            s = s * 10 + items.pop()
        else:
            s = s * 10 + items.pop(0)
    return s, items


def pop_from_empty(x, n):
    items = [1, 2]
    for i in range(n):
        items.pop()
    return items


def delete_items(x, n):
    items = [1, 2, 3, 4, 5]
    if n > 0:
        del items[0]
    if n > 1:
        del items[-1]
    if n > 2:
        del items[n - 2]
    return items


def delete_slice(x, n):
    items = [1, 2, 3, 4, 5]
    if x.sum() > 0:
        del items[1:n]
    else:
        del items[::2]
    return items


def slice_assignment(x, n):
    items = [1, 2, 3, 4]
    if n > 0:
        items[1:2] = [7, 8, 9]
    if n > 1:
        items[:n] = []
    return items


def slice_assigned_tuple(x, n):
    items = [1, 2, 3, 4]
    if n > 0:
        items[1:3] = (5, 6)
    if n > 2:
        items[n:] = range(2)
    return items


def index_assignment(x, n):
    items = [0, 0, 0, 0, 0]
    for i in range(n):
        items[i] = i * i
        items[-1] += i
    return items


def tensors_assigned_at_index(x, n):
    items = [x, x, x, x]
    for i in range(n):
        items[i] = items[i - 1] * 2 + i
    return items


def iadd_in_loop(x, n):
    items = []
    alias = items
    for i in range(n):
        items += [i]
        items += (x,) if i == 1 else [i]
    return len(alias), len(items)


def iadd_tuple(x, n):
    items = [1]
    alias = items
    if n > 1:
        items += (2, 3)
    return alias


def imul(x, n):
    items = [1, 2]
    if x.sum() > 0:
        items *= n
    return items


def index_count_remove(x, n):
    items = [1, 2, 3, 2]
    if n > 0:
        items.append(n * 1)
    k = items.index(2)
    c = items.count(2)
    items.remove(2)
    return k, c, items


def remove_absent(x, n):
    items = [1, 2]
    if n > 1:
        items.remove(2)
    items.remove(2)
    return items


def reverse_and_clear(x, n):
    items = [1, 2, 3]
    if n == 1:
        items.reverse()
    elif n == 2:
        items.clear()
    return items, list(reversed(items)), items[::-1]


def copy_then_change(x, n):
    items = [1]
    other = items.copy()
    third = items[:]
    for i in range(n):
        items.append(i)
        if i > 0:
            other.append(-i)
    third.append(5)
    return items, other, third


def stack_and_queue(x, n):
    stack, queue, out = [1], [2], []
    for i in range(n):
        stack.append(i)
        queue.append(i)
        out.append(stack.pop() + queue.pop(0))
    return out, stack, queue


def extend_self(x, n):
    a = [1]
    for i in range(n):
        a.extend(a)
        if i == 2:
            break
    return a


def pop_in_condition(x, n):
    a = [0, 1, 2, 3, 4]
    while a and a.pop() > n:
        pass
    return a


def rest_of_an_unpacking(x, n):
    first, *rest = [1, 2, 3]
    if n > 1:
        rest.append(4)
    return first, rest


def rest_of_an_unpacking_in_a_loop(x, n):
    rest = [5]
    for i in range(n):
        while rest:
            rest.pop()
        _, *rest = [i]
    return rest


def stored_by_name(x, n):
    items = [1, 2, 3]
    items.__setitem__(n % 3, x)
    items.__delitem__((n + 1) % 3)
    return items



@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)

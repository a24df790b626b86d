"""What is read of lists that are known only at run time: items, slices, membership, comparison, iteration, unpacking."""

from __future__ import annotations

import pytest

import dy2st as paddle

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def slice_staged_bounds(x, n):
    items = [x, x + 1, x + 2, x + 3]
    return items[:n], items[n:], items[-n:], items[n::-1]


def slice_in_branch(x, n):
    items = [1, 2, 3, 4]
    if x.sum() > 0:
        items = items[1:n]
    else:
        items = items[::-1]
    return items


def concat(x, n):
    a, b = [1], [2, 3]
    if n > 1:
        a = a + b
    else:
        a = b + a + a
    return a, b


def repeat(x, n):
    return [0] * n, [x] * 2, n * [1, 2]


def membership(x, n):
    items = [1, 3]
    if n > 1:
        items.append(2)
    return n in items, 2 in items, 5 not in items, [3] == items


def membership_in_loop(x, n):
    seen, again = [], 0
    for i in range(n):
        k = (i * i) % 3
        if k in seen:
            again += 1
        else:
            seen.append(k)
    return seen, again


def filter_by_hand(x, n):
    kept = []
    for i in range(5):
        if i != n:
            kept.append(i)
    return kept


def filter_tensors(x, n):
    items = [x, -x, x + 1]
    kept = []
    for t in items:
        if t.sum() > 0:
            kept.append(t)
    return kept


def index_of_absent(x, n):
    items = [1, 2]
    if n > 1:
        items.append(3)
    return items.index(3)


def index_with_start(x, n):
    items = [1, 2, 1]
    if n > 1:
        items.append(2)
    return items.index(1, 1)


def star_unpacking(x, n):
    items = [1, 2, 3]
    if n > 1:
        items.append(4)
    first, *rest = items
    *init, last = items
    return first, rest, init, last


def fixed_unpacking(x, n):
    items = [1, 2]
    for i in range(n):
        items[i % 2] += i
    a, b = items
    return a, b


def unpack_pair_in_loop(x, n):
    pair = [0, 1]
    for _ in range(n):
        a, b = pair
        pair = [b, a + b]
    return pair


def negative_index(x, n):
    outs = [x]
    for i in range(n):
        outs.append(outs[-1] * 2)
    return outs[-1], outs[0], outs[n]


def out_of_range(x, n):
    items = [1, 2]
    return items[n]


def list_as_condition(x, n):
    items = []
    if n > 1:
        items.append(1)
    if items:
        return x + 1
    return x if not items else None


def while_list(x, n):
    items = [1]
    c = 0
    for i in range(n):
        items.append(i)
    while items:
        c = c * 2 + items.pop()
    return c


def stacked(x, n):
    outs = []
    for i in range(n + 1):
        outs.append(x * i)
    return paddle.stack(outs), paddle.concat(outs, axis=0)


def sum_of_list(x, n):
    items = []
    for i in range(n):
        items.append(i + 1)
    return sum(items), max(items) if items else -1, min(items, default=7), sum(items, 10)


def equality(x, n):
    items = [1]
    if n > 1:
        items.append(2)
    return items == [1, 2], items != [1], [] == items


def list_compare(x, n):
    a = [1, 2]
    if n > 1:
        a[1] = 5
    return a < [1, 3], max(a, [1, 4])


def join_of_lists(x, n):
    if n > 1:
        items = [x]
    else:
        items = [x, x]
    items.append(x)
    return items


def enumerate_staged(x, n):
    items = []
    for i in range(n):
        items.append(i * 2)
    s = 0
    for k, v in enumerate(items, 1):
        s += k * v
    return s


def reversed_staged(x, n):
    a = []
    for i in range(n):
        a.append(i)
    out = 0
    for v in reversed(a):
        out = out * 3 + v
    return out


def star_in_display(x, n):
    items = [1]
    if n > 1:
        items.append(2)
    return [0, *items, 9], (*items, 3), [*items, *items]


def item_of_what_is_always_empty(x, n):
    items = []
    if n > 1:
        items.reverse()
        items[items[0] :] = [0]
    return x


def item_of_what_is_always_empty_caught(x, n):
    items = ()
    try:
        y = items[n] * 2
    except IndexError:
        y = x * 2
    return y


def item_of_what_is_empty_at_first(x, n):
    items = []
    for i in range(n):
        if i > 0:
            x = x + items.pop()
        items.append(x)
    return x


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)

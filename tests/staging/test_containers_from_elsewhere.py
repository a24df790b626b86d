"""Lists, dicts and sets that come in through attributes, items and globals: operators and in-place operators on them."""

from __future__ import annotations

import pytest

import dy2st as paddle

from .agreement import NUMBER, VECTOR, functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes

TABLE = {1, 2}


class Box:
    def __init__(self):
        self.items = [1, 2]
        self.seen = {1, 2}
        self.other = {2, 3}
        self.table = {"list": [1], "set": {1}}


def note(box, n):
    if n > 1:
        box.seen.add(3)


def both_ways(x, n):
    box = Box()
    note(box, n)
    return sorted(box.other - box.seen), sorted(box.seen - box.other), sorted(box.other & box.seen), sorted(box.other ^ box.seen)


def with_itself(x, n):
    box = Box()
    note(box, n)
    return sorted(box.seen | box.seen), len(box.seen ^ box.seen)


def orders(x, n):
    box = Box()
    note(box, n)
    return box.other <= box.seen, box.seen < box.other, box.other < box.seen, box.seen >= box.other


def in_a_lambda(x, n):
    box = Box()
    note(box, n)
    difference = lambda a, b: a - b  # noqa: E731
    return sorted(difference(box.other, box.seen))


def of_a_global(x, n):
    if n > 1:
        TABLE.add(7)
    found = sorted(TABLE - Box().other)
    TABLE.discard(7)
    return found


def operand_of_in_place(x, n):
    box = Box()
    note(box, n)
    box.other -= box.seen
    box.table["set"] |= box.seen
    return sorted(box.other), sorted(box.table["set"])


def list_in_a_branch(x, n):
    box = Box()
    alias = box.items
    if n > 1:
        box.items += [n]
    return box.items, alias, alias is box.items


def list_in_a_loop(x, n):
    box = Box()
    for i in range(n):
        box.items += [i]
        box.table["list"] += [i, i]
    return box.items, box.table["list"]


def list_repeated(x, n):
    box = Box()
    if n > 1:
        box.items *= 2
    return box.items


def known_only_at_run_time(x, n):
    box = Box()
    alias = box.items
    if n > 1:
        alias.append(5)
    box.items += [7]
    box.items *= 2
    box.items += box.items
    return box.items, alias


def set_in_a_branch(x, n):
    box = Box()
    if n > 1:
        box.seen |= box.other
        box.table["set"] |= {9}
    else:
        box.seen &= box.other
    return sorted(box.seen), len(box.table["set"])


def dict_in_a_branch(x, n):
    box = Box()
    if n > 1:
        box.table |= {"more": [n]}
    return "more" in box.table, len(box.table)


def item_of_a_list(x, n):
    rows = [[1], [2]]
    first = rows[0]
    for i in range(n):
        rows[i % 2] += [i]
    return rows, first


def numbers_and_tensors(x, n):
    box = Box()
    box.total, rows = x, [x, x]
    for i in range(n):
        box.total += x
        rows[i % 2] *= n
    return box.total, rows


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def test_the_source_shown_is_the_one_that_runs():
    static = paddle.jit.to_static(both_ways, input_spec=[VECTOR, NUMBER])
    assert "box.other - box.seen" in static.code
    static.concrete_program  # noqa: B018
    assert "_jst.operator('-', box.other, box.seen)" in static.code

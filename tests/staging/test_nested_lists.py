"""Lists of lists, tuples and dicts, lists in tuples and dicts, and lists that several names hold."""

from __future__ import annotations

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def nested_rows(x, n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(i * j)
        rows.append(row)
    return rows


def nested_rows_changed_later(x, n):
    grid = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    for i in range(n):
        for j in range(n):
            if i < 3 and j < 3:
                grid[i][j] = i * 3 + j
    return grid


def grid_of_zeros(x, n):
    grid = [[0] * 4 for _ in range(3)]
    for i in range(n):
        grid[i % 3][i % 4] += 1
    return grid


def list_of_tuples(x, n):
    pairs = []
    for i in range(n):
        pairs.append((i, x * i))
    s = x.sum()
    for k, v in pairs:
        s = s + k * v.sum()
    return s, len(pairs)


def list_of_dicts(x, n):
    records = []
    for i in range(n):
        records.append({"id": i, "x": x + i})
    if n > 0:
        records[-1]["id"] = 100
    ids = []
    for r in records:
        ids.append(r["id"])
    return ids, records


def list_of_pairs_unpacked_with_enumerate(x, n):
    pairs = [(1, 2), (3, 4)]
    if n > 1:
        pairs.append((5, 6))
    s = 0
    for k, (a, b) in enumerate(pairs):
        s += k * (a - b * 2)
    return s


def mixed_elements(x, n):
    items = [1, "a", None, x]
    if n > 1:
        items.append(2.5)
    return items, len(items)


def alias_in_a_tuple(x, n):
    items = []
    pair = (items, 1)
    for i in range(n):
        pair[0].append(i)
    return items, pair[1]


def list_in_dict_grows(x, n):
    groups = {"even": [], "odd": []}
    for i in range(n):
        if i % 2 == 0:
            groups["even"].append(i)
        else:
            groups["odd"].append(i)
    return groups


def list_in_dict_by_staged_string(x, n):
    groups = {"even": [], "odd": []}
    for i in range(n):
        groups["even" if i % 2 == 0 else "odd"].append(i)
    return groups


def list_multiplied_rows(x, n):
    rows = [[1]] * 2
    if n > 1:
        rows[0].append(2)
    return rows


def zip_staged(x, n):
    a, b = [], []
    for i in range(n):
        a.append(i)
        b.append(x * i)
    out = []
    for p, q in zip(a, b):
        out.append(q + p)
    return out, list(zip(a, a))


BOARD = [[0, 1], [2]]
INDEX = {"rows": BOARD, "first": BOARD[0]}


def r_07_a_dict_of_a_list_and_one_of_its_rows(x, n):
    shared = [x.sum(), 1]
    return INDEX, {"all": [shared, [2]], "one": shared}, [BOARD, 1], int(n)


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)

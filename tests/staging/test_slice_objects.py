"""`slice` objects of ints that only the Program knows: their bounds, indices, text and order are plain Python's."""

from __future__ import annotations

import numpy as np
import pytest

from .agreement import assert_agrees, functions_of


class Level:
    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n


def s_33_indices(x, n):
    k = int(n) - 2
    return slice(k).indices(5), slice(k, None, 2).indices(10), slice(None, k).indices(4), slice(1, 9, -2).indices(k + 3)


def s_33_indices_of_steps(x, n):
    k = int(n) + 1
    return slice(None, None, -k).indices(6), slice(7, None, -k).indices(6), slice(-9, 9, k).indices(0)


def s_33_indices_as_a_range(x, n):
    taken = slice(int(n), 9, 2)
    return list(range(*taken.indices(8))), [1, 2, 3, 4][slice(*taken.indices(3))]


def s_33_indices_of_what_may_be_none(x, n):
    v = 2 if n > 1 else None
    return slice(v).indices(5), slice(0, 4, v).indices(5), slice(np.int64(1), v).indices(3)


def s_33_indices_of_objects(x, n):
    return slice(Level(int(n))).indices(Level(int(n) + 1))


def s_33_what_indices_refuse(x, n):
    k = int(n)
    found = []
    for ask in (
        lambda: slice(1, 9, k - 1).indices(5), lambda: slice(1).indices(k - 2), lambda: slice(float(n)).indices(5),
        lambda: slice(k if n > 1 else 2.5).indices(3), lambda: slice(k).indices(2.5), lambda: slice("a").indices(k),
    ):  # fmt: skip
        try:
            found.append(ask())
        except (TypeError, ValueError) as error:
            found.append(str(error))
    return found


def s_33_parts(x, n):
    k = int(n)
    taken = slice(k, k + 2)
    indices = taken.indices
    return repr(taken), taken == slice(1, 3), taken.start + taken.stop, taken.step, indices(3)


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda function: function.__name__)
def test_agrees(function):
    assert_agrees(function)
